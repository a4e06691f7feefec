#include "sim/program.hpp"

namespace ringsim::sim {
namespace {

std::int64_t modulo(std::int64_t a, std::int64_t n) { return (a % n + n) % n; }

}  // namespace

std::vector<WorkSegment> Program::work(const Attend& attend, std::int64_t layer, std::int64_t step) const {
  const Mask& mask = masks[mask_of_layer[static_cast<std::size_t>(layer)]];
  return shards.step_work(step, attend.queries == Block::travelling, mask);
}

Bytes Program::sent(const Shift& shift, std::int64_t step, std::int64_t rank) const {
  Bytes total;
  for (const ShiftItem& item : shift.items) {
    const std::int64_t owner = modulo(rank - step + item.lag, ring());
    total += tensors[item.tensor].bytes_per_token * static_cast<double>(shards.block(owner));
  }
  return total;
}

Flop useful_flop(const Program& program, Pass pass) {
  double entries = 0;
  for_each_execution(program.body, [&](const Operation& operation, std::int64_t layer, std::int64_t step) {
    const auto* attend = std::get_if<Attend>(&operation.what);
    if (attend == nullptr || attend->pass != pass) return;
    for (const WorkSegment& s : program.work(*attend, layer, step)) {
      entries += static_cast<double>(s.work.entries) * static_cast<double>(s.end - s.begin);
    }
  });
  return attention_flop(program.shape.heads, pass, entries);
}

std::vector<double> bytes_sent(const Program& program) {
  std::vector<double> total(static_cast<std::size_t>(program.ring()), 0.0);
  for_each_execution(program.body, [&](const Operation& operation, std::int64_t, std::int64_t step) {
    const auto* shift = std::get_if<Shift>(&operation.what);
    if (shift == nullptr) return;
    for (std::int64_t r = 0; r < program.ring(); ++r) total[static_cast<std::size_t>(r)] += in_bytes(program.sent(*shift, step, r));
  });
  return total;
}

std::vector<double> bytes_received(const Program& program) {
  // What rank r receives: the blocks that its buffers say it holds afterwards, one step further on their way.
  std::vector<double> total(static_cast<std::size_t>(program.ring()), 0.0);
  for_each_execution(program.body, [&](const Operation& operation, std::int64_t, std::int64_t step) {
    const auto* shift = std::get_if<Shift>(&operation.what);
    if (shift == nullptr) return;
    for (std::int64_t r = 0; r < program.ring(); ++r) {
      for (const ShiftItem& item : shift->items) {
        const std::int64_t owner = modulo(r - (step + 1) + item.lag, program.ring());
        total[static_cast<std::size_t>(r)] +=
            in_bytes(program.tensors[item.tensor].bytes_per_token * static_cast<double>(program.shards.block(owner)));
      }
    }
  });
  return total;
}

}  // namespace ringsim::sim
