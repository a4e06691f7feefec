#pragma once
// Which degrees and options a model, a workload and a cluster allow, before anything is predicted.
//
// H query heads, G key/value heads, t tensor, u Ulysses, N ring:
//   tensor      t | H; t | G, or G | t (copies of the K/V heads)
//   Ulysses     u | H/t; u | G/t, or G/t | u with replicate_kv; latent attention exchanges H heads of K and V
//   ring        no limit by heads; the layout limits the tokens
//   experts     expert | experts, expert | u·N·data
//   pipeline    pipeline · interleave <= layers; the first pieces hold one layer more where that does not divide
//   decode      decode_context | t/G where tensor ranks hold copies (a latent counts as one head)
//   tokens      zigzag: lcm(2, u)·N; other layouts under Ulysses: u·N; sequence parallelism: t more
//
// What no schedule has is refused here as well: only K/V travel both ways, on two levels or by all-gather.

#include "models/scenario.hpp"
#include "models/transformer.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim {

/// Ulysses degrees that a tensor rank's heads allow, ascending; those beyond its K/V heads only with replication.
[[nodiscard]] std::vector<std::int64_t> legal_ulysses(const Transformer& model, std::int64_t tensor, bool replicate_kv);
[[nodiscard]] std::vector<std::int64_t> legal_tensor(const Transformer& model);

/// Heads filled up so that `ranks` ranks can divide them: fewest query heads with whole groups of them a K/V head, the
/// K/V heads being divided by the ranks or the ranks by them.
struct PaddedHeads {
  std::int64_t query_heads = 0;
  std::int64_t kv_heads = 0;
  double tax = 0;  // attention FLOP and bytes that are added, as a fraction
};
[[nodiscard]] PaddedHeads padded_heads(const Transformer& model, std::int64_t ranks);

/// A number that tokens must be a multiple of, and what it is made of: 16, "2 x ring".
struct TokenUnit {
  std::int64_t tokens = 1;
  std::string from;
};
/// Of a whole sequence.
[[nodiscard]] TokenUnit sequence_unit(const Scenario& scenario);

/// Throws Error with the key in `where` and the legal values in `hint`.
void check_degrees(const Scenario& scenario);
void check_tokens(const Scenario& scenario);
void check_options(const Scenario& scenario);

}  // namespace ringsim
