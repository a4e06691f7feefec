#pragma once
// How the duration of every operation of a program moves with every parameter: g = ∂d / ∂u, u the logarithm of a factor on what the
// parameter costs (parameters.hpp), of the block the logarithm of the sequence's tokens.
//
//   g = (d(s) - d(1)) / (s - 1)        s = 1 + 2^-16: exact but for rounding where d is linear in s, which all durations are but
//                                      where a product changes between its FLOP and its bytes, or a collective its algorithm
//   g = tokens · (d(tokens + unit) - d(tokens - unit)) / (2 · unit)     of the block, in whole units of legal lengths: exact
//                                      where d is quadratic in the tokens
//
// Waits and the host's clock have constants of their own: event_latency and issue move those.

#include "models/job_network.hpp"
#include "models/scenario.hpp"
#include "sim/critical/one_sided.hpp"
#include "sim/critical/parameters.hpp"
#include "sim/phase_program.hpp"
#include "sim/phases.hpp"
#include "sim/recurrence/operation_durations.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::sim {

/// Programs of the same structure over a few tokens less and more; absent where there are none, with the reason.
struct OtherLengths {
  double tokens = 0;
  double unit = 0;
  std::vector<PhaseProgram> below, above;
  std::optional<Scenario> of_below, of_above;
};
[[nodiscard]] std::optional<OtherLengths> other_lengths(const Scenario& scenario,
                                                        const std::vector<PhaseProgram>& phases);

class DurationGradients {
 public:
  /// Of one phase of a ring's run. Keeps references to the phases; `lane_of` as the run had it.
  DurationGradients(const Scenario& scenario, const JobNetwork& network, std::size_t ring,
                    const std::vector<Parameter>& parameters, const std::vector<PhaseProgram>& phases,
                    std::size_t phase, const LaneOf& lane_of, const std::optional<OtherLengths>& lengths);
  DurationGradients(const DurationGradients&) = delete;
  DurationGradients& operator=(const DurationGradients&) = delete;
  DurationGradients(DurationGradients&&) = delete;
  DurationGradients& operator=(DurationGradients&&) = delete;
  ~DurationGradients();

  /// A row a parameter, a column a rank [s]; valid until the next call. Of a join: of its constant.
  [[nodiscard]] const Eigen::ArrayXXd& of(const TapeEntry& entry);
  /// How long an operation takes here, without slow ranks and random times, and of its instruction.
  [[nodiscard]] OperationDurations& actual() { return *base_->durations; }
  [[nodiscard]] OperationDurations& fair() { return *even_->durations; }
  /// Whether an instruction of the program depends on the parameter.
  [[nodiscard]] bool acts(std::size_t parameter) const { return acts_[parameter]; }

 private:
  struct Variant {
    Machine machine;
    std::unique_ptr<OperationDurations> durations;
  };
  std::unique_ptr<Variant> variant(const Scenario& scenario, const JobNetwork& network, const Program& program,
                                   std::size_t phase, const LaneOf& lane_of, std::size_t ring) const;

  std::vector<Parameter> parameters_;
  std::unique_ptr<Variant> base_, even_, below_, above_;
  std::vector<std::unique_ptr<Variant>> moved_;  // by parameter; null where it moves constants, or is the block
  std::vector<bool> acts_;
  double per_token_ = 0;  // tokens / (2 · unit)
  Eigen::ArrayXXd gradients_;
  Eigen::ArrayXd duration_;
};

}  // namespace ringsim::sim
