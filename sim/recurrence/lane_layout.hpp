#pragma once
// Several lanes side by side in one vector: lane after lane, its ranks in order, and a guard value on either side of each, so
// that a shift by one rank stays a view of the whole vector (registers.hpp).
//
//   guards | lane 0: rank 0 ... n - 1 | guard guard | lane 1: rank 0 ... n - 1 | ... | guards
//
// What goes rank by rank may run from the first rank of the first lane to the last of the last, the `extent`, guards and all:
// they hold finite numbers that nobody looks at until a ring is closed over them.

#include <cstdint>

namespace ringsim::sim {

class LaneLayout {
 public:
  LaneLayout(std::int64_t ranks, std::int64_t lanes) : ranks_(ranks), lanes_(lanes) {}
  [[nodiscard]] std::int64_t ranks() const { return ranks_; }
  [[nodiscard]] std::int64_t lanes() const { return lanes_; }
  /// Position of a lane's rank 0.
  [[nodiscard]] std::int64_t first(std::int64_t lane) const { return lane * (ranks_ + 2); }
  [[nodiscard]] std::int64_t extent() const { return first(lanes_ - 1) + ranks_; }

  /// Calls visit(position, count, segment) for every run of positions that belongs to one of the segments of ranks, which cover
  /// all ranks: a single segment is one run through all lanes.
  template <class Segments, class Visit>
  void for_each_run(const Segments& segments, const Visit& visit) const {
    if (segments.size() == 1) {
      visit(std::int64_t{0}, extent(), segments.front());
      return;
    }
    for (std::int64_t lane = 0; lane < lanes_; ++lane) {
      for (const auto& s : segments) visit(first(lane) + s.begin, s.end - s.begin, s);
    }
  }

 private:
  std::int64_t ranks_;
  std::int64_t lanes_;
};

}  // namespace ringsim::sim
