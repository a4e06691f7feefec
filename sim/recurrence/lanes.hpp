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

namespace ringsim::sim {

/// Of all lanes of a run `costs`, `contest`, `event_latency` and `sharing` must be equal; hops, slowdown and start may differ.
struct Lane {
  const Machine* machine = nullptr;
  JitterStream compute{};
  JitterStream links{};
};

}  // namespace ringsim::sim
