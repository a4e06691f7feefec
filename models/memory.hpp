#pragma once
// Memory of one rank, term by term (physics: "Memory a rank"), each with what divides it. The formulas stand where the terms are
// counted: weights, gradients and optimiser in memory/weights.cpp, activations and logits in memory/activations.cpp, the K/V
// cache in memory/cache.hpp, buffers and accumulators of ring and Ulysses in memory/exchange.cpp.
//
// Scope attention counts the attention part and the weights; scope model everything. Of a pipeline the fullest stage counts, of
// a ring the rank with the largest block. Beside them, where the scenario gives them: buffers of the communication library, what
// the engine leaves alone (memory_reserve · capacity), and what the allocator loses (fragmentation f: f/(1 - f) of the rest).
// Not modelled: workspaces of kernels, the CUDA context, compiled graphs.

#include "models/scenario.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim {

struct MemoryTerm {
  std::string name;  // snake_case key for machines: "kv_cache", "weights", "ring_buffers", ...
  std::string what;  // for people
  Bytes size;
  std::string divided_by;  // "tensor 8 x ring 4", "nothing"
};

struct Memory {
  std::vector<MemoryTerm> terms;
  Bytes total;
  Bytes capacity;
  std::vector<std::string> missing;  // what is not counted because the scenario does not tell; then fits() is not known
  Bytes rest_of_network;   // a prefill's residual stream and unchunked MLP beside the attention part, at a guess
  std::int64_t stage = 0;  // of the pipeline: the fullest
  [[nodiscard]] bool fits() const { return total <= capacity; }
  /// 0 where there is no such term.
  [[nodiscard]] Bytes of(const std::string& name) const;
};

/// Memory of the rank with the largest block, in the fullest stage.
[[nodiscard]] Memory memory_of_rank(const Scenario& scenario);
[[nodiscard]] Memory memory_of_stage(const Scenario& scenario, std::int64_t stage);

/// What training the whole model may need in the memory of its hosts, to warn of: an attention mask of S × S bytes a sample, which
/// some data loaders
/// build before any rank takes its part.
[[nodiscard]] std::vector<std::string> host_memory_warnings(const Scenario& scenario);

}  // namespace ringsim
