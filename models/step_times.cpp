#include "models/step_times.hpp"

namespace ringsim {

StepTimes step_times(const CostModel& costs, Pass pass, const AttendShape& kernel, bool first_step) {
  StepTimes t{costs.attention(pass, kernel), {}, {}};
  if (first_step || kernel.entries <= 0) return t;
  const auto merge = [&](Accumulator what, bool travelling) {
    return costs.merge(what, travelling, what == Accumulator::kv_gradient ? kernel.columns : kernel.rows,
                       kernel.leaves_rows_out);
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

}  // namespace ringsim
