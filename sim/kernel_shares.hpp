#pragma once
// How the kernels of a ring and the hops beside them share a rank, where they do.

#include "models/cost.hpp"
#include "models/layout.hpp"
#include "models/rate_shares.hpp"

#include <optional>

namespace ringsim::sim {

/// Of the machine's `sharing`, for attention over blocks of these shards: a kernel that leaves SMs free is to a transfer like any
/// other kernel. All shares are 1 where nothing is shared.
[[nodiscard]] inline KernelShares kernel_shares(const Shards& shards, const CostModel& costs,
                                                const std::optional<KernelShares>& sharing) {
  KernelShares shares = sharing.value_or(KernelShares{});
  const auto rows = static_cast<double>(shards.largest_block());
  const auto columns = static_cast<double>(shards.largest_keys());
  const AttendShape block{rows, columns, rows * columns};
  if (!costs.fills(Pass::forward, block)) shares.forward = shares.other;
  if (!costs.fills(Pass::backward, block)) shares.backward = shares.other;
  return shares;
}

}  // namespace ringsim::sim
