#pragma once
// One-sided derivatives of the end of a run to parameters of its durations, exact where several paths are equally long.
//
// Let the durations move as d_i + ε·g_i. The end is the longest of all paths, so for small ε > 0 it moves by
//
//   ε · max over critical paths of Σ g_i         and for -ε by         -ε · min over critical paths of Σ g_i
//
// the one-sided derivatives (Danskin's theorem for a maximum of finitely many linear functions). Both follow for all parameters in one walk back
// over the tape, from how much of g is still to come on the way from a value to the end.

#include "sim/recurrence/tape.hpp"

#include <Eigen/Core>

#include <functional>
#include <memory>
#include <vector>

namespace ringsim::sim {

/// Of one rank's value: for every parameter the largest and the least sum of g from there to the end, over critical paths.
/// A column a rank; ranks that no critical path passes are not `reached`.
struct StillToCome {
  Eigen::ArrayXXd most;
  Eigen::ArrayXXd least;
  std::vector<char> reached;

  StillToCome(Eigen::Index parameters, Eigen::Index ranks)
      : most(Eigen::ArrayXXd::Zero(parameters, ranks)),
        least(Eigen::ArrayXXd::Zero(parameters, ranks)),
        reached(static_cast<std::size_t>(ranks), 0) {}
  void take(Eigen::Index rank, const Eigen::ArrayXXd& of_most, const Eigen::ArrayXXd& of_least, Eigen::Index from);
};

/// Adds g of an entry, a row a parameter and a column a rank, to what is still to come. Asked only for work, hops, issues and joins
/// that some critical path passes.
using Gradients = std::function<void(const TapeEntry& entry, StillToCome& to)>;

/// What is to come at the ready entries of the tape (Tape::starts, in their order; null: no critical path begins there), from what is to come
/// at the ends of its roles (null: none). The tape must have no `beside`.
[[nodiscard]] std::vector<std::unique_ptr<StillToCome>> walk_back_all(const Tape& tape, const Program& program,
                                                                      std::vector<std::unique_ptr<StillToCome>> ends,
                                                                      const Gradients& add_gradients);

}  // namespace ringsim::sim
