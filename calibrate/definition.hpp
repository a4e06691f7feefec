#pragma once
// What a measured time depends on besides the machine: the work itself. Two runs are alike where their definitions are
// equal; names, costs, clusters, prices and stragglers of a scenario are no part of it.

#include "models/scenario.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::calibrate {

struct Definition {
  std::string scope;   // "attention"
  std::string phase;   // "prefill" | "train"
  std::string dtype;   // of Q, K, V and O
  std::string layout;  // "zigzag", ...
  std::string travels;
  std::string backward_travels;  // empty where there is no backward pass
  std::string gradient_dtype;    // of the travelling gradient; empty where there is no backward pass
  std::string transfer;          // "sm-kernel" | "copy-engine"
  std::int64_t ring = 0;         // ranks
  std::int64_t buffers = 0;
  std::int64_t layers = 0;
  std::int64_t tokens = 0;  // of one whole sequence
  std::int64_t batch = 0;   // sequences of a rank
  // Heads of a rank, after tensor parallelism.
  std::int64_t query_heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t query_key_dim = 0;
  std::int64_t value_dim = 0;
  bool causal = true;
  std::vector<std::optional<std::int64_t>> windows;  // tokens, per layer; absent: unlimited; empty: no layer has one
  friend bool operator==(const Definition&, const Definition&) = default;
};

[[nodiscard]] Definition definition_of(const Scenario& scenario);

/// Calls `visit(key, scenario_key, field)` for every field: its name in files, and the key of the scenario that sets it.
/// One table for the writer, the reader and the comparison.
template <class AnyDefinition, class Visit>
void for_each_field(AnyDefinition& d, const Visit& visit) {
  visit("scope", "workload.scope", d.scope);
  visit("phase", "workload.phase", d.phase);
  visit("dtype", "workload.dtype", d.dtype);
  visit("layout", "ring.layout", d.layout);
  visit("travels", "ring.travels", d.travels);
  visit("backward_travels", "ring.backward", d.backward_travels);
  visit("gradient_dtype", "ring.gradient_dtype", d.gradient_dtype);
  visit("transfer", "ring.transfer", d.transfer);
  visit("ring", "parallel.ring", d.ring);
  visit("buffers", "ring.buffers", d.buffers);
  visit("layers", "model.layers", d.layers);
  visit("tokens", "workload.tokens", d.tokens);
  visit("batch", "workload.batch", d.batch);
  visit("query_heads", "model.heads", d.query_heads);
  visit("kv_heads", "model.kv_heads", d.kv_heads);
  visit("query_key_dim", "model.head_dim", d.query_key_dim);
  visit("value_dim", "model.v_head_dim", d.value_dim);
  visit("causal", "workload.causal", d.causal);
  visit("window_tokens", "model.sliding_window", d.windows);
}

/// One field in which two definitions differ, as texts.
struct Difference {
  std::string scenario_key;  // "ring.layout"
  std::string measured;
  std::string predicted;
};
[[nodiscard]] std::vector<Difference> differences(const Definition& measured, const Definition& predicted);

}  // namespace ringsim::calibrate
