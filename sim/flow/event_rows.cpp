#include "sim/flow/event_rows.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::sim::flow {

EventRows::EventRows(const Program& program, Observer& observer)
    : program_(program), ranks_(program.ring()), observer_(observer), whole_ring_{0, program.ring(), 0.0, false} {}

std::unique_ptr<EventRows::Row> EventRows::fresh() {
  if (spare_.empty()) {
    auto row = std::make_unique<Row>();
    for (Eigen::ArrayXd* a : {&row->begin, &row->end, row->received.data(), &row->received[1]}) a->resize(ranks_);
    return row;
  }
  std::unique_ptr<Row> row = std::move(spare_.back());
  spare_.pop_back();
  row->known = false;
  row->reports = 0;
  return row;
}

void EventRows::emit_complete() {
  while (!rows_.empty() && rows_.front()->reports == ranks_) {
    emit(*rows_.front());
    spare_.push_back(std::move(rows_.front()));
    rows_.pop_front();
    ++first_;
  }
}

void EventRows::emit(const Row& row) {
  const RowHead& head = row.head;
  while (told_tasks_ < head.tasks) observer_.on_task(program_.tasks[told_tasks_++]);
  switch (head.kind) {
    case RowHead::Kind::kernel:
      if (head.attention) {
        attention_ = head.segments;
        attention_step_ = head.step;
      } else if (head.dense != nullptr) {
        attention_step_ = -1;
      }
      observer_.on_compute({head.attention, head.accumulator, head.pass, head.layer, head.step, times(row.begin),
                            times(row.end), head.segments.all, head.role, head.dense});
      break;
    case RowHead::Kind::transfer:
      emit_transfer(row);
      break;
    case RowHead::Kind::wait:
      emit_wait(row);
      break;
    case RowHead::Kind::collective:
      emit_collective(row);
      break;
  }
}

// A hop starts when both of its ranks have posted it; its end was reported by the one that it comes in to.
void EventRows::emit_transfer(const Row& row) {
  const RowHead& head = row.head;
  Flight flight;
  for (Eigen::ArrayXd* a : {&flight.start, &flight.end, &flight.in_start, &flight.in_end}) a->setZero(ranks_);
  flight.up = head.ways.size() == 1 && head.ways.front() == Way::up;
  for (std::size_t w = 0; w < head.ways.size(); ++w) {
    for (std::int64_t r = 0; r < ranks_; ++r) {
      const std::int64_t to = program_.target(head.ways[w], r);
      const double start = std::max(row.begin[r], row.begin[to]);
      const double end = row.received[w][to];
      flight.start[r] = w == 0 ? start : std::min(flight.start[r], start);
      flight.end[r] = w == 0 ? end : std::max(flight.end[r], end);
      flight.in_start[to] = w == 0 ? start : std::min(flight.in_start[to], start);
      flight.in_end[to] = w == 0 ? end : std::max(flight.in_end[to], end);
    }
  }
  const Flight& kept = flights_[first_] = std::move(flight);
  observer_.on_transfer({head.shift, head.layer, head.step, times(row.begin), times(kept.start), times(kept.end),
                         times(row.end), head.role, kept.incoming_start(), kept.incoming_end()});
}

void EventRows::emit_wait(const Row& row) {
  const RowHead& head = row.head;
  // A shift outside the steps, such as the gradients' way home, is no masked step of anyone.
  const auto segments = head.step == attention_step_ ? attention_.all : std::span(&whole_ring_, 1);
  const auto awaited = flights_.find(head.awaited);
  if (awaited == flights_.end()) {
    // Nothing has travelled: what is waited for comes at its end.
    observer_.on_wait({head.layer, head.step, times(row.begin), times(row.end), times(row.end), times(row.end),
                       segments, head.role, row.end.data(), row.end.data()});
  } else {
    const Flight& flight = awaited->second;
    observer_.on_wait({head.layer, head.step, times(row.begin), times(row.end), times(flight.start), times(flight.end),
                       segments, head.role, flight.incoming_start(), flight.incoming_end()});
  }
  flights_.erase(flights_.begin(), flights_.lower_bound(head.oldest));
}

void EventRows::emit_collective(const Row& row) {
  const RowHead& head = row.head;
  attention_step_ = -1;
  if (!head.computes) {
    flights_[first_] = {row.received[0], row.end, row.received[0], row.end, false};
  }
  CollectiveEvent event{.traffic = head.traffic,
                        .send = head.send,
                        .computes = head.computes,
                        .pass = head.pass,
                        .layer = head.layer,
                        .step = head.step,
                        .role = head.role,
                        .posted = times(row.begin),
                        .start = times(row.received[0]),
                        .end = times(row.end)};
  observer_.on_collective(event);
}

}  // namespace ringsim::sim::flow
