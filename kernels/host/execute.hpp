#pragma once
// Executes a program for real, all ranks in one process and without times: the proof that a schedule is correct. The
// ranks compute attention with the blocks that the program brings them and nothing else, in an order that its streams
// and events allow; a wait that is missing shows as a wrong result in at least one such order. Ulysses ranks are executed,
// too: each has its own tokens and all heads, until their all-to-alls exchange the one for the other.
//
// What the program leaves to its surroundings happens where a layer begins (its own Q, K, V, dO exist; a backward pass
// computes delta) and ends (results are read), on the compute stream.

#include "kernels/host/attention.hpp"
#include "kernels/host/streams.hpp"
#include "kernels/host/tensors.hpp"
#include "sim/program.hpp"

#include <vector>

namespace ringsim::host {

struct ExecuteOptions {
  double scale = 1;  // of the scores, by convention 1/√Dqk
  Tiling tile;       // of the kernels
  OrderChoice order;
};

/// Of a whole sequence, tokens in its order.
template <class T>
struct LayerResult {
  Partial<T> output;
  Block<T> gradient;  // q, k, v; empty without a backward pass
};

/// `layers`: the whole sequence's q, k, v and, for a backward pass, d_out of every layer, of the shapes in
/// program.shape.heads, with all heads of the Ulysses ranks; k and v of the cached tokens stand first. A backward pass needs
/// the forward one in the same program. Throws Error where the program cannot
/// be executed.
template <class T>
[[nodiscard]] std::vector<LayerResult<T>> execute(const sim::Program& program, const std::vector<Block<T>>& layers,
                                                  const ExecuteOptions& options);

}  // namespace ringsim::host
