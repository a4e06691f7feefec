#include "reports/extremes.hpp"

#include <algorithm>
#include <map>

namespace ringsim::reports {

std::vector<ListedRank> listed_ranks(const std::vector<sim::RankSummary>& ranks, std::int64_t slowest,
                                     std::size_t limit) {
  if (ranks.empty()) return {};

  std::map<std::size_t, std::string> why;  // index -> reasons
  const auto name = [&](auto found, const char* reason) {
    std::string& reasons = why[static_cast<std::size_t>(found - ranks.begin())];
    if (!reasons.empty()) reasons += ", ";
    reasons += reason;
  };
  const auto most = [&](double sim::RankSummary::* value) {
    return std::max_element(ranks.begin(), ranks.end(),
                            [value](const auto& a, const auto& b) { return a.*value < b.*value; });
  };
  if (ranks.size() > 1) {
    const auto last = std::find_if(ranks.begin(), ranks.end(), [&](const auto& rank) { return rank.rank == slowest; });
    if (last != ranks.end()) name(last, "slowest");
    const auto fastest =
        std::min_element(ranks.begin(), ranks.end(), [](const auto& a, const auto& b) { return a.end_s < b.end_s; });
    // In a uniform ring all end together: nobody is the fastest, the most exposed or the most idle.
    const auto differs = [&](double sim::RankSummary::* value) {
      return std::any_of(ranks.begin(), ranks.end(),
                         [&](const auto& rank) { return rank.*value != ranks.front().*value; });
    };
    if (differs(&sim::RankSummary::end_s)) name(fastest, "fastest");
    if (differs(&sim::RankSummary::exposed_communication_s)) {
      name(most(&sim::RankSummary::exposed_communication_s), "most exposed");
    }
    if (differs(&sim::RankSummary::bubble_s)) name(most(&sim::RankSummary::bubble_s), "most idle");
  }
  const bool all = ranks.size() <= limit;
  if (!all) {
    name(ranks.begin(), "first");
    name(ranks.end() - 1, "last");
  }
  std::vector<ListedRank> listed;
  if (all) {
    for (std::size_t i = 0; i < ranks.size(); ++i)
      listed.push_back({&ranks[i], why.contains(i) ? why[i] : std::string()});
  } else {
    for (const auto& [index, reasons] : why) listed.push_back({&ranks[index], reasons});
  }
  return listed;
}

}  // namespace ringsim::reports
