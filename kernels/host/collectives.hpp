#pragma once
// The collectives of a scheme among ranks of one process.

#include "kernels/host/rank.hpp"

namespace ringsim::host {

/// Content::keys, key_gradients and returned, among the ranks of a ring in their order.
template <class T>
void exchange_in_ring(const RingPlan& plan, sim::Content content, const std::vector<Rank<T>*>& ring,
                      std::int64_t layer);

}  // namespace ringsim::host
