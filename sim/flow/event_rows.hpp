#pragma once
// From reports of single ranks to the events that observers get.
//
// Ranks of a flow-level run get to an operation one after the other, and some are operations ahead; observers see an operation
// of all ranks at a time, in the order in which operations were issued (sim/observer.hpp). A row collects what the ranks report
// of an operation. Rows whose ranks have all reported are emitted and used again, so that memory holds only the operations
// between the first rank and the last, and the hops that a later wait may be for.

#include "sim/observer.hpp"

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <deque>
#include <map>
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
  enum class Kind { kernel, transfer, wait, collective };
  Kind kind = Kind::kernel;
  std::size_t role = 0;
  std::int64_t layer = 0;
  std::int64_t step = 0;
  Pass pass = Pass::forward;
  std::size_t tasks = 0;  // so many of Program::tasks have begun
  // kernels
  bool attention = true;
  Accumulator accumulator = Accumulator::output;
  Segments segments;
  const DenseWork* dense = nullptr;
  // transfers
  const Shift* shift = nullptr;
  std::vector<Way> ways;
  // collectives and sends
  const CollectiveTraffic* traffic = nullptr;
  const Send* send = nullptr;
  bool computes = false;
  // waits
  std::int64_t awaited = -1;  // row of the transfer or collective that is waited for; -1: of none
  std::int64_t oldest = 0;    // no later wait is for a row before this one
};

/// What one rank has to say of an operation [s].
struct RankReport {
  double begin_s = 0;                  // kernel: start; transfer and collective: posted; wait: from
  double end_s = 0;                    // kernel and collective: end; transfer: done; wait: until
  std::array<double, 2> received_s{};  // transfer: ends of the hops that come in, by way; collective: its start
};

class EventRows {
 public:
  EventRows(const Program& program, Observer& observer);

  /// Of rank `rank` in row `number` of the run; `head` is asked for once a row.
  template <class Head>
  void report(std::int64_t number, std::int64_t rank, const Head& head, const RankReport& what) {
    while (first_ + static_cast<std::int64_t>(rows_.size()) <= number) rows_.push_back(fresh());
    Row& found = *rows_[static_cast<std::size_t>(number - first_)];
    if (!found.known) {
      found.head = head();
      found.known = true;
    }
    found.begin[rank] = what.begin_s;
    found.end[rank] = what.end_s;
    for (std::size_t i = 0; i < what.received_s.size(); ++i) found.received[i][rank] = what.received_s[i];
    ++found.reports;
    emit_complete();
  }

 private:
  struct Row {
    RowHead head;
    std::int64_t reports = 0;
    bool known = false;
    Eigen::ArrayXd begin, end;
    std::array<Eigen::ArrayXd, 2> received;
  };
  // Hops of a transfer, by sender, and what comes in, by receiver. One way up: `in` is left out, as observers expect it.
  struct Flight {
    Eigen::ArrayXd start, end, in_start, in_end;
    bool up = true;
    [[nodiscard]] const double* incoming_start() const { return up ? nullptr : in_start.data(); }
    [[nodiscard]] const double* incoming_end() const { return up ? nullptr : in_end.data(); }
  };

  std::unique_ptr<Row> fresh();
  void emit_complete();
  void emit(const Row& row);
  void emit_transfer(const Row& row);
  void emit_wait(const Row& row);
  void emit_collective(const Row& row);
  [[nodiscard]] RankTimes times(const Eigen::ArrayXd& all) const { return {all.data(), ranks_}; }

  const Program& program_;
  const std::int64_t ranks_;
  Observer& observer_;
  std::deque<std::unique_ptr<Row>> rows_;
  std::vector<std::unique_ptr<Row>> spare_;
  std::int64_t first_ = 0;      // number of rows_.front()
  std::size_t told_tasks_ = 0;  // of Program::tasks

  std::map<std::int64_t, Flight> flights_;  // by row
  Segments attention_;                      // of the last attention kernel that was emitted
  std::int64_t attention_step_ = -1;
  const SegmentCost whole_ring_;
};

}  // namespace ringsim::sim::flow
