#pragma once
// Interference (models/rate_shares.hpp): while a kernel of rank r runs and the hop from rank r - 1 is in flight, the kernel
// makes φ and the hop ψ of their full speed; apart from each other both run at full speed. Exact for these rates.
//
// A kernel that starts at s and alone would end at e, beside a hop that starts at h and, no further kernel coming, would end
// at x, both run from  b = max(s, h)  until the first of them ends. At full speed the hop has x - b left and the kernel e - b,
// so that they are together for
//
//   o = max(0, min((x - b) / ψ, (e - b) / φ))          then   e' = e + (1 - φ) · o     x' = x + (1 - ψ) · o
//
// Where the first term is the smaller, the hop ends at b + o = x' and the rest of the kernel runs at full speed; where the
// second is, the kernel ends at b + o = e' and x' is the hop's end unless the next kernel, which starts at e' or later, moves
// it again. So the kernels of a stream may be taken one after the other, each as it is issued, and a hop's end stands as soon
// as something waits for it: what comes after the wait starts no earlier. A rank's kernels meet its incoming hop only, which
// is why the ranks stay independent of each other and o is computed for all of them at once.
//
// With two buffers every kernel issued before a hop has ended when the hop is posted. With three the hop of step k may start
// while step k - 1 still computes, in kernels whose ends are known already: open_operations.hpp sets them right.

#include "models/rate_shares.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cstdint>

namespace ringsim::sim {

/// The hops of one grouped send-receive while kernels run beside them. All times in seconds, by position of the receiving rank.
class SharedFlight {
 public:
  explicit SharedFlight(std::int64_t positions) : start_(positions), end_(positions) {}

  /// The hops of rank r - 1 start at `start[r]` and alone end at `end[r]`.
  template <class Start, class End>
  void begin(const Start& start, const End& end) {
    start_ = start;
    end_ = end;
  }

  /// A kernel from `start[r]` to `end[r]` (alone) on every rank, which leaves the hop and keeps `shares`: moves its ends, and those
  /// of the hops beside it.
  void meet(RateShares shares, const double* start, double* end) {
    for (Eigen::Index r = 0; r < start_.size(); ++r) {
      const double both = std::max(start[r], start_[r]);
      const double o = shares.together_s(end[r] - both, end_[r] - both);
      end[r] += (1.0 - shares.compute) * o;
      end_[r] += (1.0 - shares.transfer) * o;
    }
  }

  /// All times are told from a moment that is later by so much.
  void rebase(double seconds) {
    start_ -= seconds;
    end_ -= seconds;
  }

  [[nodiscard]] const Eigen::ArrayXd& start() const { return start_; }
  [[nodiscard]] const Eigen::ArrayXd& end() const { return end_; }

 private:
  Eigen::ArrayXd start_;
  Eigen::ArrayXd end_;
};

}  // namespace ringsim::sim
