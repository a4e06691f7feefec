#pragma once
// How long to go on measuring, and which samples to throw away.
//
// A sample is thrown away only for a cause that was seen, never for its value: a median and its order statistics need no
// removal of outliers, and a slow sample without a cause is part of what is measured.
//   preempted   the thread was off its core: the sample's CPU time falls short of its wall time; where there is no CPU
//               time to compare (a thread that sleeps while it waits), an involuntary context switch
//   throttled   fixed reference work around the sample took clearly more CPU time than its best: a lower clock, or a core
//               that a neighbour outside shares

#include "calibrate/points.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::calibrate {

struct SamplingRule {
  std::int64_t warmup = 2;    // first samples that never count
  std::int64_t minimum = 10;  // samples that count before the target is looked at
  std::int64_t maximum = 200;
  double target = 0.02;          // half width of the median's 95 % interval / median
  double budget_s = 1;           // wall time, warm-up included; the sample in which it ends is the last
  double most_lost = 0.03;       // part of the wall time that a thread may have been off its core
  double most_throttled = 0.10;  // how much longer than at best the reference work may take
};

/// One sample as seen by the slowest rank, and the worst disturbance of any.
struct RawSample {
  double wall_s = 0;                      // of one operation
  std::optional<double> cpu_share;        // CPU time / wall time of the thread, least over the ranks
  std::int64_t involuntary_switches = 0;  // most over the ranks
  double reference_ratio = 1;             // reference work around it / the same rank's best so far, most over the ranks
  double elapsed_s = 0;                   // since the benchmark began, when the sample ended
};

/// Takes samples one at a time and says when they suffice. Ranks that are shown the same samples come to the same
/// decisions.
class Sampling {
 public:
  explicit Sampling(SamplingRule rule) : rule_(rule) {}

  void add(const RawSample& sample);
  [[nodiscard]] bool finished() const { return finished_; }

  /// Of one operation [s], in the order taken. Where nearly all are disturbed (fewer than 6 are not, too few for an
  /// interval of 95 %), the disturbed ones count as well, and the note says so.
  [[nodiscard]] std::vector<double> counted() const;
  [[nodiscard]] std::map<std::string, std::int64_t> discarded() const;
  /// Throws Error while there is no sample beyond the warm-up.
  [[nodiscard]] Timing timing() const;
  /// More than half of the samples were disturbed.
  [[nodiscard]] bool mostly_disturbed() const { return 2 * (all_s_.size() - kept_s_.size()) > all_s_.size(); }
  /// What a reader must know about these samples; empty: nothing.
  [[nodiscard]] std::string note() const;

 private:
  [[nodiscard]] const char* reason_to_discard(const RawSample& sample) const;  // null: none
  [[nodiscard]] bool too_few() const;

  SamplingRule rule_;
  std::int64_t seen_ = 0;
  bool finished_ = false;
  bool reached_ = false;  // the target
  std::vector<double> all_s_;
  std::vector<double> kept_s_;
  std::map<std::string, std::int64_t> reasons_;
};

/// One sample of several things that went on at once: the time of each [s], and what disturbed them all (`wall_s` of it is not looked at).
struct PartsSample {
  std::vector<double> times_s;
  RawSample common;
};

/// Takes samples until each of the `parts` has enough of them.
[[nodiscard]] std::vector<Sampling> sample_until_finished(const SamplingRule& rule, std::size_t parts,
                                                          const std::function<PartsSample()>& take);

}  // namespace ringsim::calibrate
