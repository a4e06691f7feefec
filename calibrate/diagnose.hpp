#pragma once
// What a measured run says about itself: whether transfers really ran beside the computation, what they did to each other,
// and who was late.
//
//   T  from a rank's first operation to its last [s]         C  its kernels [s]         X  its incoming hops in flight [s]
//   T / (C + X)       about 1: one after the other            T / max(C, X)    about 1: as good as overlap gets
//   overlap achieved = (C + X − T) / min(C, X), cut to 0..1   share of the shorter of the two that the longer one hides

#include "calibrate/measurement.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::calibrate {

/// T, C and X of a rank, or summed over ranks [s].
struct OverlapFigures {
  double elapsed_s = 0;   // T
  double kernels_s = 0;   // C
  double transfer_s = 0;  // X

  [[nodiscard]] double of_sum() const { return elapsed_s / (kernels_s + transfer_s); }
  /// T / max(C, X).
  [[nodiscard]] double of_longer() const;
  /// Absent where one of the two takes no time: there is nothing to hide.
  [[nodiscard]] std::optional<double> achieved() const;
};

/// Attention kernels of the same shape with a hop in flight at their rank, and without.
struct KernelsBesideTransfers {
  double ratio = 1.0;  // time beside a hop / time alone, summed over shapes that have both, by their medians
  std::int64_t beside = 0;
  std::int64_t alone = 0;
};

/// A rank whose kernels take longer than those of the others for the same work.
struct SlowRank {
  std::int64_t rank = 0;
  double ratio = 1.0;           // its time / the others' time
  double others_waiting_s = 0;  // mean over the others: waiting for transfers that had not started
};

struct LateStart {
  std::int64_t rank = 0;
  double after_s = 0;  // after the first rank
};

struct Diagnosis {
  std::int64_t ranks = 0;
  std::optional<OverlapFigures> slowest;               // absent: nothing travels, or there are no spans
  std::optional<OverlapFigures> overall;               // summed over ranks
  std::optional<KernelsBesideTransfers> interference;  // absent: the run does not hold enough kernels of both kinds
  std::optional<SlowRank> slow_rank;
  std::optional<LateStart> late_start;
  std::vector<std::string> sentences;  // for people, most important first
};

/// Diagnoses the spans of a measurement. An import without spans has nothing to say and gets no sentence.
[[nodiscard]] Diagnosis diagnose(const Measurement& measurement);

}  // namespace ringsim::calibrate
