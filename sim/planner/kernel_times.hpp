#pragma once
// Times of the attention kernels of every rank and step of a ring, for bounds: those of the engine itself, without waiting.
//
//   of_step(r, k)   kernels that rank r runs in step k, and the merge where the forward pass of K/V has one
//   total(r)        their sum over the steps
//
// Of a ring both ways round the kernels of whole blocks stand for those of halves of the heads, which take no less (one launch instead
// of two, more tiles); halves of tokens have kernels of their own. Merges of these, of two levels, of returned outputs and of
// backward passes are left out.

#include "models/cost.hpp"
#include "models/layout.hpp"

#include <cstdint>
#include <vector>

namespace ringsim::sim {

enum class RingKernels {
  keys_travel,     // one-way K/V, and two levels, both ways by heads
  queries_travel,  // one-way Q
  token_halves,    // both ways by tokens
  all_keys,        // all-gather: one kernel a rank
};

struct StepKernels {
  double attention_s = 0;
  double merge_s = 0;
  [[nodiscard]] double sum_s() const { return attention_s + merge_s; }
};

class KernelTimes {
 public:
  /// `merges`: a merge after each step's kernel but the first's.
  KernelTimes(const CostModel& costs, const Shards& shards, const Mask& mask, Pass pass, RingKernels kernels,
              bool merges);

  [[nodiscard]] const Shards& shards() const { return shards_; }
  [[nodiscard]] double total(std::int64_t rank) const { return totals_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] double mean() const;
  /// Whether steps are kept apart: not of rings of more than 256 ranks.
  [[nodiscard]] bool by_step() const { return !steps_.empty(); }
  [[nodiscard]] const StepKernels& of_step(std::int64_t rank, std::int64_t step) const {
    return steps_[static_cast<std::size_t>(step) * totals_.size() + static_cast<std::size_t>(rank)];
  }

 private:
  Shards shards_;
  std::vector<double> totals_;
  std::vector<StepKernels> steps_;  // by step, then rank
};

}  // namespace ringsim::sim
