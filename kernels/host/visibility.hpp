#pragma once
// Which keys of a tile the queries of a tile see. Positions ascend, so that the keys that a query sees are a range, and
// the extremes of two tiles tell whether the mask lets all of the pairs through, or none.

#include "kernels/host/tensors.hpp"
#include "models/mask.hpp"

#include <span>

namespace ringsim::host {

/// Keys [first, last) of a tile.
struct KeyRange {
  Eigen::Index first = 0;
  Eigen::Index last = 0;
  [[nodiscard]] bool empty() const { return last <= first; }
  [[nodiscard]] Eigen::Index size() const { return last - first; }
};

enum class Coverage {
  none,  // the mask lets no pair through
  part,  // it may let some through
  whole  // it lets all through
};

/// Of two tiles that are not empty, positions ascending. `part` is also said of tiles with gaps where nothing is seen.
[[nodiscard]] Coverage coverage(const Mask& mask, std::span<const std::int64_t> queries,
                                std::span<const std::int64_t> keys);

/// The keys that a query sees, exactly.
[[nodiscard]] KeyRange visible_keys(const Mask& mask, std::int64_t query, std::span<const std::int64_t> keys);

}  // namespace ringsim::host
