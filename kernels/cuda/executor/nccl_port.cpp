#include "kernels/cuda/executor/nccl_port.hpp"

#include "kernels/cuda/error.hpp"

#include <fmt/format.h>

#include <span>

namespace ringsim::cuda {
namespace {

NcclRing make_ring(const std::vector<int>& devices, Processes& processes, NcclOptions options) {
  if (processes.count() == 1) return NcclRing(devices, options);
  NcclId id;
  if (processes.number() == 0) id = NcclRing::new_id();
  processes.broadcast(std::as_writable_bytes(std::span(id.bytes)));
  check(cudaSetDevice(devices.front()), "cudaSetDevice");
  return NcclRing(id, processes.count(), processes.number(), options);
}

}  // namespace

NcclPort::NcclPort(const std::vector<int>& devices, Processes& processes, int channels)
    : ring_(make_ring(devices, processes, {channels, -1})), first_rank_(processes.number()), channels_(channels) {}

std::string NcclPort::description() const {
  return fmt::format("NCCL's send and receive between {} GPUs, by up to {} thread blocks", ring_.ranks(), channels_);
}

// All messages of all ranks are one group, which NCCL makes one kernel a GPU of.
void NcclPort::enqueue(const std::vector<Hop>& hops) {
  std::vector<NcclHop> messages;
  for (std::size_t i = 0; i < hops.size(); ++i) {
    const Hop& hop = hops[i];
    for (std::size_t m = 0; m < hop.outgoing.size(); ++m) {
      messages.push_back({first_rank_ + static_cast<int>(i), hop.outgoing[m].data, hop.outgoing[m].bytes,
                          hop.incoming[m].data, hop.incoming[m].bytes, hop.stream});
    }
  }
  ring_.send_receive(messages);
}

}  // namespace ringsim::cuda
