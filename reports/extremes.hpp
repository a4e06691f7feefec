#pragma once
// Which ranks a report lists when there are too many for all: those that a reader would ask for.

#include "sim/prediction.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::reports {

struct ListedRank {
  const sim::RankSummary* summary = nullptr;
  std::string why;  // "slowest, most idle"; empty for a rank that is listed only because all are
};

/// All ranks where there are at most `limit`; else the slowest, the fastest (earliest own end), the one with the most
/// exposed communication, the one with the largest bubble, the first and the last. In rank order, each once; ties go to
/// the lowest rank.
[[nodiscard]] std::vector<ListedRank> listed_ranks(const std::vector<sim::RankSummary>& ranks, std::int64_t slowest,
                                                   std::size_t limit);

}  // namespace ringsim::reports
