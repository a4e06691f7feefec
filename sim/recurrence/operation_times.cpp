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
      if (!own.empty()) std::copy_n(own.begin(), layout.ranks(), slowdown_.data() + layout.first(l));
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
  const std::int64_t kind = kind_of_draw(compute);
  for (std::int64_t l = 0; l < layout_.lanes(); ++l) {
    const JitterStream& stream = lanes_[static_cast<std::size_t>(l)].compute;
    if (!stream.on()) continue;
    const std::uint64_t operation = stream.operation(layer, step, static_cast<std::int64_t>(compute.pass()), kind);
    for (const SegmentCost& s : segments) {
      if (s.seconds == 0) continue;
      const std::int64_t count = s.end - s.begin;
      stream.factors(operation, s.begin, count, factors_.data());
      kernel_.segment(layout_.first(l) + s.begin, count) *= factors_.head(count);
    }
  }
  return kernel_;
}

const Eigen::ArrayXd& OperationTimes::hops(const Instruction& shift, HopTimes& way, std::int64_t layer,
                                           std::int64_t step) {
  if (!way.every_step_alike) fill_hop_times(program_, lanes_, layout_, *shift.shift, step, way);
  if (!hops_drawn_) return way.per_hop;
  hops_ = way.per_hop;
  const std::int64_t kind = way.way == Way::down || way.way == Way::outer ? second_hop_kind : hop_kind;
  for (std::int64_t l = 0; l < layout_.lanes(); ++l) {
    const JitterStream& stream = lanes_[static_cast<std::size_t>(l)].links;
    if (!stream.on()) continue;
    stream.factors(stream.operation(layer, step, static_cast<std::int64_t>(shift.shift->pass), kind), layout_.ranks(),
                   factors_.data());
    hops_.segment(layout_.first(l), layout_.ranks()) *= factors_.head(layout_.ranks());
  }
  return hops_;
}

const Eigen::ArrayXd& OperationTimes::timed(const Timed& what, std::size_t number,
                                            std::span<const SegmentCost> segments, std::int64_t layer,
                                            std::int64_t step) {
  if (timed_.size() == 0) timed_.setZero(layout_.extent());
  layout_.for_each_run(segments, [&](std::int64_t at, std::int64_t count, const SegmentCost& s) {
    timed_.segment(at, count).setConstant(s.seconds);
  });
  if (what.dense != nullptr && slowdown_.size() > 0) timed_ *= slowdown_;
  const Pass pass = what.dense != nullptr        ? what.dense->pass
                    : what.collective != nullptr ? what.collective->pass
                                                 : what.send->pass;
  for (std::int64_t l = 0; l < layout_.lanes(); ++l) {
    const Lane& lane = lanes_[static_cast<std::size_t>(l)];
    const JitterStream& stream = what.dense != nullptr ? lane.compute : lane.links;
    if (!stream.on()) continue;
    auto own = timed_.segment(layout_.first(l), layout_.ranks());
    stream.factors(stream.operation(layer, step, static_cast<std::int64_t>(pass), timed_kind(number)), layout_.ranks(),
                   factors_.data());
    // Ranks that take part in a collective end together: one draw.
    if (what.meets) {
      own *= factors_[0];
    } else {
      own *= factors_.head(layout_.ranks());
    }
  }
  return timed_;
}

}  // namespace ringsim::sim
