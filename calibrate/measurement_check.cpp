#include "calibrate/measurement_check.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <tuple>

namespace ringsim::calibrate {
namespace {

constexpr double rounding = 1e-9;  // of the makespan: what sums of spans may miss it by

class Checker {
 public:
  Checker(const Measurement& m, const std::string& file) : m_(m), file_(file) {}

  void all() const {
    if (m_.timeline.spans.empty() && m_.totals.empty()) {
      throw Error("nothing was measured: there are neither spans nor totals", at("spans"),
                  "a run in which every rank computes");
    }
    repeats();
    ranks();
    for (std::size_t i = 0; i < m_.timeline.spans.size(); ++i) span(i);
    twice();
  }

 private:
  [[nodiscard]] std::string at(const std::string& pointer) const { return file_ + ": /" + pointer; }
  [[nodiscard]] std::string at_span(std::size_t index, const char* key) const {
    return at(fmt::format("spans/{}/{}", index, key));
  }

  void repeats() const {
    if (m_.makespans_s.empty()) {
      if (m_.makespan_s != 0.0) throw Error("a makespan without repeats", at("makespans_s"), "one a repeat");
      return;
    }
    const auto count = static_cast<std::int64_t>(m_.makespans_s.size());
    if (m_.chosen < 0 || m_.chosen >= count) {
      throw Error(fmt::format("repeat {} of {}", m_.chosen, count), at("chosen"), fmt::format("0 to {}", count - 1));
    }
    const double chosen = m_.makespans_s[static_cast<std::size_t>(m_.chosen)];
    if (chosen != m_.makespan_s) {
      throw Error(fmt::format("{} s is not the makespan of repeat {}, {} s", m_.makespan_s, m_.chosen, chosen),
                  at("makespan_s"));
    }
    if (!(m_.makespan_s > 0.0)) throw Error("a run that took no time", at("makespan_s"), "above 0");
    if (m_.median_low_s > m_.median_high_s) {
      throw Error(fmt::format("an interval from {} s to {} s", m_.median_low_s, m_.median_high_s), at("median_low_s"),
                  "the lower end first");
    }
  }

  void ranks() const {
    const std::int64_t ring = m_.definition.ring;
    if (m_.slowest_rank < 0 || m_.slowest_rank >= ring) {
      throw Error(fmt::format("rank {} of a ring of {}", m_.slowest_rank, ring), at("slowest_rank"),
                  fmt::format("0 to {}", ring - 1));
    }
    if (m_.per_rank.empty()) return;
    if (static_cast<std::int64_t>(m_.per_rank.size()) != ring) {
      throw Error(fmt::format("{} ranks of a ring of {}", m_.per_rank.size(), ring), at("per_rank"),
                  "one entry a rank, or none");
    }
    for (std::size_t r = 0; r < m_.per_rank.size(); ++r) {
      const sim::RankSummary& rank = m_.per_rank[r];
      if (rank.rank != static_cast<std::int64_t>(r)) {
        throw Error(fmt::format("rank {} in the place of rank {}", rank.rank, r),
                    at(fmt::format("per_rank/{}/rank", r)), "ranks in ascending order");
      }
      const double sum = rank.compute_s + rank.exposed_communication_s + rank.bubble_s;
      if (std::abs(sum - m_.makespan_s) > rounding * m_.makespan_s) {
        throw Error(fmt::format("compute, exposed communication and bubble add up to {} s", sum),
                    at(fmt::format("per_rank/{}", r)), fmt::format("the makespan, {} s", m_.makespan_s));
      }
    }
  }

  void span(std::size_t index) const {
    const sim::Span& span = m_.timeline.spans[index];
    const std::int64_t ring = m_.definition.ring;
    if (span.rank < 0 || span.rank >= ring) {
      throw Error(fmt::format("rank {} of a ring of {}", span.rank, ring), at_span(index, "rank"),
                  fmt::format("0 to {}", ring - 1));
    }
    if (span.layer < -1 || span.layer >= m_.definition.layers) {
      throw Error(fmt::format("layer {} of {}", span.layer, m_.definition.layers), at_span(index, "layer"),
                  fmt::format("0 to {}, or -1 where it is not known", m_.definition.layers - 1));
    }
    // Step `ring` brings a travelling gradient home.
    if (span.step < -1 || span.step > ring) {
      throw Error(fmt::format("step {} of a ring of {}", span.step, ring), at_span(index, "step"),
                  fmt::format("0 to {}, or -1 where it is not known", ring));
    }
    interval(index, span.start_s, span.end_s, "end_s");
    if (span.kind != sim::SpanKind::transfer) return;
    if (span.peer < -1 || span.peer >= ring) {
      throw Error(fmt::format("a transfer to rank {} of a ring of {}", span.peer, ring), at_span(index, "peer"),
                  fmt::format("0 to {}, or -1 where it is not known", ring - 1));
    }
    interval(index, span.flight_start_s, span.flight_end_s, "flight_end_s");
  }

  void interval(std::size_t index, double start, double end, const char* key) const {
    if (end < start) {
      throw Error(fmt::format("it ends at {} s, before it starts at {} s", end, start), at_span(index, key),
                  "an end that is not before the start");
    }
    if (start < 0.0 || end > m_.makespan_s * (1.0 + rounding)) {
      throw Error(fmt::format("from {} s to {} s is outside of the run", start, end), at_span(index, key),
                  fmt::format("0 s to the makespan, {} s", m_.makespan_s));
    }
  }

  // A forward and a backward pass may name a hop alike; at the same time they are one operation listed twice.
  void twice() const {
    using Key = std::tuple<std::int64_t, std::string, std::int64_t, std::int64_t, double>;
    std::map<Key, std::size_t> seen;
    for (std::size_t i = 0; i < m_.timeline.spans.size(); ++i) {
      const sim::Span& span = m_.timeline.spans[i];
      if (span.layer < 0 || span.step < 0) continue;
      const auto [first, is_new] = seen.try_emplace({span.rank, span.name, span.layer, span.step, span.start_s}, i);
      if (!is_new) {
        throw Error(fmt::format("\"{}\" of rank {}, layer {}, step {} at {} s is span {} already", span.name, span.rank,
                                span.layer, span.step, span.start_s, first->second),
                    at(fmt::format("spans/{}", i)), "every operation once");
      }
    }
  }

  const Measurement& m_;
  const std::string& file_;
};

}  // namespace

void check(const Measurement& measurement, const std::string& file) { Checker(measurement, file).all(); }

}  // namespace ringsim::calibrate
