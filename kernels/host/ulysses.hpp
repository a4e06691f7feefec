#pragma once
// The Ulysses ranks of one block, in one process: outside of attention each has some of the block's tokens with all heads,
// inside all of its tokens with some of the heads. The all-to-alls go between the two.
//
// Rank u has rows [u·B/U, (u + 1)·B/U) of the block outside, and of every sequence query heads [u·H, (u + 1)·H) inside. Its first
// key/value head inside is number u·G_all/U: where there are fewer than ranks, several ranks have the same one, and its
// gradients are added up. Cached keys are inside from the start.

#include "kernels/host/rank.hpp"

namespace ringsim::host {

/// The block's tokens of one layer and rank outside, and the results for them.
template <class T>
struct Outside {
  Block<T> inputs;
  Partial<T> output;
  Block<T> gradient;
};

template <class T>
class UlyssesGroup {
 public:
  /// `layers` as in execute(): the whole sequence with all heads. Fills the cached keys of the ranks.
  UlyssesGroup(const RingPlan& plan, std::vector<Rank<T>*> ranks, const std::vector<Block<T>>& layers);

  void exchange(sim::Content content, std::int64_t layer);
  /// Puts the results of a layer where the tokens stand in the whole sequence.
  void collect(std::int64_t layer, Partial<T>& output, Block<T>& gradient) const;

 private:
  /// Rows of a rank outside, counted in the block: [first, last).
  [[nodiscard]] Eigen::Index first_row(std::size_t rank) const;
  [[nodiscard]] Eigen::Index rows(std::size_t rank) const { return first_row(rank + 1) - first_row(rank); }
  [[nodiscard]] Eigen::Index kv_head(std::size_t rank, Eigen::Index inside) const;
  [[nodiscard]] Eigen::Index query_head(std::size_t rank, Eigen::Index inside) const;
  void enter(std::size_t rank, std::int64_t layer, bool queries_keys);
  void leave_output(std::int64_t layer);
  void leave_gradients(std::int64_t layer);

  const RingPlan& plan_;
  std::vector<Rank<T>*> ranks_;
  Eigen::Index kv_heads_ = 0;                     // of a sequence, outside
  std::vector<std::vector<Outside<T>>> outside_;  // per rank, per layer
};

}  // namespace ringsim::host
