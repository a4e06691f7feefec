#include "models/closed_form.hpp"

#include <algorithm>

namespace ringsim {

Duration forward_makespan(std::int64_t ring, std::int64_t buffers, const ForwardTimes& t) {
  if (ring == 1) return t.first;
  const auto n = static_cast<double>(ring);
  if (buffers == 2 || ring == 2) {
    return std::max(t.first, t.hop) + (n - 2) * std::max(t.middle, t.hop) + t.last;
  }
  return std::max({t.first + (n - 2) * t.middle, (n - 1) * t.hop, t.first + (n - 3) * t.hop, t.hop + (n - 2) * t.middle}) +
         t.last;
}

Duration backward_makespan(std::int64_t ring, const BackwardTimes& t) {
  if (ring == 1) return t.first;
  const auto n = static_cast<double>(ring);
  return std::max(t.first, t.first_hop) + (n - 2) * (std::max(t.middle, t.middle_hop) + t.middle_add) +
         std::max(t.last, t.last_hop) + t.last_add + t.home_hop;
}

}  // namespace ringsim
