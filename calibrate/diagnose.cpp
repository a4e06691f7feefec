#include "calibrate/diagnose.hpp"

#include "calibrate/compare/operations.hpp"
#include "calibrate/diagnose_kernels.hpp"
#include "sim/phrases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ringsim::calibrate {
namespace {

namespace phrases = sim::phrases;

// What is worth a sentence. Repeats on a quiet machine agree to about a percent, so less than that is noise.
constexpr double nothing_to_hide = 0.01;  // transfers of this share of the time cost nothing, hidden or not
constexpr double none_hidden = 0.10;     // an overlap up to here is what one after the other looks like with some noise
constexpr double beyond_the_sum = 1.05;  // above it there is time that is neither kernel nor transfer
constexpr double slower_beside = 1.05;   // kernels beside transfers: five times the noise
constexpr double slower_rank = 1.10;     // ranks on one machine differ by a few percent
constexpr double late = 0.01;            // late start, as a share of the makespan

std::string percent(double share) { return fmt::format("{:.0f} %", 100.0 * share); }

/// T, C and X of every rank.
std::vector<OverlapFigures> figures_of(const Measurement& m) {
  const auto ring = static_cast<std::size_t>(m.definition.ring);
  std::vector<OverlapFigures> ranks(ring);
  std::vector<double> first(ring, std::numeric_limits<double>::infinity());
  std::vector<double> last(ring, 0.0);
  for (const sim::Span& span : m.timeline.spans) {
    const auto r = static_cast<std::size_t>(span.rank);
    first[r] = std::min(first[r], span.start_s);
    last[r] = std::max(last[r], span.end_s);
    if (span.kind != sim::SpanKind::transfer) {
      ranks[r].kernels_s += duration_s(span);
    } else if (span.peer >= 0) {
      ranks[static_cast<std::size_t>(span.peer)].transfer_s += duration_s(span);  // incoming there
    }
  }
  for (std::size_t r = 0; r < ring; ++r) ranks[r].elapsed_s = std::max(0.0, last[r] - first[r]);
  return ranks;
}

std::string overlap_sentence(const OverlapFigures& f) {
  const std::string sum = fmt::format("Measured time is {} of computation plus transfer", percent(f.of_sum()));
  if (f.transfer_s <= nothing_to_hide * f.elapsed_s) {
    return fmt::format("Transfers take {} of the time: there is next to nothing to hide.",
                       phrases::percent(f.transfer_s / f.elapsed_s));
  }
  if (f.of_sum() > beyond_the_sum) {
    return sum + ": transfers are not overlapped, and ranks wait for more than their kernels and transfers.";
  }
  const double achieved = f.achieved().value_or(0.0);
  if (achieved <= none_hidden) return sum + ": transfers are not overlapped.";
  const bool hides_transfer = f.transfer_s <= f.kernels_s;
  const char* const what =
      hides_transfer ? "the transfer time is hidden" : "the computation runs while a hop is in flight";
  return fmt::format("{}: {} of {}.", sum, percent(achieved), what);
}

std::optional<LateStart> late_start(const Measurement& m) {
  std::vector<double> first(static_cast<std::size_t>(m.definition.ring), std::numeric_limits<double>::infinity());
  for (const sim::Span& span : m.timeline.spans) {
    double& start = first[static_cast<std::size_t>(span.rank)];
    start = std::min(start, span.start_s);
  }
  // A rank without any operation did not start late: it has nothing to do.
  double earliest = std::numeric_limits<double>::infinity();
  for (const double start : first) earliest = std::min(earliest, start);
  LateStart latest;
  for (std::size_t r = 0; r < first.size(); ++r) {
    const double after = first[r] - earliest;
    if (after < std::numeric_limits<double>::infinity() && after > latest.after_s) {
      latest = {static_cast<std::int64_t>(r), after};
    }
  }
  if (latest.after_s <= late * m.makespan_s) return std::nullopt;
  return latest;
}

double others_waiting(const Measurement& m, std::int64_t slow) {
  double sum = 0.0;
  for (const sim::RankSummary& rank : m.per_rank) sum += rank.rank == slow ? 0.0 : rank.bubble_late_s;
  return m.per_rank.size() > 1 ? sum / static_cast<double>(m.per_rank.size() - 1) : 0.0;
}

std::string slow_rank_sentence(const SlowRank& slow, const Measurement& m) {
  std::string text = fmt::format("Rank {} computes {} × as long as the others for the same work", slow.rank,
                                 phrases::number(slow.ratio));
  if (slow.others_waiting_s > late * m.makespan_s) {
    text += fmt::format("; the others wait {} ({} of the makespan) for transfers that have not started",
                        phrases::time(slow.others_waiting_s), percent(slow.others_waiting_s / m.makespan_s));
  }
  return text + ".";
}

}  // namespace

double OverlapFigures::of_longer() const { return elapsed_s / std::max(kernels_s, transfer_s); }

std::optional<double> OverlapFigures::achieved() const {
  const double shorter = std::min(kernels_s, transfer_s);
  if (!(shorter > 0.0)) return std::nullopt;
  return std::clamp((kernels_s + transfer_s - elapsed_s) / shorter, 0.0, 1.0);
}

Diagnosis diagnose(const Measurement& m) {
  Diagnosis d;
  d.ranks = m.definition.ring;
  if (m.timeline.spans.empty()) return d;
  OverlapFigures overall;
  const std::vector<OverlapFigures> ranks = figures_of(m);
  for (const OverlapFigures& rank : ranks) {
    overall.elapsed_s += rank.elapsed_s;
    overall.kernels_s += rank.kernels_s;
    overall.transfer_s += rank.transfer_s;
  }
  if (overall.transfer_s > 0.0 && overall.kernels_s > 0.0) {
    d.overall = overall;
    d.slowest = ranks[static_cast<std::size_t>(m.slowest_rank)];
    d.sentences.push_back(overlap_sentence(overall));
  }
  const ShapedKernels kernels(m);
  d.interference = kernels.beside_transfers();
  if (d.interference && d.interference->ratio > slower_beside) {
    d.sentences.push_back(
        fmt::format("Attention kernels take {} × as long while a hop is in flight: they share what they run on.",
                    phrases::number(d.interference->ratio)));
  }
  d.slow_rank = kernels.slowest_rank();
  if (d.slow_rank && d.slow_rank->ratio > slower_rank) {
    d.slow_rank->others_waiting_s = others_waiting(m, d.slow_rank->rank);
    d.sentences.push_back(slow_rank_sentence(*d.slow_rank, m));
  } else {
    d.slow_rank.reset();
  }
  d.late_start = late_start(m);
  if (d.late_start) {
    d.sentences.push_back(fmt::format("Rank {} starts {} after the first ({} of the makespan).", d.late_start->rank,
                                      phrases::time(d.late_start->after_s),
                                      percent(d.late_start->after_s / m.makespan_s)));
  }
  return d;
}

}  // namespace ringsim::calibrate
