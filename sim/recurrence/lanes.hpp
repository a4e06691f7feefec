#pragma once
// Many rings in one sweep. A lane is one ring of the job in one replica: the engine runs the program for all lanes at once, as
// further columns of its vectors (physics: "replicas of which vectorise"), and every lane gets the bits that it would get alone.
//
//   time of a kernel   (slowdown_r · cost) · f      f of Lane::compute, kind attention_kind or merge_kind(accumulator), rank r
//   time of a hop      (α + flight) · f             f of Lane::links, kind hop_kind, rank: the sender
//
// each of its operation's layer, step and pass (models/jitter.hpp). What takes no time draws nothing.

#include "models/jitter.hpp"
#include "sim/machine.hpp"

#include <cstdint>

namespace ringsim::sim {

/// Of all lanes of a run `costs`, `contest`, `event_latency` and `sharing` must be equal; hops, slowdown and start may differ.
struct Lane {
  const Machine* machine = nullptr;
  JitterStream compute{};
  JitterStream links{};
};

/// Ring `ring` of JobNetwork::rings in a replica of a scenario's job: what every engine draws from.
inline Lane lane_of(const Machine& machine, const Noise& noise, std::uint64_t seed, std::int64_t replica,
                    std::int64_t ring) {
  return {&machine, JitterStream(noise.compute, seed, compute_stream, replica, ring),
          JitterStream(noise.links, seed, link_stream, replica, ring)};
}

}  // namespace ringsim::sim
