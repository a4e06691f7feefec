#include "sim/timeline.hpp"

#include "sim/role_layers.hpp"

#include <algorithm>
#include <stdexcept>

namespace ringsim::sim {
namespace {

HopsTaken hops_taken(const Shift& shift) {
  const auto second = [](const ShiftItem& item) { return item.way == Way::down || item.way == Way::outer; };
  if (std::none_of(shift.items.begin(), shift.items.end(), second)) return HopsTaken::first;
  return std::all_of(shift.items.begin(), shift.items.end(), second) ? HopsTaken::second : HopsTaken::both;
}

}  // namespace

TimelineObserver::TimelineObserver(const Program& program, const TimelineWindow& window)
    : program_(program),
      window_(window),
      ranks_(window.ranks_of(program.ring())),
      layers_(layers_of_roles(program)),
      tasks_(program.roles.size()),
      told_(program.ring()) {
  timeline_.ranks = program.ring();
  timeline_.ranks_shown = std::ssize(ranks_);
  timeline_.window = window;
  timeline_.of = extent_of(program);
}

// Whether the window has nothing of a layer, whatever the step.
bool TimelineObserver::lacks(std::size_t role, Pass pass, std::int64_t layer) const {
  const TaskMark& task = tasks_[role];
  // A pass runs again through layers forward before it runs backwards: that is part of the backward pass.
  const Pass whole = program_.tasks.empty() ? pass : task.pass;
  if (!window_.stages.contains(static_cast<std::int64_t>(role))) return true;
  if (!window_.micro_batches.contains(task.micro_batch) || (window_.pass && *window_.pass != whole)) return true;
  if (window_.layer_order == LayerOrder::numbered) return !window_.layers.contains(layer);
  const std::vector<std::int64_t>& layers = layers_[role];
  const auto found = std::lower_bound(layers.begin(), layers.end(), layer);
  const bool known = found != layers.end() && *found == layer;
  // Layers run backwards in the backward pass. What another stage calls layer 0 (logits, sends) goes with the first one.
  const std::int64_t place = !known ? 0 : whole == Pass::forward ? found - layers.begin() : layers.end() - 1 - found;
  return !window_.layers.contains(place);
}

bool TimelineObserver::outside(std::size_t role, Pass pass, std::int64_t layer, std::int64_t step) {
  const bool out = !window_.steps.contains(step) || lacks(role, pass, layer);
  timeline_.truncated = timeline_.truncated || out;
  return out;
}

std::int64_t TimelineObserver::may_skip(const LoopStretch& stretch) const {
  if (stretch.loop == Loop::micro_batch) return 0;  // which of them a window shows is known task by task
  if (stretch.loop == Loop::step) {
    if (lacks(stretch.role, stretch.pass, stretch.layer)) return stretch.count;
    std::int64_t i = 0;
    while (i < stretch.count && !window_.steps.contains(stretch.at(i))) ++i;
    return i;
  }
  std::int64_t i = 0;
  while (i < stretch.count && lacks(stretch.role, stretch.pass, stretch.at(i))) ++i;
  return i;
}

void TimelineObserver::on_compute(const ComputeEvent& event) {
  if (outside(event.role, event.pass, event.layer, event.step)) return;
  for (const SegmentCost& s : event.segments) {
    if (s.masked) continue;
    for (const std::int64_t r : ranks_) {
      if (r % told_ < s.begin || r % told_ >= s.end) continue;
      Span span;
      span.rank = rank_of(event.role, r);
      span.kind = event.dense != nullptr ? SpanKind::dense : event.attention ? SpanKind::attention : SpanKind::merge;
      span.name = event.dense != nullptr ? event.dense->name
                  : event.attention      ? attention_name(event.pass)
                                         : merge_name(event.accumulator);
      span.layer = event.layer;
      span.step = event.step;
      span.start_s = moment(event.start, r);
      span.end_s = moment(event.end, r);
      timeline_.spans.push_back(std::move(span));
    }
  }
}

void TimelineObserver::on_transfer(const TransferEvent& event) {
  if (outside(event.role, event.shift->pass, event.layer, event.step)) return;
  const std::string name = shift_name(program_, *event.shift);
  const HopsTaken hops = hops_taken(*event.shift);
  for (const std::int64_t r : ranks_) {
    Span span;
    span.rank = rank_of(event.role, r);
    span.kind = SpanKind::transfer;
    span.name = name;
    span.layer = event.layer;
    span.step = event.step;
    span.start_s = moment(event.posted, r);
    span.end_s = moment(event.done, r);
    span.peer = rank_of(event.role, program_.target(event.shift->items.front().way, r));
    span.bytes = in_bytes(program_.sent(*event.shift, event.step, r));
    span.hops = hops;
    span.flight_start_s = moment(event.hop_start, r);
    span.flight_end_s = moment(event.hop_end, r);
    timeline_.spans.push_back(std::move(span));
  }
}

void TimelineObserver::on_collective(const CollectiveEvent& event) {
  if (outside(event.role, event.pass, event.layer, event.step)) return;
  for (const std::int64_t r : ranks_) {
    Span span;
    span.rank = rank_of(event.role, r);
    span.kind = SpanKind::collective;
    span.computes = event.computes;
    span.name = event.traffic != nullptr ? event.traffic->name : event.send->name;
    span.layer = event.layer;
    span.step = event.step;
    span.start_s = moment(event.posted, r);
    span.end_s = moment(event.end, r);
    span.bytes = in_bytes(event.traffic != nullptr
                              ? program_.size_of(*event.traffic, r)
                              : event.send->bytes_per_token * static_cast<double>(program_.shards.block(r)));
    span.flight_start_s = moment(event.start, r);
    span.flight_end_s = moment(event.end, r);
    timeline_.spans.push_back(std::move(span));
  }
}

Timeline part_of(const Timeline& whole, const TimelineWindow& window) {
  const IndexRange all;
  const bool by_number = window.layer_order == LayerOrder::numbered || window.layers == all;
  if (!by_number || window.micro_batches != all || window.stages != all || window.pass || window.phase != 0) {
    throw std::logic_error("a timeline can be cut to ranks, steps and numbered layers alone");
  }
  Timeline part = whole;
  part.window = window;
  part.spans.clear();
  const std::vector<std::int64_t> ranks = window.ranks_of(whole.ranks);
  part.ranks_shown = std::ssize(ranks);
  for (const Span& span : whole.spans) {
    const bool within = window.layers.contains(span.layer) && window.steps.contains(span.step);
    part.truncated = part.truncated || !within;
    if (within && std::binary_search(ranks.begin(), ranks.end(), span.rank)) part.spans.push_back(span);
  }
  return part;
}

Timelines::Timelines(const Program& program, std::span<const TimelineWindow> windows, std::int64_t phase,
                     std::vector<Observer*>& watching) {
  for (std::size_t i = 0; i < windows.size(); ++i) {
    if (windows[i].phase != phase) continue;
    all_.emplace_back(i, std::make_unique<TimelineObserver>(program, windows[i]));
    watching.push_back(all_.back().second.get());
  }
}

void Timelines::take(std::vector<Timeline>& by_window, std::int64_t phases) {
  for (auto& [window, observer] : all_) {
    by_window[window] = observer->take();
    by_window[window].of.phases = phases;
    by_window[window].truncated = by_window[window].truncated || phases > 1;
  }
}

}  // namespace ringsim::sim
