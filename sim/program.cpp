#include "sim/program.hpp"

#include <stdexcept>

namespace ringsim::sim {
namespace {

std::int64_t modulo(std::int64_t a, std::int64_t n) { return (a % n + n) % n; }

}  // namespace

std::int64_t Program::owner(Way way, std::int64_t rank, std::int64_t step) const {
  const std::int64_t n = ring();
  switch (way) {
    case Way::up:
      return modulo(rank - step, n);
    case Way::down:
      return modulo(rank + step, n);
    case Way::inner:
    case Way::outer:
      break;
  }
  // Step k = o·M + i of a ring of N/M rings: o turns of the outer one, then i hops of the inner one.
  const std::int64_t node = rank / inner;
  const std::int64_t place = rank % inner;
  const std::int64_t turns = way == Way::outer ? step : step / inner;
  const std::int64_t hops = way == Way::outer ? 0 : step % inner;
  return modulo(node - turns, n / inner) * inner + modulo(place - hops, inner);
}

StreamId Program::compute_stream(std::size_t role) const {
  for (StreamId s = 0; s < streams.size(); ++s) {
    if (role_of(s) == role && computes_on(s)) return s;
  }
  throw std::logic_error("role " + roles[role] + " has no stream that computes");
}

std::int64_t Program::target(Way way, std::int64_t rank) const {
  const std::int64_t n = ring();
  switch (way) {
    case Way::up:
      return modulo(rank + 1, n);
    case Way::down:
      return modulo(rank - 1, n);
    case Way::inner:
      return rank / inner * inner + modulo(rank + 1, inner);
    case Way::outer:
      break;
  }
  return modulo(rank + inner, n);
}

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

Bytes Program::sent(const Shift& shift, Way way, std::int64_t step, std::int64_t rank) const {
  Bytes total;
  for (const ShiftItem& item : shift.items) {
    if (item.way != way) continue;
    total +=
        tensors[item.tensor].bytes_per_token * static_cast<double>(shards.block(owner(way, rank, step - item.lag)));
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

namespace {

// Bytes of every rank over all shifts; the block of `rank` in a shift item at a step is that of owner(rank, step, lag).
template <class Owner>
std::vector<double> bytes_of_ranks(const Program& program, const Owner& owner) {
  std::vector<double> total(static_cast<std::size_t>(program.ring()), 0.0);
  const std::int64_t different = program.shards.even() ? 1 : program.ring();  // even shards: all ranks send the same
  for_each_execution(program.body, [&](const Operation& operation, std::int64_t, std::int64_t step) {
    const auto* shift = std::get_if<Shift>(&operation.what);
    if (shift == nullptr) return;
    for (std::int64_t r = 0; r < different; ++r) {
      for (const ShiftItem& item : shift->items) {
        const auto tokens = static_cast<double>(program.shards.block(modulo(owner(r, step, item.lag), program.ring())));
        total[static_cast<std::size_t>(r)] += in_bytes(program.tensors[item.tensor].bytes_per_token * tokens);
      }
    }
  });
  if (different == 1) total.assign(total.size(), total[0]);
  return total;
}

}  // namespace

std::vector<double> bytes_sent(const Program& program) {
  return bytes_of_ranks(program, [](std::int64_t r, std::int64_t step, std::int64_t lag) { return r - step + lag; });
}

std::vector<double> bytes_received(const Program& program) {
  // What rank r receives: the blocks that its buffers hold afterwards, one step further on their way.
  return bytes_of_ranks(program,
                        [](std::int64_t r, std::int64_t step, std::int64_t lag) { return r - (step + 1) + lag; });
}

}  // namespace ringsim::sim
