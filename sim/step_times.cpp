#include "sim/step_times.hpp"

#include "sim/program.hpp"

namespace ringsim::sim {

StepTimes step_times(const CostModel& costs, Pass pass, const AttendWork& work, bool first_step) {
  StepTimes t{costs.attention(pass, shape_of(work)), {}, {}};
  if (first_step || work.masked()) return t;
  const auto merge = [&](Accumulator what, bool travelling) {
    return costs.merge(what, travelling, static_cast<double>(merged_tokens(what, work)));
  };
  if (pass == Pass::forward) {
    t.merge = merge(Accumulator::output, false);
  } else {
    const bool queries_travel = costs.shape().backward == Rotation::q;
    t.merge = merge(queries_travel ? Accumulator::kv_gradient : Accumulator::q_gradient, false);
    t.add = merge(queries_travel ? Accumulator::q_gradient : Accumulator::kv_gradient, true);
  }
  return t;
}

}  // namespace ringsim::sim
