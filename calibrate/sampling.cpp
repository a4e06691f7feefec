#include "calibrate/sampling.hpp"

#include "calibrate/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::calibrate {
namespace {

constexpr std::size_t fewest_for_interval = 6;  // 1 − 2·½⁶ = 96.9 %; five reach 93.8 %

}  // namespace

const char* Sampling::reason_to_discard(const RawSample& sample) const {
  const bool preempted = sample.cpu_share ? *sample.cpu_share < 1.0 - rule_.most_lost : sample.involuntary_switches > 0;
  if (preempted) return "preempted";
  return sample.reference_ratio > 1.0 + rule_.most_throttled ? "throttled" : nullptr;
}

bool Sampling::too_few() const { return kept_s_.size() < fewest_for_interval && kept_s_.size() < all_s_.size(); }

void Sampling::add(const RawSample& sample) {
  const bool time_is_up = sample.elapsed_s >= rule_.budget_s;
  // Of a benchmark so long that its warm-up uses up the time, the last warm-up is the sample.
  if (seen_++ < rule_.warmup && !time_is_up) return;
  all_s_.push_back(sample.wall_s);
  if (const char* reason = reason_to_discard(sample)) {
    ++reasons_[reason];
  } else {
    kept_s_.push_back(sample.wall_s);
    if (static_cast<std::int64_t>(kept_s_.size()) >= rule_.minimum) {
      const MedianInterval interval = median_interval(kept_s_);
      reached_ = interval.reaches_95() && (interval.high - interval.low) / 2 <= rule_.target * interval.median;
    }
  }
  finished_ = reached_ || time_is_up || static_cast<std::int64_t>(all_s_.size()) >= rule_.maximum;
}

std::vector<double> Sampling::counted() const { return too_few() ? all_s_ : kept_s_; }

std::map<std::string, std::int64_t> Sampling::discarded() const {
  return too_few() ? std::map<std::string, std::int64_t>{} : reasons_;
}

Timing Sampling::timing() const {
  const std::vector<double> samples = counted();
  const MedianInterval interval = median_interval(samples);
  return {interval.median, interval.low, interval.high, static_cast<std::int64_t>(samples.size())};
}

std::string Sampling::note() const {
  const std::size_t disturbed = all_s_.size() - kept_s_.size();
  std::string causes;
  for (const auto& [reason, count] : reasons_) {
    causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", count, reason);
  }
  if (too_few()) {
    return fmt::format("{} of {} samples were disturbed ({}): too few are left, so all count", disturbed, all_s_.size(),
                       causes);
  }
  if (mostly_disturbed()) {
    return fmt::format("more than half of the samples were thrown away: {} of {} ({})", disturbed, all_s_.size(),
                       causes);
  }
  if (kept_s_.size() < fewest_for_interval) {
    return fmt::format("only {} samples in the time there was: too few for a 95 % interval of the median",
                       kept_s_.size());
  }
  if (!reached_) {
    const MedianInterval interval = median_interval(kept_s_);
    return fmt::format("the median is known to ±{:.1f} % only", 50 * (interval.high - interval.low) / interval.median);
  }
  return {};
}

std::vector<Sampling> sample_until_finished(const SamplingRule& rule, std::size_t parts,
                                            const std::function<PartsSample()>& take) {
  std::vector<Sampling> samplings(parts, Sampling(rule));
  const auto finished = [&] {
    return std::all_of(samplings.begin(), samplings.end(), [](const Sampling& s) { return s.finished(); });
  };
  while (!finished()) {
    PartsSample sample = take();
    for (std::size_t part = 0; part < parts; ++part) {
      sample.common.wall_s = sample.times_s.at(part);
      samplings[part].add(sample.common);
    }
  }
  return samplings;
}

}  // namespace ringsim::calibrate
