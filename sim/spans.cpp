#include "sim/spans.hpp"

namespace ringsim::sim {

std::string attention_name(Pass pass) { return pass == Pass::forward ? "attend" : "attend backward"; }

std::string merge_name(Accumulator accumulator) {
  switch (accumulator) {
    case Accumulator::output:
      return "merge O";
    case Accumulator::q_gradient:
      return "add dQ";
    case Accumulator::kv_gradient:
      break;
  }
  return "add dK/dV";
}

std::string shift_name(const Program& program, const Shift& shift) {
  std::string name = "shift";
  for (const ShiftItem& item : shift.items) {
    name += (name == "shift" ? " " : " + ") + program.tensors[item.tensor].name;
  }
  return name;
}

}  // namespace ringsim::sim
