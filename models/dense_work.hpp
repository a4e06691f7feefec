#pragma once
// Work on the tokens of a rank that needs nothing from other ranks: matrix products and passes over memory.

#include "models/numeric.hpp"
#include "models/quantity.hpp"

#include <string>
#include <variant>
#include <vector>

namespace ringsim {

/// Rows of an operation on a rank whose block has `tokens` tokens of each of `sequences` sequences.
struct Rows {
  double per_token = 0;     // of the block, of every sequence
  double per_sequence = 0;  // as the last token of each
  [[nodiscard]] double of(double tokens, double sequences) const {
    return sequences * (per_token * tokens + per_sequence);
  }
};

/// [rows × depth] times [depth × columns], `count` such products beside each other (experts), which divide the rows. Whoever
/// has few rows meets few of the products: a token goes to `visits` different ones of them.
struct Gemm {
  std::string name;  // "query, key and value projections"
  Rows rows;
  double columns = 0;
  double depth = 0;
  double count = 1;
  double imbalance = 1;  // rows of the fullest rank against the mean
  Dtype dtype = Dtype::bf16;
  double visits = 1;  // of the `count` products, by a token, on average over ranks
  /// Bytes that move for each of the depth × columns elements; 0: those of `dtype`. Weights may be stored in a shorter
  /// format, gradients of weights are read and written in a longer one.
  double matrix_bytes = 0;
};

/// A pass over memory: reads and writes this much.
struct Elementwise {
  std::string name;  // "norm"
  Rows rows;
  Bytes per_row;
  Bytes fixed;          // whatever the rows: an optimiser step
  Flop flop_per_row{};  // products on what is read: a query's attention over its cache (models/decode_cost.hpp)
};

/// Operations of one rank, one after the other, with nothing between them that involves another rank.
struct DenseWork {
  std::string name;  // "attention input"
  std::vector<std::variant<Gemm, Elementwise>> parts;
};

}  // namespace ringsim
