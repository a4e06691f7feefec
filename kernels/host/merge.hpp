#pragma once
// Folding the results of a kernel into an accumulator.
//
// Finished outputs merge by their log-sum-exp, the same identity as online softmax (softmax.hpp):
//   LSE' = log(exp LSE1 + exp LSE2)          O' = exp(LSE1 − LSE')·O1 + exp(LSE2 − LSE')·O2
// A row that has seen no key is (O, LSE) = (0, −∞): merging it changes nothing, and −∞ − −∞ is never computed. NaN goes
// through, so that data that never arrived shows. Gradients add up.

#include "kernels/host/progress.hpp"
#include "kernels/host/views.hpp"

#include <span>

namespace ringsim::host {

/// Folds a finished output (o, lse) into another of the same shape.
template <class T>
void merge(BlockView<T> accumulator, BlockView<const T> partial, Progress progress = {});

/// Adds a gradient to another, all tensors of a block at once.
template <class T>
void add(std::span<T> accumulator, std::span<const T> contribution, Progress progress = {});

}  // namespace ringsim::host
