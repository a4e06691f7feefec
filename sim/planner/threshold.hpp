#pragma once
// Where a condition along one quantity begins to hold, without taking for granted that it holds from there on.
//
// The condition is tried at all points of a grid. Where it changes once, the change is found by bisection between its two points;
// where it changes more often, the last change is taken, after which every point of the grid holds, and `monotone` is false. What
// lies between the points of the grid was not looked at, but for the bisected interval.

#include "sim/parallel_for.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace ringsim::sim {

struct Threshold {
  std::optional<std::size_t>
      first_holding;        // index of the grid from which on all points hold; none: the last one does not
  bool monotone = true;     // no point before it holds
  std::vector<char> holds;  // by point of the grid
};

/// `condition(i)` for every point, by several threads.
template <class Condition>
Threshold find_threshold(std::size_t points, std::size_t threads, const Condition& condition) {
  Threshold found;
  found.holds.assign(points, 0);
  parallel_for(points, threads, [&](std::size_t i) { found.holds[i] = condition(i) ? 1 : 0; });
  if (points == 0 || found.holds.back() == 0) {
    for (const char one : found.holds) found.monotone = found.monotone && one == 0;
    return found;
  }
  std::size_t first = points - 1;
  while (first > 0 && found.holds[first - 1] != 0) --first;
  found.first_holding = first;
  for (std::size_t i = 0; i < first; ++i) found.monotone = found.monotone && found.holds[i] == 0;
  return found;
}

}  // namespace ringsim::sim
