#pragma once
// Matrices and activation of one MLP, dense or of experts side by side.

#include "models/block/two_way.hpp"

#include <string>

namespace ringsim {

struct MlpSize {
  std::string name;      // "MLP", "experts"
  Rows rows;             // of its products, over all experts
  double units = 0;      // hidden units of one of them on this rank
  double count = 1;      // MLPs beside each other
  double visits = 1;     // of these, by a token
  double imbalance = 1;  // rows of the fullest rank
};

/// Up, activation, down, with their backward pass; the activation is what selective recomputation runs again.
[[nodiscard]] TwoWay mlp_of(const BlockShape& shape, const MlpSize& size);

}  // namespace ringsim
