#include "kernels/gpu/piece.hpp"

#include "kernels/host/visibility.hpp"
#include "models/error.hpp"

#include <optional>

namespace ringsim::cuda {

Piece piece_of(const Mask& mask, const host::Positions& queries, const host::Positions& keys) {
  const auto visible = [&](std::int64_t row) {
    return host::visible_keys(mask, queries[static_cast<std::size_t>(row)], keys);
  };
  const auto rows = static_cast<std::int64_t>(queries.size());
  std::int64_t first = 0;
  std::int64_t last = rows;
  while (first < last && visible(first).empty()) ++first;
  while (last > first && visible(last - 1).empty()) --last;
  if (first == last) return {};

  const host::KeyRange begin = visible(first);
  bool all_alike = true;              // a rectangle
  bool one_more = begin.size() == 1;  // each row sees one key more than the one before it: a triangle
  for (std::int64_t row = first; row < last; ++row) {
    const host::KeyRange range = visible(row);
    all_alike = all_alike && range.first == begin.first && range.last == begin.last;
    one_more = one_more && range.first == begin.first && range.size() == row - first + 1;
  }
  if (!all_alike && !one_more) {
    throw Error(
        "the kernels on a GPU compute rectangles and triangles of a pair of blocks, not what this mask leaves of it",
        "workload", "causal or full attention without windows, of blocks of the same size");
  }
  const std::int64_t keys_seen = all_alike ? begin.size() : last - first;
  return {first, last - first, begin.first, keys_seen, !all_alike};
}

}  // namespace ringsim::cuda
