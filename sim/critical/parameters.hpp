#pragma once
// What a run can be made faster by: the parameters of durations, each as a factor on what it costs.
//
// A factor of s on a parameter makes the part of every duration that it decides s times as long: a rate x becomes x / s, a cost x
// becomes x · s. All durations are sums of such parts, but for block_size and one slow rank; so with u for the logarithm of the factor
//
//   Σ over parameters of ∂T/∂u = T
//
// and the derivatives are at once shares of the time.

#include "models/scenario.hpp"
#include "sim/recurrence/lowering.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::sim {

enum class ParameterKind {
  attention_forward,  // FLOP/s of attention kernels
  attention_backward,
  products,       // FLOP/s of matrix products
  memory,         // bytes/s of passes over memory
  merge,          // bytes/s of merges
  launch,         // s a kernel
  bandwidth,      // bytes/s of the links of a class
  latency,        // s a message over links of a class
  event_latency,  // s from a record to whom it wakes up
  issue,          // s that the host takes an operation
  rank,           // compute times of one rank
  block,          // tokens of the sequence
};

struct Parameter {
  ParameterKind kind = ParameterKind::attention_forward;
  std::string name;        // "bandwidth of ib-ndr"
  std::string key;         // of the scenario language, that sets it: "cluster.inter_node.bandwidth", "profile.launch"
  std::string link_class;  // bandwidth, latency
  bool inter_node = false;
  std::int64_t rank = 0;  // rank
  double value = 0;       // as it is, SI: FLOP/s, bytes/s, s; of `rank` its slowdown, of `block` tokens of the sequence
  std::string unit;       // "flop_per_s", "bytes_per_s", "s", "tokens", "" for a slowdown
  /// More of it is less time: a rate.
  [[nodiscard]] bool is_rate() const;
};

/// Those of a scenario but for ranks and the block, which is_part_of_time() holds of.
[[nodiscard]] std::vector<Parameter> parameters_of(const Scenario& scenario);
[[nodiscard]] Parameter rank_parameter(const Scenario& scenario, std::int64_t rank);
[[nodiscard]] Parameter block_parameter(const Scenario& scenario);
[[nodiscard]] bool is_part_of_time(const Parameter& parameter);

/// The scenario with a factor on what the parameter costs. Not for `block`.
[[nodiscard]] Scenario scaled(const Scenario& scenario, const Parameter& parameter, double factor);

/// Whether the duration of an instruction can depend on it.
[[nodiscard]] bool acts_on(const Parameter& parameter, const Instruction& instruction);

}  // namespace ringsim::sim
