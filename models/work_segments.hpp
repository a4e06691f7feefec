#pragma once
// Work of every rank as runs of equal ranks, from the few ranks at which it may change.

#include "models/layout.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ringsim {

/// Ranks 0 to ranks - 1: where anything may change anywhere.
[[nodiscard]] inline std::vector<std::int64_t> all_ranks(std::int64_t ranks) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(ranks));
  for (std::int64_t r = 0; r < ranks; ++r) all[static_cast<std::size_t>(r)] = r;
  return all;
}

/// `starts`: ranks at which the work may change, in any order, 0 among them; those from `ranks` on are left out. Neighbouring runs
/// with equal work are one.
template <class WorkOf>
[[nodiscard]] std::vector<WorkSegment> segments_of(std::vector<std::int64_t> starts, std::int64_t ranks,
                                                   const WorkOf& work_of) {
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  while (starts.back() >= ranks) starts.pop_back();
  std::vector<WorkSegment> segments;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::int64_t end = i + 1 < starts.size() ? starts[i + 1] : ranks;
    const AttendWork work = work_of(starts[i]);
    if (!segments.empty() && segments.back().work == work) {
      segments.back().end = end;
    } else {
      segments.push_back({starts[i], end, work});
    }
  }
  return segments;
}

}  // namespace ringsim
