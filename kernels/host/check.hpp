#pragma once
// Results of an execution by ranks, compared with plain attention of the whole sequence.

#include "kernels/host/plan.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ringsim::host {

/// Plain attention has tokens² scores.
inline constexpr std::int64_t most_checked_tokens = 8192;
/// Throws Error where the program has more tokens.
void check_is_possible(const sim::Program& program);

/// What every rank has of a layer, put one after the other: o, lse and, after a backward pass, the gradients of q, k and v; each
/// [head][token][dimension] of the rank's own tokens.
using ResultsOfRanks = std::vector<std::vector<double>>;

/// Deviations (deviation.hpp) of "O", "LSE" and, after a backward pass, "dQ", "dK", "dV", over all layers. Inputs are those of
/// fill_inputs, each made `rounded`. `results` is asked for one layer after the other; where it answers nothing (on another rank of an MPI
/// job than the first), nothing is compared.
[[nodiscard]] std::map<std::string, double> deviations(const RingPlan& plan, std::uint64_t seed,
                                                       const std::function<double(double)>& rounded,
                                                       const std::function<ResultsOfRanks(std::int64_t)>& results);

}  // namespace ringsim::host
