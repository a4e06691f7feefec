#pragma once
// What a published row is a measurement of, in which unit, and what of a prediction it is held against. All are compared as
// times [s]:
//
//   makespan         the whole run                            s, ms, us; iter/s: 1 / value
//   flop-rate        the whole run, as a rate of each GPU     TFLOP/s: FLOP / (GPUs · value)
//                    FLOP = B · H · S² · 2 (Dqk + Dv), halved under a causal mask; the backward pass 2.5 times the forward one
//                    (the convention of FlashAttention's benchmarks: 4 · D where both dimensions are D)
//   ttft, tpot       time to the first token, time of a token
//   hop              mean time in flight of a hop of the ring, as it runs beside the kernels
//   attention-step   attention of one step of one layer
//   all-to-all       one all-to-all of one layer, where a scheme has one
//
// hop, attention-step and all-to-all are of the slowest rank.

#include "models/quantity.hpp"
#include "models/scenario.hpp"
#include "sim/prediction.hpp"

#include <string>
#include <string_view>

namespace ringsim::calibrate {

enum class Metric { makespan, flop_rate, ttft, tpot, hop, attention_step, all_to_all };
[[nodiscard]] std::string_view name_of(Metric metric);

enum class MeasuredUnit { s, ms, us, iterations_per_s, teraflop_per_s };
[[nodiscard]] std::string_view name_of(MeasuredUnit unit);

/// Throws Error, with the known names as a hint.
[[nodiscard]] Metric metric_of(std::string_view name);
/// Throws Error where there is no such unit, or the metric has another one.
[[nodiscard]] MeasuredUnit unit_of(std::string_view name, Metric metric);

/// The time that a measured value stands for [s].
[[nodiscard]] double measured_seconds(double value, MeasuredUnit unit, const Scenario& scenario);

/// The time that a prediction of the scenario gives for it [s]. Throws Error where the run has no such thing.
[[nodiscard]] double predicted_seconds(Metric metric, const sim::Prediction& prediction);

/// FLOP of the attention of a scenario's layers, all GPUs together, by the convention above.
[[nodiscard]] Flop benchmark_flop(const Scenario& scenario);

}  // namespace ringsim::calibrate
