#include "sim/recurrence/operation_times.hpp"

#include <algorithm>

namespace ringsim::sim {

OperationTimes::OperationTimes(const Program& program, std::span<const Lane> lanes, LaneLayout layout)
    : program_(program),
      lanes_(lanes),
      layout_(layout),
      kernels_drawn_(std::any_of(lanes.begin(), lanes.end(), [](const Lane& lane) { return lane.compute.on(); })),
      hops_drawn_(std::any_of(lanes.begin(), lanes.end(), [](const Lane& lane) { return lane.links.on(); })) {
  if (std::any_of(lanes.begin(), lanes.end(), [](const Lane& lane) { return !lane.machine->slowdown.empty(); })) {
    slowdown_.setOnes(layout.extent());
    for (std::int64_t l = 0; l < layout.lanes(); ++l) {
      const std::vector<double>& own = lanes[static_cast<std::size_t>(l)].machine->slowdown;
      std::copy(own.begin(), own.end(), slowdown_.data() + layout.first(l));
    }
  }
  if (kernels_drawn_ || hops_drawn_) factors_.resize(layout.ranks());
  if (!nominal_kernels()) kernel_.setZero(layout.extent());  // the guards, too
}

const Eigen::ArrayXd& OperationTimes::kernel(const Instruction& compute, StepCosts& costs, std::int64_t layer,
                                             std::int64_t step) {
  if (&costs == filled_) return kernel_;
  filled_ = costs.every_step_alike() && !kernels_drawn_ ? &costs : nullptr;
  const std::span<const SegmentCost> segments = costs.at(step);
  layout_.for_each_run(segments, [&](std::int64_t at, std::int64_t count, const SegmentCost& s) {
    if (slowdown_.size() == 0) {
      kernel_.segment(at, count).setConstant(s.seconds);
    } else {
      kernel_.segment(at, count) = slowdown_.segment(at, count) * s.seconds;
    }
  });
  if (!kernels_drawn_) return kernel_;
  const std::int64_t kind =
      compute.merge == nullptr ? attention_kind : merge_kind(static_cast<int>(compute.merge->accumulator));
  for (std::int64_t l = 0; l < layout_.lanes(); ++l) {
    const JitterStream& stream = lanes_[static_cast<std::size_t>(l)].compute;
    if (!stream.on()) continue;
    const std::uint64_t operation =
        stream.operation(layer, step, static_cast<std::int64_t>(compute.attend->pass), kind);
    for (const SegmentCost& s : segments) {
      if (s.seconds == 0) continue;
      const std::int64_t count = s.end - s.begin;
      stream.factors(operation, s.begin, count, factors_.data());
      kernel_.segment(layout_.first(l) + s.begin, count) *= factors_.head(count);
    }
  }
  return kernel_;
}

const Eigen::ArrayXd& OperationTimes::hops(const Instruction& shift, std::int64_t layer, std::int64_t step) {
  HopTimes& nominal = *shift.hops;
  if (!nominal.every_step_alike) fill_hop_times(program_, lanes_, layout_, *shift.shift, step, nominal);
  if (!hops_drawn_) return nominal.per_hop;
  hops_ = nominal.per_hop;
  for (std::int64_t l = 0; l < layout_.lanes(); ++l) {
    const JitterStream& stream = lanes_[static_cast<std::size_t>(l)].links;
    if (!stream.on()) continue;
    stream.factors(stream.operation(layer, step, static_cast<std::int64_t>(shift.shift->pass), hop_kind),
                   layout_.ranks(), factors_.data());
    hops_.segment(layout_.first(l), layout_.ranks()) *= factors_.head(layout_.ranks());
  }
  return hops_;
}

}  // namespace ringsim::sim
