#pragma once
// Kernels worth timing: blocks as rings have them, by rows, columns and mask.

#include "models/cost.hpp"
#include "models/mask.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::calibrate {

/// A kernel as an executor calls it: whole blocks with the places of their tokens, the rest masked; and its amounts.
struct AttentionCase {
  std::string name;  // "256x1024", "512 causal"
  std::vector<std::int64_t> queries;
  std::vector<std::int64_t> keys;
  Mask mask;
  AttendShape shape;
};

[[nodiscard]] AttentionCase full_case(std::int64_t rows, std::int64_t columns);

/// Squares from 32 tokens on, oblongs both ways round, causal diagonals, the kernels of a zigzag ring and a window. `large`
/// adds the largest square.
[[nodiscard]] std::vector<AttentionCase> many_cases(bool large);
/// Enough of them to see how time depends on heads.
[[nodiscard]] std::vector<AttentionCase> few_cases();

}  // namespace ringsim::calibrate
