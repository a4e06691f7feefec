#pragma once
// From reports of single ranks to the events that observers get.
//
// Ranks of a flow-level run get to an operation one after the other, and some are operations ahead; observers see an operation
// of all ranks at a time, in the order in which operations were issued (sim/observer.hpp). A row collects what the ranks report
// of an operation. Rows whose ranks have all reported are emitted and used again, so that memory holds only the operations
// between the first rank and the last.

#include "sim/observer.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace ringsim::sim::flow {

/// Costs of a kernel by runs of ranks: a view of a table that stays, or of what `owner` holds.
struct Segments {
  std::span<const SegmentCost> all;
  std::shared_ptr<const std::vector<SegmentCost>> owner;
};

/// What all ranks have in common in an operation.
struct RowHead {
  enum class Kind { kernel, transfer, wait };
  Kind kind = Kind::kernel;
  std::int64_t layer = 0;
  std::int64_t step = 0;
  // kernels
  bool attention = true;
  Accumulator accumulator = Accumulator::output;
  Pass pass = Pass::forward;
  Segments segments;
  // transfers
  const Shift* shift = nullptr;
};

class EventRows {
 public:
  EventRows(std::int64_t ranks, Observer& observer);

  /// Row `number` of the run; `head` is asked for once a row.
  template <class Head>
  void kernel(std::int64_t number, std::int64_t rank, const Head& head, double start_s, double end_s) {
    report(row(number, head), rank, start_s, end_s, 0);
  }
  /// `received_s`: the end of the hop of rank - 1.
  template <class Head>
  void transfer(std::int64_t number, std::int64_t rank, const Head& head, double posted_s, double done_s,
                double received_s) {
    report(row(number, head), rank, posted_s, done_s, received_s);
  }
  template <class Head>
  void wait(std::int64_t number, std::int64_t rank, const Head& head, double from_s, double until_s) {
    report(row(number, head), rank, from_s, until_s, 0);
  }

 private:
  struct Row {
    RowHead head;
    std::int64_t reports = 0;
    bool known = false;
    Eigen::ArrayXd begin;     // kernel: start; transfer: posted; wait: from
    Eigen::ArrayXd end;       // kernel: end; transfer: done; wait: until
    Eigen::ArrayXd received;  // transfer: end of the hop that comes in
  };

  template <class Head>
  Row& row(std::int64_t number, const Head& head) {
    while (first_ + static_cast<std::int64_t>(rows_.size()) <= number) rows_.push_back(fresh());
    Row& found = *rows_[static_cast<std::size_t>(number - first_)];
    if (!found.known) {
      found.head = head();
      found.known = true;
    }
    return found;
  }
  void report(Row& row, std::int64_t rank, double begin_s, double end_s, double received_s);
  std::unique_ptr<Row> fresh();
  void emit(const Row& row);

  const std::int64_t ranks_;
  Observer& observer_;
  std::deque<std::unique_ptr<Row>> rows_;
  std::vector<std::unique_ptr<Row>> spare_;
  std::int64_t first_ = 0;  // number of rows_.front()

  // Of the last transfer and the last attention kernel that were emitted.
  Eigen::ArrayXd hop_start_, hop_end_;
  Segments attention_;
  std::int64_t attention_step_ = -1;
  const SegmentCost whole_ring_;
};

}  // namespace ringsim::sim::flow
