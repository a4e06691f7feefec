#pragma once
// What travels between GPUs in a run: a row a collective, hop or send, and sums over link classes.

#include "reports/table.hpp"
#include "sim/prediction.hpp"

#include <string>
#include <vector>

namespace ringsim::reports {

/// Sums over what takes links of one class [bytes that a rank sends].
struct LinkClassBytes {
  std::string link_class;
  bool inter_node = false;
  double bytes_per_rank = 0;
};
/// In the order in which the classes first occur among `traffic`, those inside nodes first.
[[nodiscard]] std::vector<LinkClassBytes> bytes_by_link_class(const std::vector<sim::TrafficSummary>& traffic);

/// By bytes a rank, the most first; at most 16 rows, of which the last sums up what is left out.
[[nodiscard]] Grid traffic_grid(const sim::Prediction& prediction);
[[nodiscard]] Fields traffic_fields(const sim::Prediction& prediction);

}  // namespace ringsim::reports
