#include "models/largest_context.hpp"

#include "models/legality.hpp"
#include "models/memory.hpp"

#include <algorithm>

namespace ringsim {

std::optional<std::int64_t> largest_context(const Scenario& scenario) {
  Scenario s = scenario;
  const std::int64_t unit = sequence_unit(s).tokens;
  const std::int64_t shortest = (s.parallel.ring + unit - 1) / unit;  // at least one token a rank
  const auto fits = [&](std::int64_t units) {
    s.workload.tokens = units * unit;
    const Memory memory = memory_of_rank(s);
    return memory.missing.empty() && memory.fits();
  };
  constexpr std::int64_t limit = std::int64_t{1} << 31;  // of models/layout.hpp
  if (!fits(shortest)) return std::nullopt;
  std::int64_t low = shortest;
  std::int64_t high = limit / unit + 1;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low * unit;
}

}  // namespace ringsim
