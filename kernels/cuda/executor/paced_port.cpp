#include "kernels/cuda/executor/hop_port.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::cuda {

std::string PacedPort::description() const {
  const PacedCopyOptions& how = copy_.options();
  const std::string rate =
      how.bytes_per_s > 0 ? fmt::format("of {:g} GB/s", how.bytes_per_s / 1e9) : std::string("as fast as memory goes");
  return how.engine == CopyEngine::copy_engine
             ? fmt::format("copies inside one GPU {} by its copy engine", rate)
             : fmt::format("copies inside one GPU {} by {} thread blocks", rate, how.blocks);
}

// Blocks of uneven shards differ by a token, which is left out: both ends of a local copy must exist.
void PacedPort::enqueue(const std::vector<Hop>& hops) {
  for (const Hop& hop : hops) {
    if (hop.outgoing.size() != hop.incoming.size())
      throw Error("a hop receives other tensors than it sends", "program");
    for (std::size_t i = 0; i < hop.outgoing.size(); ++i) {
      const std::size_t bytes = std::min(hop.outgoing[i].bytes, hop.incoming[i].bytes);
      copy_.run(hop.incoming[i].data, hop.outgoing[i].data, bytes, hop.stream);
    }
  }
}

}  // namespace ringsim::cuda
