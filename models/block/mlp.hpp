#pragma once
// The feed-forward part of a layer. f hidden units, k of n experts a token, E ranks that divide them, t tensor ranks.
//
//   dense     [rows × d] · [d × 2f/t], activation, [rows × f/t] · [f/t × d]; 2f is f where there is no gate
//             activation: reads gate and up, writes their product: 3 elements a hidden unit (2), backward 5 (3)
//   mixture   router [rows × d] · [d × n] in full precision, whole on every tensor rank; it reads n scores of 4 B
//             a token's copy for each of its experts: 1 + k elements a unit of d, read and written; the same when they are added up
//             all-to-all to the experts and back: k·d elements a token each; (E - 1)/E of it leaves the rank
//             experts n/E a rank, with k·tokens rows (a rank gets as many as it gives; the fullest one load_imbalance times as
//             many), 1/t of their columns as in a dense layer; shared experts as a dense layer of their width
//
// In decode ring and Ulysses ranks hold the same tokens. c = gcd(E, ring·ulysses) of the ranks that divide the experts do:
// they share the rows (1/c each), send only what others do not hold (1/c; nothing where c = E), and all get the results.
//
// A token goes once to each of its experts, as in Megatron's and Tutel's all-to-all; sending it once to a rank that holds
// several of them (DeepEP) is not modelled. Expert weights' gradients are counted as those of dense ones.

#include "models/block/two_way.hpp"

#include <vector>

namespace ringsim {

[[nodiscard]] std::vector<TwoWay> dense_mlp(const BlockShape& shape);
[[nodiscard]] std::vector<TwoWay> mixture(const BlockShape& shape);

}  // namespace ringsim
