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
    // Segments that touch are drawn at once: a factor depends on the rank alone.
    for (std::size_t i = 0; i < segments.size(); ++i) {
      if (segments[i].seconds == 0) continue;
      const std::int64_t begin = segments[i].begin;
      while (i + 1 < segments.size() && segments[i + 1].seconds != 0) ++i;
      stream.stretch(operation, begin, segments[i].end - begin, kernel_.data() + layout_.first(l) + begin);
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
    stream.stretch(stream.operation(layer, step, static_cast<std::int64_t>(shift.shift->pass), kind), 0,
                   layout_.ranks(), hops_.data() + layout_.first(l));
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
    double* own = timed_.data() + layout_.first(l);
    const std::uint64_t operation = stream.operation(layer, step, static_cast<std::int64_t>(pass), timed_kind(number));
    // Ranks that take part in a collective end together: one draw.
    if (what.meets) {
      const double factor = stream.factor(operation, 0);
      std::for_each_n(own, layout_.ranks(), [factor](double& time) { time *= factor; });
    } else {
      stream.stretch(operation, 0, layout_.ranks(), own);
    }
  }
  return timed_;
}

}  // namespace ringsim::sim
