#include "sim/program.hpp"

#include "models/work_segments.hpp"

#include <algorithm>
#include <stdexcept>

namespace ringsim::sim {
namespace {

std::int64_t modulo(std::int64_t a, std::int64_t n) { return (a % n + n) % n; }

Half half_of(Share share) {
  switch (share) {
    case Share::first_tokens:
      return Half::first;
    case Share::second_tokens:
      return Half::second;
    default:
      return Half::whole;
  }
}

// Where the work of a two-level ring's step may change. As in Shards::step_work it depends on the sizes of the two blocks
// and on which of them lies before the other, but for windows.
std::vector<std::int64_t> two_level_starts(const Program& program, Way way, const Mask& mask, std::int64_t step) {
  const std::int64_t n = program.ring();
  const std::int64_t m = program.inner;
  if (mask.window || !program.shards.even()) return all_ranks(n);
  const std::int64_t turns = modulo(way == Way::outer ? step : step / m, n / m);
  if (turns > 0) return {0, turns * m};  // ranks of the first nodes have blocks that lie behind theirs
  std::vector<std::int64_t> starts;
  for (std::int64_t first = 0; first < n; first += m) {
    starts.push_back(first);
    starts.push_back(first + (way == Way::outer ? 0 : step % m));
  }
  return starts;
}

// The kernel that a merge's tokens are those of.
Attend kernel_of(const Merge& merge) {
  Attend kernel;
  kernel.pass = merge.pass;
  kernel.way = merge.returned ? Way::down : merge.way;
  kernel.share = merge.share;
  if (merge.travelling == (merge.accumulator == Accumulator::q_gradient) && merge.accumulator != Accumulator::output) {
    kernel.queries = Block::travelling;
    kernel.keys = Block::resident;
  }
  return kernel;
}

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

std::int64_t Program::source(Way way, std::int64_t rank) const {
  const std::int64_t n = ring();
  switch (way) {
    case Way::up:
      return modulo(rank - 1, n);
    case Way::down:
      return modulo(rank + 1, n);
    case Way::inner:
      return rank / inner * inner + modulo(rank - 1, inner);
    case Way::outer:
      break;
  }
  return modulo(rank - inner, n);
}

AttendWork Program::work(const Attend& attend, std::int64_t layer, std::int64_t step, std::int64_t rank) const {
  const Mask& mask = masks[mask_of_layer[static_cast<std::size_t>(layer)]];
  const auto block = [&](Block which) { return which == Block::travelling ? owner(attend.way, rank, step) : rank; };
  AttendWork work = attend.keys == Block::all
                        ? shards.work_on_all(block(attend.queries), mask)
                        : shards.work(block(attend.queries), block(attend.keys), mask, half_of(attend.share));
  work.heads = heads_of(attend.share);
  return work;
}

std::vector<WorkSegment> Program::work(const Attend& attend, std::int64_t layer, std::int64_t step) const {
  const Mask& mask = masks[mask_of_layer[static_cast<std::size_t>(layer)]];
  const auto work_of = [&](std::int64_t rank) { return work(attend, layer, step, rank); };
  if (attend.keys == Block::all) {
    const bool by_size = !mask.causal && !mask.window;
    return segments_of(by_size ? std::vector<std::int64_t>{0, shards.remainder()} : all_ranks(ring()), ring(), work_of);
  }
  const bool travels = attend.queries == Block::travelling || attend.keys == Block::travelling;
  if (travels && (attend.way == Way::inner || attend.way == Way::outer)) {
    return segments_of(two_level_starts(*this, attend.way, mask, step), ring(), work_of);
  }
  const std::int64_t shift = !travels ? 0 : attend.way == Way::down ? modulo(-step, ring()) : step;
  std::vector<WorkSegment> segments =
      shards.step_work(shift, attend.queries == Block::travelling, mask, half_of(attend.share));
  for (WorkSegment& segment : segments) segment.work.heads = heads_of(attend.share);
  return segments;
}

AttendWork Program::work(const Merge& merge, std::int64_t layer, std::int64_t step, std::int64_t rank) const {
  if (!merge.from) return work(kernel_of(merge), layer, step, rank);
  const std::int64_t tokens = tokens_of(tensors[merge.into.tensor], owner(merge.way, rank, step));
  AttendWork work{tokens, tokens, tokens * tokens};
  work.heads = heads_of(merge.share);
  return work;
}

std::vector<WorkSegment> Program::work(const Merge& merge, std::int64_t layer, std::int64_t step) const {
  if (!merge.from) return work(kernel_of(merge), layer, step);
  return segments_of(shards.even() ? std::vector<std::int64_t>{0} : all_ranks(ring()), ring(),
                     [&](std::int64_t rank) { return work(merge, layer, step, rank); });
}

std::int64_t Program::tokens_of(const Tensor& tensor, std::int64_t owner) const {
  return tensor.side == Side::queries ? shards.block(owner) : shards.keys_of(owner, half_of(tensor.share));
}

double Program::heads_of(Share share) const {
  if (share != Share::first_heads && share != Share::second_heads) return 1;
  const std::int64_t all = shape.heads.batch * shape.heads.kv_heads;
  const std::int64_t first = (all + 1) / 2;
  return static_cast<double>(share == Share::first_heads ? first : all - first) / static_cast<double>(all);
}

Bytes Program::sent(const ShiftItem& item, std::int64_t step, std::int64_t rank) const {
  const Tensor& tensor = tensors[item.tensor];
  return tensor.bytes_per_token * static_cast<double>(tokens_of(tensor, owner(item.way, rank, step - item.lag)));
}

Bytes Program::sent(const Shift& shift, std::int64_t step, std::int64_t rank) const {
  Bytes total;
  for (const ShiftItem& item : shift.items) total += sent(item, step, rank);
  return total;
}

Bytes Program::sent(const Shift& shift, Way way, std::int64_t step, std::int64_t rank) const {
  Bytes total;
  for (const ShiftItem& item : shift.items) {
    if (item.way == way) total += sent(item, step, rank);
  }
  return total;
}

bool same_in_every_step(const Program& program, const Operation& operation, std::int64_t layer) {
  if (std::holds_alternative<Repeat>(operation.what)) return false;
  if (std::holds_alternative<Record>(operation.what) || std::holds_alternative<Wait>(operation.what)) return true;
  if (!program.shards.even()) return false;
  if (!std::holds_alternative<Attend>(operation.what) && !std::holds_alternative<Merge>(operation.what)) return true;
  const Mask& mask = program.masks[program.mask_of_layer[static_cast<std::size_t>(layer)]];
  return !mask.causal && !mask.window;
}

Flop useful_flop(const Program& program, Pass pass) {
  double entries = 0;
  const auto add = [&](const Operation& operation, std::int64_t layer, std::int64_t step, double times) {
    const auto* attend = std::get_if<Attend>(&operation.what);
    if (attend == nullptr || attend->pass != pass) return;
    for (const WorkSegment& s : program.work(*attend, layer, step)) {
      entries += times * (static_cast<double>(s.work.entries) * s.work.heads * static_cast<double>(s.end - s.begin));
    }
  };
  for_each_amount(program, program.body, add);
  return attention_flop(program.shape.heads, pass, entries);
}

namespace {

// Bytes of every rank over all shifts: those that the rank `by(way, rank)` sends.
template <class By>
std::vector<double> bytes_of_ranks(const Program& program, const By& by) {
  std::vector<double> total(static_cast<std::size_t>(program.ring()), 0.0);
  const std::int64_t different = program.shards.even() ? 1 : program.ring();  // even shards: all ranks send the same
  for_each_execution(program.body, [&](const Operation& operation, std::int64_t, std::int64_t step) {
    const auto* shift = std::get_if<Shift>(&operation.what);
    if (shift == nullptr) return;
    for (std::int64_t r = 0; r < different; ++r) {
      for (const ShiftItem& item : shift->items) {
        total[static_cast<std::size_t>(r)] += in_bytes(program.sent(item, step, by(item.way, r)));
      }
    }
  });
  if (different == 1) total.assign(total.size(), total[0]);
  return total;
}

// Ranks of a group that divides a sequence; none else.
std::int64_t members(const Program& program, Group group) {
  switch (group) {
    case Group::ring:
      return program.ring();
    case Group::ulysses:
      return program.ulysses;
    case Group::context:
      return program.ring() * program.ulysses;
    default:
      return 1;
  }
}

}  // namespace

std::vector<double> bytes_sent(const Program& program) {
  return bytes_of_ranks(program, [](Way, std::int64_t r) { return r; });
}

std::vector<double> bytes_received(const Program& program) {
  return bytes_of_ranks(program, [&](Way way, std::int64_t r) { return program.source(way, r); });
}

std::vector<double> collective_bytes_sent(const Program& program) {
  std::vector<double> total(static_cast<std::size_t>(program.ring()), 0.0);
  for_each_execution(program.body, [&](const Operation& operation, std::int64_t layer, std::int64_t) {
    const auto* collective = std::get_if<Collective>(&operation.what);
    if (collective == nullptr) return;
    const CollectiveTraffic& traffic = program.traffic[of_kind(collective->traffic, program, layer)];
    const auto n = static_cast<double>(members(program, traffic.group));
    const double part = (traffic.kind == CollectiveKind::all_reduce ? 2 : 1) * (n - 1) / n;
    for (std::size_t r = 0; r < total.size(); ++r) {
      total[r] += in_bytes(program.size_of(traffic, static_cast<std::int64_t>(r))) * part;
    }
  });
  return total;
}

}  // namespace ringsim::sim
