#pragma once
// A rank whose memory is counted: the one with the largest block, of one pipeline stage.

#include "models/memory.hpp"
#include "models/ring_shape.hpp"
#include "models/stages.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::memory {

struct Rank {
  const Scenario& scenario;
  std::int64_t stage = 0;
  std::vector<LayerRun> pieces;  // of the model, that the stage holds
  std::int64_t layers = 0;       // in them
  bool whole_model = false;      // scope model
  bool training = false;
  double element = 2;         // bytes of Q, K, V and O
  double dense_element = 2;   // of all other activations: bf16 where those are fp8
  double sequences = 1;       // that are worked on together
  std::int64_t block = 0;     // tokens of a sequence that the rank's ring works on at a time
  std::int64_t resident = 0;  // tokens of a sequence whose K/V the rank holds: cached ones, and all chunks
  std::int64_t total = 0;     // the same of the whole ring
  RingShape ring;             // heads of a rank after tensor and Ulysses have divided them
  double tokens = 0;          // sequences · block
  double rows = 0;            // tokens that the rank has outside of attention: Ulysses ranks share those of a block
  double norm_rows = 0;       // the same of norms and residuals: sequence parallelism divides them by tensor
  double query_width = 0;     // elements a token of the block
  double output_width = 0;
  double kv_width = 0;
  double statistics = 0;  // bytes of LSE a token of the block
  [[nodiscard]] bool first_stage() const { return stage == 0; }
  [[nodiscard]] bool last_stage() const { return stage == scenario.parallel.pipeline - 1; }
};

[[nodiscard]] Rank rank_of(const Scenario& scenario, std::int64_t stage);

/// "ring x tensor": the degrees above 1 among those that are named, or "nothing".
[[nodiscard]] std::string divisors(const Scenario& scenario, std::initializer_list<Axis> axes);

/// Collects the terms of a rank that are not 0.
class Terms {
 public:
  explicit Terms(Memory& memory) : memory_(&memory) {}
  void add(const char* name, std::string what, std::string divided_by, Bytes size) {
    if (size > Bytes{}) memory_->terms.push_back({name, std::move(what), size, std::move(divided_by)});
  }
  void missing(std::string what) { memory_->missing.push_back(std::move(what)); }

 private:
  Memory* memory_;
};

// A group of terms each; a term is 0 where it does not apply.
void add_weights(const Rank& rank, Terms& terms);      // weights.cpp: weights, their gradients, optimiser
void add_activations(const Rank& rank, Terms& terms);  // activations.cpp: saved, or of the layer at work; logits
void add_cache(const Rank& rank, Terms& terms);        // cache.cpp: K/V of a prefill or decode
void add_exchange(const Rank& rank, Terms& terms);     // exchange.cpp: what ring and Ulysses need
void add_gradients(const Rank& rank, Terms& terms);    // exchange.cpp: of activations, in the backward pass

/// Elements of an MLP's inner activations a row and rank: of a mixture those of the experts that a token visits.
[[nodiscard]] double inner_width(const Rank& rank, std::int64_t layer);

/// Experts that a token visits, times the load of the fullest rank against the mean.
[[nodiscard]] double expert_visits(const Rank& rank);

/// Bytes that an MLP at work needs, of the layer of the stage that needs most: everything between its norm and its sum, a row
/// of a mixture as often as it is sent to experts.
[[nodiscard]] double widest_mlp(const Rank& rank);

}  // namespace ringsim::memory
