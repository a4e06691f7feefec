#pragma once
// What the process that shows results and the ranks that measure say to each other, as JSON: a job, and rank 0's answer.

#include "calibrate/measurement.hpp"
#include "kernels/host/recording.hpp"
#include "models/numeric.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::calibrate {

struct MeasureJob {
  std::string scenario_yaml;  // resolved
  std::int64_t warmup = 2;
  std::int64_t repeats = 10;
  double max_seconds = 60;
  bool check = false;
  std::uint64_t seed = 0;
};

struct MeasureAnswer {
  std::vector<host::Recording> recordings;    // a repeat each
  std::map<std::string, double> check_error;  // max |error| / max |reference|; empty unless asked for
  std::string software;                       // MPI, instruction set, driver: what only the worker knows
  std::string machine{};                      // likewise: the GPUs; empty: this machine's processor
  std::vector<std::string> notes{};           // what a reader of the times must know, a sentence each
  std::string activity_csv{};  // kernels and copies as the device recorded them in a run of its own; mostly empty
};

[[nodiscard]] std::string to_json(const MeasureJob& job);
[[nodiscard]] std::string to_json(const MeasureAnswer& answer);
/// These throw Error for a text that the functions above did not write.
[[nodiscard]] MeasureJob measure_job_of(std::string_view text);
[[nodiscard]] MeasureAnswer measure_answer_of(std::string_view text);

/// The verdict on results: how far they may be off plain attention is what rounding of the number format allows: 1e-2 for bf16 (8 bits, and
/// gradients that are rounded at every hop), 1e-5 for fp32, 1e-12 for fp64.
[[nodiscard]] CheckOutcome check_outcome(Dtype dtype, const std::map<std::string, double>& error);

}  // namespace ringsim::calibrate
