#pragma once
// All ranks of a ring on one GPU, one operation after the other: shows that the numbers are right (merging, halves of zigzag blocks, the
// ways of dK and dV), and says nothing about time.

#include "kernels/cuda/executor/rank.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace ringsim::cuda {

struct Check {
  std::uint64_t seed = 0;     // of the inputs
  host::OrderChoice order{};  // in which operations that nothing orders are executed
};

/// max |error| / max |reference| of "O", "LSE" and, after a backward pass, "dQ", "dK", "dV" against plain attention of the whole sequence in
/// double precision, with the same inputs rounded to bf16. Throws Error beyond 8192 tokens.
[[nodiscard]] std::map<std::string, double> check_in_sequence(const host::RingPlan& plan, AttentionKernels& kernels,
                                                              MergingKernel* merging, const Check& how);

}  // namespace ringsim::cuda
