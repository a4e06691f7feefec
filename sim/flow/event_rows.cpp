#include "sim/flow/event_rows.hpp"

#include <utility>

namespace ringsim::sim::flow {

EventRows::EventRows(std::int64_t ranks, Observer& observer)
    : ranks_(ranks), observer_(observer), whole_ring_{0, ranks, 0.0, false} {
  hop_start_.setZero(ranks);
  hop_end_.setZero(ranks);
}

std::unique_ptr<EventRows::Row> EventRows::fresh() {
  if (spare_.empty()) {
    auto row = std::make_unique<Row>();
    for (Eigen::ArrayXd* a : {&row->begin, &row->end, &row->received}) a->resize(ranks_);
    return row;
  }
  std::unique_ptr<Row> row = std::move(spare_.back());
  spare_.pop_back();
  row->known = false;
  row->reports = 0;
  return row;
}

void EventRows::report(Row& row, std::int64_t rank, double begin_s, double end_s, double received_s) {
  row.begin[rank] = begin_s;
  row.end[rank] = end_s;
  row.received[rank] = received_s;
  ++row.reports;
  while (!rows_.empty() && rows_.front()->reports == ranks_) {
    emit(*rows_.front());
    spare_.push_back(std::move(rows_.front()));
    rows_.pop_front();
    ++first_;
  }
}

void EventRows::emit(const Row& row) {
  const auto times = [this](const Eigen::ArrayXd& all) { return RankTimes(all.data(), ranks_); };
  const RowHead& head = row.head;
  const Eigen::Index n = ranks_;
  switch (head.kind) {
    case RowHead::Kind::kernel:
      if (head.attention) {
        attention_ = head.segments;
        attention_step_ = head.step;
      }
      observer_.on_compute({head.attention, head.accumulator, head.pass, head.layer, head.step, times(row.begin),
                            times(row.end), head.segments.all});
      break;
    case RowHead::Kind::transfer:
      // Hop r starts when ranks r and r + 1 have posted it; its end was reported by rank r + 1.
      hop_start_.head(n - 1) = row.begin.head(n - 1).max(row.begin.tail(n - 1));
      hop_start_[n - 1] = std::max(row.begin[n - 1], row.begin[0]);
      hop_end_.head(n - 1) = row.received.tail(n - 1);
      hop_end_[n - 1] = row.received[0];
      observer_.on_transfer(
          {head.shift, head.layer, head.step, times(row.begin), times(hop_start_), times(hop_end_), times(row.end)});
      break;
    case RowHead::Kind::wait:
      // A shift outside the steps, such as the gradients' way home, is no masked step of anyone.
      observer_.on_wait({head.layer, head.step, times(row.begin), times(row.end), times(hop_start_), times(hop_end_),
                         head.step == attention_step_ ? attention_.all : std::span(&whole_ring_, 1)});
      break;
  }
}

}  // namespace ringsim::sim::flow
