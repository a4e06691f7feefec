#pragma once
// Runs written down by hand: two ranks, two layers, 1,024 tokens without a mask, so that all kernels do the same work.
//
//   a layer:  compute  | attend 0 | attend 1 | merge O 1 |
//             transfer | shift K/V 0 |                          the second kernel waits for it
//
// Both ranks do the same at the same time. With attend a, hop h, merge m a layer takes max(a, h) + a + m, of which
// max(0, h − a) is exposed communication.

#include "calibrate/measurement.hpp"

#include <algorithm>
#include <string>

namespace ringsim::calibrate::sample {

struct Times {
  double attend_s = 4;
  double hop_s = 3;
  double merge_s = 1;
  double layer_s() const { return std::max(attend_s, hop_s) + attend_s + merge_s; }
  double exposed_s() const { return std::max(0.0, hop_s - attend_s); }
};

inline constexpr std::int64_t layers = 2;
inline constexpr std::int64_t ranks = 2;

inline sim::Span span(std::int64_t rank, sim::SpanKind kind, std::string name, std::int64_t layer, std::int64_t step,
                      double start_s, double end_s) {
  sim::Span s;
  s.rank = rank;
  s.kind = kind;
  s.name = std::move(name);
  s.layer = layer;
  s.step = step;
  s.start_s = start_s;
  s.end_s = end_s;
  return s;
}

inline sim::Span shift(std::int64_t rank, std::int64_t layer, std::int64_t step, double start_s, double end_s) {
  sim::Span s = span(rank, sim::SpanKind::transfer, "shift K/V", layer, step, start_s, end_s);
  s.peer = (rank + 1) % ranks;
  s.bytes = 1024;
  s.flight_start_s = start_s;
  s.flight_end_s = end_s;
  return s;
}

inline sim::Timeline timeline(const Times& t) {
  sim::Timeline line;
  line.ranks = line.ranks_shown = ranks;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    const double begin = static_cast<double>(layer) * t.layer_s();
    const double second = begin + std::max(t.attend_s, t.hop_s);
    for (std::int64_t r = 0; r < ranks; ++r) {
      line.spans.push_back(shift(r, layer, 0, begin, begin + t.hop_s));
      line.spans.push_back(span(r, sim::SpanKind::attention, "attend", layer, 0, begin, begin + t.attend_s));
      line.spans.push_back(span(r, sim::SpanKind::attention, "attend", layer, 1, second, second + t.attend_s));
      line.spans.push_back(
          span(r, sim::SpanKind::merge, "merge O", layer, 1, second + t.attend_s, second + t.attend_s + t.merge_s));
    }
  }
  return line;
}

inline std::vector<sim::RankSummary> summaries(const Times& t) {
  const auto count = static_cast<double>(layers);
  sim::RankSummary s;
  s.attention_s = count * 2 * t.attend_s;
  s.merge_s = count * t.merge_s;
  s.compute_s = s.attention_s + s.merge_s;
  s.exposed_communication_s = count * t.exposed_s();
  s.in_flight_s = count * t.hop_s;
  s.end_s = count * t.layer_s();
  std::vector<sim::RankSummary> all(ranks, s);
  for (std::int64_t r = 0; r < ranks; ++r) all[static_cast<std::size_t>(r)].rank = r;
  return all;
}

inline Scenario scenario() {
  Scenario s;
  s.name = "two-ranks";
  s.hash = "0123456789abcdef";
  s.model.layers = layers;
  s.model.heads = 8;
  s.model.kv_heads = 2;
  s.model.head_dim = 64;
  s.workload.tokens = 1024;
  s.workload.causal = false;
  s.workload.dtype = Dtype::fp32;
  s.cluster.gpu.name = "cpu-core";
  s.parallel.ring = ranks;
  s.ring.layout = Layout::contiguous;
  s.profile.name = "this-machine";
  s.profile.gpu = "cpu-core";
  s.profile.calibrated = true;
  return s;
}

inline Measurement measurement(const Times& t = {}) {
  Measurement m;
  m.scenario_name = "two-ranks";
  m.scenario_hash = "0123456789abcdef";
  m.scenario_yaml = "name: two-ranks\n";
  m.definition = definition_of(scenario());
  m.environment = {"host", "cpu-core", "Some CPU, 2 cores", "g++ 12.2", "2026-01-02T03:04:05Z", "1.0.0", "abcdef"};
  m.makespan_s = static_cast<double>(layers) * t.layer_s();
  m.warmup = 2;
  m.makespans_s = {m.makespan_s * 1.02, m.makespan_s, m.makespan_s * 0.98};
  m.chosen = 1;
  m.median_low_s = m.makespan_s * 0.98;
  m.median_high_s = m.makespan_s * 1.02;
  m.per_rank = summaries(t);
  m.timeline = timeline(t);
  m.check = CheckOutcome{1e-5, {{"O", 3e-7}, {"LSE", 1e-7}}, true};
  m.notes = {"a note"};
  return m;
}

/// The same run, predicted.
inline sim::Prediction prediction(const Times& t = {}) {
  sim::Prediction p;
  p.scenario_name = "two-ranks";
  p.scenario_hash = "0123456789abcdef";
  p.engine = "recurrence";
  p.profile_name = "this-machine";
  p.profile_calibrated = true;
  p.ring_size = ranks;
  p.layers = layers;
  p.makespan_s = static_cast<double>(layers) * t.layer_s();
  p.per_rank = summaries(t);
  return p;
}

}  // namespace ringsim::calibrate::sample
