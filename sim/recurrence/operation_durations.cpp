#include "sim/recurrence/operation_durations.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <variant>

namespace ringsim::sim {

OperationDurations::OperationDurations(const Program& program, const Lane& lane)
    : program_(program),
      lanes_{lane},
      layout_(program.ring(), 1),
      lowered_(lower(program, lanes_, layout_)),
      times_(program, lanes_, layout_),
      nominal_(Eigen::ArrayXd::Zero(program.ring())),
      zero_(Eigen::ArrayXd::Zero(program.ring())) {
  list(lowered_.body);
}

void OperationDurations::list(const std::vector<LoweredNode>& body) {
  for (const LoweredNode& node : body) {
    if (const auto* loop = std::get_if<std::unique_ptr<LoweredLoop>>(&node)) {
      list((*loop)->body);
      continue;
    }
    const auto& one = std::get<Instruction>(node);
    const auto number = static_cast<std::size_t>(one.number);
    if (instructions_.size() <= number) instructions_.resize(number + 1, nullptr);
    instructions_[number] = &one;
  }
}

bool OperationDurations::structured_like(const OperationDurations& other) const {
  return std::equal(instructions_.begin(), instructions_.end(), other.instructions_.begin(), other.instructions_.end(),
                    [](const Instruction* a, const Instruction* b) {
                      if (a == nullptr || b == nullptr) return a == b;
                      return a->code == b->code && a->stream == b->stream && a->ways.size() == b->ways.size();
                    });
}

const Eigen::ArrayXd& OperationDurations::of(const TapeEntry& entry) {
  if (entry.kind != TapeEntry::Kind::work && entry.kind != TapeEntry::Kind::hop) return zero_;
  const Instruction& what = instruction(entry);
  if (entry.kind == TapeEntry::Kind::hop) {
    if (what.hops) return times_.hops(what, *what.hops, entry.layer, entry.step);
    const auto way = std::find_if(what.ways.begin(), what.ways.end(),
                                  [&](const std::shared_ptr<HopTimes>& w) { return w->way == entry.way; });
    assert(way != what.ways.end());
    return times_.hops(what, **way, entry.layer, entry.step);
  }
  const std::size_t mask = program_.mask_of_layer[static_cast<std::size_t>(entry.layer)];
  if (what.timed) {
    const Timed& timed = *what.timed;
    const std::size_t kind = timed.amounts.size() == 1 ? 0 : mask;
    return times_.timed(timed, timed.amounts[kind], timed.seconds[kind], entry.layer, entry.step);
  }
  StepCosts& costs = *what.costs[mask];
  if (!times_.nominal_kernels()) return times_.kernel(what, costs, entry.layer, entry.step);
  for (const SegmentCost& s : costs.at(entry.step)) nominal_.segment(s.begin, s.end - s.begin).setConstant(s.seconds);
  return nominal_;
}

}  // namespace ringsim::sim
