#include "kernels/host/overloaded.hpp"
#include "kernels/host/recording.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace ringsim::host {
namespace {

using sim::RankTimes;

class Replay {
 public:
  Replay(const sim::Program& program, const Recording& recording, sim::Observer& observer)
      : program_(program),
        recording_(recording),
        observer_(observer),
        list_(issue_list(program)),
        ranks_(program.ring()),
        at_(ranks_),
        segments_(static_cast<std::size_t>(ranks_)) {
    for (Eigen::ArrayXd* a : {&start_, &end_, &hop_start_, &hop_end_, &done_}) a->setZero(ranks_);
    check();
    compute_ = compute_stream(list_);
  }

  sim::RunResult run() {
    sim::RunResult result;
    const std::size_t first = list_.stream[compute_].front();
    for (std::int64_t r = 0; r < ranks_; ++r) at_[r] = of(r, first).begin_s;
    origin_s_ = at_.minCoeff();
    at_ -= origin_s_;
    result.start_s.assign(at_.begin(), at_.end());
    for (std::size_t i = 0; i < list_.instructions.size(); ++i) {
      const Instruction& instruction = list_.instructions[i];
      std::visit(Overloaded{[&](const sim::Attend* attend) { attention(i, *attend); },
                            [&](const sim::Merge* merge) { merging(i, *merge); },
                            [&](const sim::Shift* shift) { transfer(i, *shift); },
                            [&](const WaitFor& wait) {
                              if (instruction.stream == compute_ && wait.record) waiting(i, *wait.record);
                            },
                            [](const auto&) {}},
                 instruction.what);
    }
    result.end_s.assign(at_.begin(), at_.end());
    result.makespan_s = at_.maxCoeff();
    return result;
  }

 private:
  [[nodiscard]] const OperationTimes& of(std::int64_t rank, std::size_t instruction) const {
    return recording_[static_cast<std::size_t>(rank)][instruction];
  }
  void check() const {
    if (std::ssize(recording_) != ranks_) {
      throw Error(fmt::format("a recording of {} ranks for a program of {}", recording_.size(), ranks_), "recording");
    }
    for (const auto& rank : recording_) {
      if (rank.size() == list_.instructions.size()) continue;
      throw Error(
          fmt::format("a recording of {} operations for a program of {}", rank.size(), list_.instructions.size()),
          "recording");
    }
  }

  // An operation of the compute stream on all ranks: from where the one before ended to its own end.
  void take(std::size_t i) {
    start_ = at_;
    for (std::int64_t r = 0; r < ranks_; ++r) end_[r] = std::max(of(r, i).end_s - origin_s_, start_[r]);
    at_ = end_;
    for (std::int64_t r = 0; r < ranks_; ++r) segments_[static_cast<std::size_t>(r)].seconds = end_[r] - start_[r];
  }

  void attention(std::size_t i, const sim::Attend& attend) {
    const Instruction& instruction = list_.instructions[i];
    for (const WorkSegment& work : program_.work(attend, instruction.layer, instruction.step)) {
      for (std::int64_t r = work.begin; r < work.end; ++r) {
        segments_[static_cast<std::size_t>(r)] = {r, r + 1, 0, work.work.masked()};
      }
    }
    attention_step_ = instruction.step;
    compute(i, true, Accumulator::output, attend.pass);
  }
  void merging(std::size_t i, const sim::Merge& merge) { compute(i, false, merge.accumulator, merge.pass); }
  void compute(std::size_t i, bool is_attention, Accumulator accumulator, Pass pass) {
    take(i);
    const Instruction& instruction = list_.instructions[i];
    observer_.on_compute(
        {is_attention, accumulator, pass, instruction.layer, instruction.step, times(start_), times(end_), segments_});
  }

  void transfer(std::size_t i, const sim::Shift& shift) {
    hops_of(i);
    for (std::int64_t r = 0; r < ranks_; ++r) {
      start_[r] = of(r, i).begin_s - origin_s_;
      done_[r] = of(r, i).end_s - origin_s_;
    }
    const Instruction& instruction = list_.instructions[i];
    observer_.on_transfer(
        {&shift, instruction.layer, instruction.step, times(start_), times(hop_start_), times(hop_end_), times(done_)});
  }

  // Flight of the hops of a Shift, hop r from rank r to rank r + 1.
  void hops_of(std::size_t shift) {
    for (std::int64_t r = 0; r < ranks_; ++r) {
      const OperationTimes& next = of((r + 1) % ranks_, shift);
      hop_start_[r] = std::max(of(r, shift).begin_s, next.begin_s) - origin_s_;
      hop_end_[r] = std::max(next.received_s - origin_s_, hop_start_[r]);
    }
  }

  void waiting(std::size_t i, std::size_t record) {
    take(i);
    // What was waited for is the last transfer before the record on its stream. Without one nothing was in flight.
    const Instruction& recorded = list_.instructions[record];
    const auto& queue = list_.stream[recorded.stream];
    hop_start_ = hop_end_ = start_;
    for (std::size_t position = recorded.position; position-- > 0;) {
      if (!std::holds_alternative<const sim::Shift*>(list_.instructions[queue[position]].what)) continue;
      hops_of(queue[position]);
      break;
    }
    // A transfer outside the steps, such as the gradients' way home, is no masked step of anyone.
    const Instruction& instruction = list_.instructions[i];
    const bool of_the_step = instruction.step == attention_step_;
    const sim::SegmentCost all{0, ranks_, 0, false};
    observer_.on_wait({instruction.layer, instruction.step, times(start_), times(end_), times(hop_start_),
                       times(hop_end_),
                       of_the_step ? std::span<const sim::SegmentCost>(segments_) : std::span(&all, 1)});
  }

  [[nodiscard]] RankTimes times(const Eigen::ArrayXd& all) const { return {all.data(), ranks_}; }

  const sim::Program& program_;
  const Recording& recording_;
  sim::Observer& observer_;
  IssueList list_;
  std::int64_t ranks_;
  std::size_t compute_ = 0;
  double origin_s_ = 0;
  Eigen::ArrayXd at_;  // how far each rank's compute stream has come
  Eigen::ArrayXd start_, end_, hop_start_, hop_end_, done_;
  std::vector<sim::SegmentCost> segments_;  // of the latest attention kernel, a rank each
  std::int64_t attention_step_ = -1;
};

}  // namespace

sim::RunResult replay(const sim::Program& program, const Recording& recording, sim::Observer& observer) {
  return Replay(program, recording, observer).run();
}

}  // namespace ringsim::host
