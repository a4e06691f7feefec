#pragma once
// The operations of a predicted and a measured timeline side by side.
//
// One by one where the measurement says which execution each span is: by (rank, kind, name, layer, step), and in order of
// time where both passes name a hop alike. Else by kind: counts,
// totals and medians of the attention of a pass, of all merges and of all transfers.

#include "calibrate/compare/comparison.hpp"

#include <vector>

namespace ringsim::calibrate {

/// How long an operation takes; a transfer: its outgoing hop in flight.
[[nodiscard]] double duration_s(const sim::Span& span);

/// (predicted − measured) / reference; 0 where both are the same, absent where the reference is not above zero.
[[nodiscard]] std::optional<double> signed_error(double predicted, double measured, double reference);

/// Count, total and median of the operations of each name, in order of first appearance; the source's own totals where there
/// are no spans.
[[nodiscard]] std::vector<OperationTotal> operation_totals(const Measurement& measurement);

struct ComparedOperations {
  bool one_by_one = false;
  std::vector<OperationGroup> groups;  // in order of first appearance in the prediction
  std::vector<OneSided> one_sided;
};
[[nodiscard]] ComparedOperations compare_operations(const sim::Timeline& predicted, const Measurement& measured);

}  // namespace ringsim::calibrate
