#include "kernels/host/visibility.hpp"

#include <algorithm>

namespace ringsim::host {

Coverage coverage(const Mask& mask, std::span<const std::int64_t> queries, std::span<const std::int64_t> keys) {
  // How far keys lie behind queries, at most and at least.
  const std::int64_t furthest = queries.back() - keys.front();
  const std::int64_t nearest = queries.front() - keys.back();
  bool none = false;
  bool whole = true;
  if (mask.causal) {
    none = furthest < 0;
    whole = nearest >= 0;
  }
  if (mask.window) {
    none = none || nearest >= *mask.window || -furthest >= *mask.window;
    whole = whole && furthest < *mask.window && -nearest < *mask.window;
  }
  return none ? Coverage::none : whole ? Coverage::whole : Coverage::part;
}

KeyRange visible_keys(const Mask& mask, std::int64_t query, std::span<const std::int64_t> keys) {
  auto first = keys.begin();
  auto last = keys.end();
  if (mask.window) first = std::lower_bound(first, last, query - *mask.window + 1);
  if (mask.causal) {
    last = std::upper_bound(first, last, query);
  } else if (mask.window) {
    last = std::lower_bound(first, last, query + *mask.window);
  }
  return {first - keys.begin(), last - keys.begin()};
}

}  // namespace ringsim::host
