#pragma once
// What a run costs: GPU-hours, money, energy; in all and for a million tokens that it works on or generates. Idle GPUs of the
// cluster are not counted.

#include "models/scenario.hpp"
#include "reports/table.hpp"
#include "sim/prediction.hpp"

#include <optional>

namespace ringsim::reports {

[[nodiscard]] Fields spending_fields(const sim::Prediction& prediction, const Scenario& scenario);

/// `amount` for a million tokens of the run; absent where the run has no tokens.
[[nodiscard]] std::optional<double> per_million_tokens(const sim::Prediction& prediction, double amount);

}  // namespace ringsim::reports
