#include "sim/recurrence/tile_passes.hpp"

#include "models/clones.hpp"

// Everything below is inlined into the one function that has clones: what is not would be compiled for the oldest machine.
#define RINGSIM_INLINED [[gnu::always_inline]] inline

namespace ringsim::sim {
namespace {

enum class Hops { none, alike, each };

RINGSIM_INLINED double larger(double a, double b) { return a > b ? a : b; }

template <Hops hops, int kernels, bool slow, bool adds, bool meets, bool keeps>
RINGSIM_INLINED void sweep(const TilePassOperands& pass, std::int64_t begin, std::int64_t end) {
  const double* __restrict posted = pass.posted;
  const double* __restrict hop_each = pass.hop_each;
  const double* __restrict other = pass.other;
  const double* __restrict from = pass.from;
  const double* __restrict slowdown = pass.slowdown;
  double* __restrict to_x = pass.x;
  double* __restrict to_c = pass.c;
  double* __restrict to_met = pass.met;
  const double hop_s = pass.hop_s;
  const double first_s = pass.first_s;
  const double second_s = pass.second_s;
#pragma GCC ivdep
  for (std::int64_t i = begin; i < end; ++i) {
    double x = 0;
    double c = 0;
    if constexpr (hops == Hops::alike) {
      x = larger(larger(posted[i - 1], posted[i]), posted[i + 1]) + hop_s;
    } else if constexpr (hops == Hops::each) {
      const double out = larger(posted[i], posted[i + 1]) + hop_each[i];
      const double in = larger(posted[i - 1], posted[i]) + hop_each[i - 1];
      x = larger(out, in);
    } else if constexpr (meets) {
      x = other[i];
    }
    if constexpr (adds) {
      c = from[i];
      if constexpr (kernels > 0) c += slow ? slowdown[i] * first_s : first_s;
      if constexpr (kernels > 1) c += slow ? slowdown[i] * second_s : second_s;
    }
    if constexpr (hops != Hops::none && (keeps || !meets)) to_x[i] = x;
    if constexpr (kernels > 0 && (keeps || !meets)) to_c[i] = c;
    if constexpr (meets) to_met[i] = larger(c, x);
  }
}

template <Hops hops, bool meets, bool keeps>
RINGSIM_INLINED void with_kernels(const TilePassOperands& pass, std::int64_t begin, std::int64_t end) {
  if (pass.kernels == 0) {
    if constexpr (meets) sweep<hops, 0, false, true, meets, keeps>(pass, begin, end);
  } else if (pass.slowdown == nullptr) {
    if (pass.kernels == 1) {
      sweep<hops, 1, false, true, meets, keeps>(pass, begin, end);
    } else {
      sweep<hops, 2, false, true, meets, keeps>(pass, begin, end);
    }
  } else if (pass.kernels == 1) {
    sweep<hops, 1, true, true, meets, keeps>(pass, begin, end);
  } else {
    sweep<hops, 2, true, true, meets, keeps>(pass, begin, end);
  }
}

template <Hops hops>
RINGSIM_INLINED void with_hops(const TilePassOperands& pass, std::int64_t begin, std::int64_t end) {
  if (pass.met == nullptr) {
    if constexpr (hops == Hops::none) {
      with_kernels<hops, false, false>(pass, begin, end);
    } else {
      sweep<hops, 0, false, false, false, false>(pass, begin, end);
    }
  } else if (pass.x == nullptr && pass.c == nullptr) {
    with_kernels<hops, true, false>(pass, begin, end);
  } else {
    with_kernels<hops, true, true>(pass, begin, end);
  }
}

}  // namespace

RINGSIM_CLONES void run_tile_pass(const TilePassOperands& pass, std::int64_t begin, std::int64_t end) {
  if (pass.posted == nullptr) {
    with_hops<Hops::none>(pass, begin, end);
  } else if (pass.hop_each == nullptr) {
    with_hops<Hops::alike>(pass, begin, end);
  } else {
    with_hops<Hops::each>(pass, begin, end);
  }
}

}  // namespace ringsim::sim
