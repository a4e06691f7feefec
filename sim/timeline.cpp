#include "sim/timeline.hpp"

#include <algorithm>

namespace ringsim::sim {
bool TimelineObserver::outside(Pass pass, std::int64_t layer, std::int64_t step) {
  // Layers run backwards in the backward pass: its first ones are the last layers.
  const std::int64_t order = pass == Pass::forward ? layer : program_.layers() - 1 - layer;
  const bool out = order >= window_.layers || step >= window_.steps;
  timeline_.truncated = timeline_.truncated || out || timeline_.ranks_shown < timeline_.ranks;
  return out;
}

void TimelineObserver::on_compute(const ComputeEvent& event) {
  if (outside(event.pass, event.layer, event.step)) return;
  for (const SegmentCost& s : event.segments) {
    if (s.masked) continue;
    for (std::int64_t r = s.begin; r < std::min(s.end, timeline_.ranks_shown); ++r) {
      Span span;
      span.rank = rank_of(event.role, r);
      span.kind = event.dense != nullptr ? SpanKind::dense : event.attention ? SpanKind::attention : SpanKind::merge;
      span.name = event.dense != nullptr ? event.dense->name
                  : event.attention      ? attention_name(event.pass)
                                         : merge_name(event.accumulator);
      span.layer = event.layer;
      span.step = event.step;
      span.start_s = event.start[r];
      span.end_s = event.end[r];
      timeline_.spans.push_back(std::move(span));
    }
  }
}

void TimelineObserver::on_transfer(const TransferEvent& event) {
  if (outside(event.shift->pass, event.layer, event.step)) return;
  const std::string name = shift_name(program_, *event.shift);
  for (std::int64_t r = 0; r < timeline_.ranks_shown; ++r) {
    Span span;
    span.rank = rank_of(event.role, r);
    span.kind = SpanKind::transfer;
    span.name = name;
    span.layer = event.layer;
    span.step = event.step;
    span.start_s = event.posted[r];
    span.end_s = event.done[r];
    span.peer = rank_of(event.role, program_.target(event.shift->items.front().way, r));
    span.bytes = in_bytes(program_.sent(*event.shift, event.step, r));
    span.flight_start_s = event.hop_start[r];
    span.flight_end_s = event.hop_end[r];
    timeline_.spans.push_back(std::move(span));
  }
}

void TimelineObserver::on_collective(const CollectiveEvent& event) {
  if (outside(event.pass, event.layer, event.step)) return;
  for (std::int64_t r = 0; r < timeline_.ranks_shown; ++r) {
    Span span;
    span.rank = rank_of(event.role, r);
    span.kind = SpanKind::collective;
    span.computes = event.computes;
    span.name = event.traffic != nullptr ? event.traffic->name : event.send->name;
    span.layer = event.layer;
    span.step = event.step;
    span.start_s = event.posted[r];
    span.end_s = event.end[r];
    span.bytes = in_bytes(event.traffic != nullptr
                              ? program_.size_of(*event.traffic, r)
                              : event.send->bytes_per_token * static_cast<double>(program_.shards.block(r)));
    span.flight_start_s = event.start[r];
    span.flight_end_s = event.end[r];
    timeline_.spans.push_back(std::move(span));
  }
}

}  // namespace ringsim::sim
