#pragma once
// One layer's attention of a decode step, as operations: every sequence has one new token, and its cache is divided.
//
// T cached tokens of a sequence (of a sliding layer at most the window), b sequences, N ring ranks, c ranks of decode context
// parallelism, H query heads of a rank, Dq and Dv (models/decode_cost.hpp), e bytes an element:
//
//   split-kv     every rank holds all new tokens and attends over its T/(N·c) tokens of every cache; then one all-reduce of
//                (m, l, O) over the ring in fp32, b·H·(Dv + 2)·4 bytes
//   ring         the new tokens are divided, at most ceil(b/N) a rank; their queries go around in N - 1 hops of ceil(b/N)·H·Dq·e
//                behind the computation, partial outputs and LSE return in one all-to-all of N·ceil(b/N)·H·(Dv·e + 4), and are
//                merged (pass-Q decode: arXiv 2411.01783 §3.6). Every layer waits for N - 1 latencies.
//   decode context parallelism   c tensor ranks, which would hold copies of K/V heads, divide the cache's tokens instead: they
//                gather each other's queries, b·c·H·Dq·e, attend with all their heads, gather the LSE of all parts, and
//                reduce-scatter the outputs, b·c·H·Dv·e (as vLLM does)
//   Ulysses      divides heads; outputs are gathered, since every rank has all new tokens
//
// A rank of split-kv whose part is one token larger is counted with the larger part. Windows are taken to be spread evenly.
// The new token's own key is in a register, not in memory.

#include "models/scenario.hpp"
#include "sim/program.hpp"

#include <cstdint>
#include <vector>

namespace ringsim::sim {

/// Sequences that a rank holds the new token of.
[[nodiscard]] std::int64_t decode_sequences(const Scenario& scenario);

/// Operations of one layer; their amounts are added to the program, whose streams and events are those of a ring.
/// Throws Error for combinations that have no schedule.
[[nodiscard]] std::vector<Operation> decode_attention_layer(Program& program, const Scenario& scenario);

}  // namespace ringsim::sim
