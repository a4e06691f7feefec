#pragma once
// Interference of one transfer engine where the points tell more than a host's do: the pass of the attention kernel, how many
// thread blocks move the hop, over which links, and which of the two was ready first.
//
//   forward, backward   shares of attention kernels of a pass, each fitted as interference.hpp does
//   the others' shares  of the points without a pass: merges
//
// A profile has one set of shares an engine: that of the links and numbers of blocks with the most points. The other sets are
// reported, and so are hops that came second: there the question is not at which shares both run, but for which part of the
// kernel the hop found no free SM,
//   waited = (h' − T) / C
// A profile says that only by its contest for SMs, which excludes shares; a note gives the number.

#include "calibrate/fit/interference.hpp"

#include <string>
#include <vector>

namespace ringsim::calibrate {

struct InterferenceByPass {
  std::optional<Interference> shares;  // absent: no usable point
  std::vector<FitReport> reports;
  std::vector<std::string> notes;
};

/// `points`: all of one transfer engine.
[[nodiscard]] InterferenceByPass fit_interference_by_pass(const std::vector<InterferencePoint>& points, Origin origin,
                                                          const std::string& source);

}  // namespace ringsim::calibrate
