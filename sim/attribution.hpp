#pragma once
// How much of a difference f(all) - f(none) each of n changes brings, where f is known for every mix of them.
//
// Up to `most_in_every_order` changes: the Shapley value, the mean over all orders in which the changes can be made of what a
// change brings when its turn comes (L. S. Shapley, "A value for n-person games", 1953):
//
//   v_i = sum over sets S without i of |S|! (n - |S| - 1)! / n! (f(S + i) - f(S))
//
// More: the mean of two walks, from none to all and from all to none, both making the changes in one order, the given one as far as
// all mixes on the way exist:
//
//   v_i = (f(1..i) - f(1..i-1) + f(i..n) - f(i+1..n)) / 2
//
// Either sums to the difference; what rounding leaves is settled in the largest values. `least` and `most` say between what the
// contribution lies over the orders looked at: how far changes depend on each other.
//
// A mix may not exist (degrees that do not go together). Changes that no legal mix separates are joined, and count as one.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ringsim::sim {

/// Bit i: change i is made.
using Mix = std::uint64_t;

/// Changes that are made together.
struct JoinedChanges {
  std::vector<std::size_t> changes;  // ascending
  std::string why;                   // the first mix that does not exist without; empty for a single change
};

struct Contribution {
  JoinedChanges of;
  double value = 0;
  double least = 0, most = 0;
};

struct Attribution {
  double from = 0, to = 0;
  bool every_order = true;          // else two walks
  std::vector<Contribution> parts;  // in the order of the walk; values sum to `to - from`
};

inline constexpr std::size_t most_in_every_order = 6;

/// Joins changes until all mixes that the attribution looks at exist. `obstacle` says why a mix does not exist, and nothing where
/// it does; that of no and of all changes is not asked for. At most 63 changes.
[[nodiscard]] std::vector<JoinedChanges> joined_changes(std::size_t changes,
                                                        const std::function<std::string(Mix)>& obstacle,
                                                        std::size_t in_every_order = most_in_every_order);

/// `value` is asked once for every mix, and only for those that `parts` allow.
[[nodiscard]] Attribution attribute(const std::vector<JoinedChanges>& parts, const std::function<double(Mix)>& value,
                                    std::size_t in_every_order = most_in_every_order);

}  // namespace ringsim::sim
