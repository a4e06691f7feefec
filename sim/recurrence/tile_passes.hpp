#pragma once
// One pass over the ranks of a tile: as much of a step as follows from each other without another pass between.
//
//   x_r = max(max(p_r, p_{r+1}) + t_r, max(p_{r-1}, p_r) + t_{r-1})     the hops of a shift that was posted at p; or a given x_r
//   c_r = f_r + s_r · w [+ s_r · v]                                     one or two kernels after f; or a given c_r
//   m_r = max(c_r, x_r)                                                 they meet
//
// Additions are done in the order of the operations, one by one, so results are the same to the bit as those of a pass an operation.

#include <cstdint>

namespace ringsim::sim {

/// Arrays by position; an absent one is null. `posted` and `hop_each` are read at -1 too, and `posted` at n.
struct TilePassOperands {
  // x
  const double* posted = nullptr;    // null: x is `other`
  const double* hop_each = nullptr;  // [s] by sender; null: all take hop_s
  double hop_s = 0;
  const double* other = nullptr;
  // c
  const double* from = nullptr;  // null: there is no c, and nothing meets
  int kernels = 0;
  const double* slowdown = nullptr;  // null: 1 everywhere
  double first_s = 0;
  double second_s = 0;
  // What is written, null: nobody needs it. None is an array that is read.
  double* x = nullptr;
  double* c = nullptr;
  double* met = nullptr;
};

/// For positions [begin, end).
void run_tile_pass(const TilePassOperands& pass, std::int64_t begin, std::int64_t end);

}  // namespace ringsim::sim
