#pragma once
// Sums that observers keep over a run with jumps: what has been added since a mark is added so many times more.
//
// What a cycle adds may be 1e-8 of all that has been added before. So it is not found as a difference of two large sums, which would
// lose as many digits: sums are kept apart by the marks that stand before them, and added up at the end.
//
//   bank 0 | mark of level 0 | bank 1 | mark of level 1 | bank 2 | ... | now

#include <Eigen/Core>

#include <cstddef>
#include <span>
#include <vector>

namespace ringsim::sim {

class MarkedSums {
 public:
  /// All of an observer's sums as they are now, always in the same order; new ones come at the end.
  using Now = std::span<Eigen::ArrayXd* const>;

  /// Forgets the mark that the level had, and those of higher ones. The sums begin anew.
  void mark(std::size_t level, Now now);
  /// What was added since the level's mark is added `times` times more.
  void jump(std::size_t level, double times, Now now);
  /// All of sum number `i`, which is `now` since the last mark.
  [[nodiscard]] Eigen::ArrayXd total(std::size_t i, const Eigen::ArrayXd& now) const;

 private:
  std::vector<std::vector<Eigen::ArrayXd>> banks_;  // by number of marks before them, then by sum
};

}  // namespace ringsim::sim
