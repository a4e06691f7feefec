#pragma once
// Inputs of a measured run: a function of the seed and of an element's place in the whole problem, so that every rank makes
// its own tokens, and whoever checks the results makes all of them, without a word between them.
//
// An element is the sum of four 16-bit integers of a hash of its place, moved and scaled to mean 0 and variance 1: nearly
// a standard normal distribution (of Irwin and Hall, four terms), never beyond ±3.47. Rounded to float, so that float and
// double compute with the same numbers.

#include "kernels/host/views.hpp"

#include <cstdint>

namespace ringsim::host {

/// Fills q, k, v and d_out, as far as the block has them, for the tokens at these positions.
template <class T>
void fill_inputs(std::uint64_t seed, std::int64_t layer, const Positions& positions, BlockView<T> block);

}  // namespace ringsim::host
