#include "sim/flow/rank.hpp"

#include "sim/recurrence/kernel_log.hpp"
#include "sim/recurrence/operation_times.hpp"

#include <algorithm>

namespace ringsim::sim::flow {

namespace s4u = simgrid::s4u;

namespace {

double by_rank(const std::vector<double>& values, std::size_t index, double otherwise) {
  return values.empty() ? otherwise : values.at(index);
}

}  // namespace

Rank::Rank(JobState& job, RingRun& run, std::size_t ring_index, std::int64_t rank, std::size_t actor)
    : job_(job),
      run_(run),
      ring_(ring_index),
      rank_(rank),
      actor_(actor),
      owns_(run.lowered->streams),
      streams_(run.lowered->streams),
      rows_(run.lowered->streams, -1),
      events_(run.lowered->events) {
  for (std::size_t role = 0; role < run.roles(); ++role) {
    const std::size_t index = role * static_cast<std::size_t>(run.ranks()) + static_cast<std::size_t>(rank);
    host_s_.push_back(by_rank(run.machine.start_s, index, 0.0));
  }
  for (const StreamId stream : run.actors[actor]) {
    owns_[stream] = true;
    const std::size_t index = role_of(stream) * static_cast<std::size_t>(run.ranks()) + static_cast<std::size_t>(rank);
    streams_[stream] = by_rank(run.machine.start_s, index, 0.0);
  }
}

void Rank::operator()() {
  try {
    execute(run_.lowered->body, 0, 0);
    resolve();
    for (std::size_t role = 0; role < run_.roles(); ++role) {
      const StreamId compute = run_.program.compute_stream(role);
      if (!mine(compute)) continue;
      RankState& state = run_.state(rank_, role);
      state.end_s = streams_[compute];
      // Its last kernels run before it has ended: until then its GPU can fail.
      s4u::this_actor::sleep_until(job_.scale.units(state.end_s));
      state.doing = RankState::Doing::finished;
    }
    ++job_.finished;
  } catch (const std::exception&) {
    // Not through the library's frames; it ends an actor by what is no std::exception.
    if (!job_.bug) job_.bug = std::current_exception();
  }
}

void Rank::execute(const std::vector<LoweredNode>& body, std::int64_t layer, std::int64_t step) {
  const std::vector<std::size_t>& tasks = run_.lowered->tasks;
  const bool outermost = &body == &run_.lowered->body;
  for (const LoweredNode& node : body) {
    const auto place = static_cast<std::size_t>(&node - body.data());
    while (outermost && tasks_ < tasks.size() && tasks[tasks_] <= place) ++tasks_;
    if (const auto* instruction = std::get_if<Instruction>(&node)) {
      issue(*instruction, layer, step);
      continue;
    }
    const LoweredLoop& loop = *std::get<std::unique_ptr<LoweredLoop>>(node);
    std::int64_t index = loop.first;
    for (std::int64_t i = 0; i < loop.count; ++i, index += loop.increment) {
      execute(loop.body, loop.loop == Loop::layer ? index : layer, loop.loop == Loop::step ? index : step);
    }
  }
}

// What is on another actor's streams is counted only: records, rows, kernels and collectives have numbers in issue order.
void Rank::issue(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
  using Code = Instruction::Code;
  switch (instruction.code) {
    case Code::record:
      record(instruction, step);
      break;
    case Code::wait:
      wait(instruction, layer, step);
      break;
    case Code::compute:
      compute(instruction, layer, step);
      break;
    case Code::shift:
      shift(instruction, layer, step);
      break;
    case Code::timed:
      timed(instruction, layer, step);
      break;
  }
}

void Rank::record(const Instruction& instruction, std::int64_t step) {
  const std::size_t slot = instruction.event.at(step);
  RecordedEvent& event = events_[slot];
  event.stream = instruction.stream;
  event.time_s = streams_[instruction.stream];
  event.row = rows_[instruction.stream];
  const bool pending = outstanding_.instruction != nullptr && outstanding_.instruction->stream == instruction.stream;
  event.state = !mine(instruction.stream) ? RecordedEvent::State::elsewhere
                : pending                 ? RecordedEvent::State::pending
                                          : RecordedEvent::State::known;
  if (!shares_rank()) return;
  EventBoard& board = run_.boards[static_cast<std::size_t>(rank_)];
  event.number = board.count(actor_, slot);
  if (mine(instruction.stream)) board.publish(slot, event.number, event.time_s);
}

// Rows before this one are waited for by nobody any more.
std::int64_t Rank::oldest_awaited() const {
  std::int64_t oldest = row_;
  for (const RecordedEvent& event : events_) {
    if (event.row >= 0) oldest = std::min(oldest, event.row);
  }
  for (const std::int64_t row : rows_) {
    if (row >= 0) oldest = std::min(oldest, row);
  }
  return oldest;
}

void Rank::wait(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
  const std::size_t slot = instruction.event.at(step);
  const RecordedEvent& event = events_[slot];
  const bool own = mine(instruction.stream);
  if (own) settle(instruction.stream);
  if (own && event.state == RecordedEvent::State::pending) resolve();
  if (event.state == RecordedEvent::State::none) return;
  const bool observed = run_.rows && run_.program.computes_on(instruction.stream);
  const std::int64_t row = observed ? row_++ : -1;
  if (!own) return;
  const double late =
      run_.machine.contest && event.stream != instruction.stream ? in_seconds(run_.machine.event_latency) : 0.0;
  const double time_s = event.state == RecordedEvent::State::elsewhere
                            ? run_.boards[static_cast<std::size_t>(rank_)].wait_for(slot, event.number)
                            : event.time_s;
  double& stream = streams_[instruction.stream];
  const double before = stream;
  stream = std::max(stream, time_s + late);
  if (!observed) return;
  const auto head = [&] {
    return RowHead{.kind = RowHead::Kind::wait,
                   .role = role_of(instruction.stream),
                   .layer = layer,
                   .step = step,
                   .awaited = event.row,
                   .oldest = oldest_awaited()};
  };
  tell(row, head, {before, stream, {}});
}

void Rank::compute(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
  const std::int64_t execution = execution_++;
  if (mine(instruction.stream)) settle(instruction.stream);
  issued(instruction.stream, layer, step);
  const std::int64_t row = run_.rows ? row_++ : -1;
  if (!mine(instruction.stream)) return;
  const std::size_t mask = run_.program.mask_of_layer[static_cast<std::size_t>(layer)];
  const Segments segments = run_.costs.at(*instruction.costs[mask], execution, step);
  const Pass pass = instruction.pass();
  const bool attention = instruction.merge == nullptr;
  double cost_s =
      by_rank(run_.machine.slowdown, static_cast<std::size_t>(rank_), 1.0) * KernelCosts::seconds(segments.all, rank_);
  if (run_.ring.compute.on()) {
    const std::uint64_t operation =
        run_.ring.compute.operation(layer, step, static_cast<std::int64_t>(pass), kind_of_draw(instruction));
    cost_s *= run_.ring.compute.factor(operation, rank_);
  }
  double& stream = streams_[instruction.stream];
  const double start = stream;
  stream = start + cost_s;
  log_kernel(instruction.stream, start, stream);
  if (!run_.rows) return;
  const auto head = [&] {
    return RowHead{.kind = RowHead::Kind::kernel,
                   .role = role_of(instruction.stream),
                   .layer = layer,
                   .step = step,
                   .pass = pass,
                   .attention = attention,
                   .accumulator = attention ? Accumulator::output : instruction.merge->accumulator,
                   .segments = segments};
  };
  tell(row, head, {start, stream, {}});
}

// With a contest: kernels that may hold the SMs against a later shift. Shifts are posted from the clock on.
void Rank::log_kernel(StreamId stream, double start_s, double end_s) {
  if (!run_.machine.contest || !run_.program.computes_on(stream)) return;
  std::vector<Kernel>& kernels =
      run_.kernels[role_of(stream) * static_cast<std::size_t>(run_.ranks()) + static_cast<std::size_t>(rank_)];
  kernels.push_back({start_s, end_s});
}

// The host's clock of a role goes on by one operation, which starts no earlier (Machine::issue).
void Rank::issued(StreamId stream, std::int64_t layer, std::int64_t step) {
  if (in_seconds(run_.machine.issue) <= 0) return;
  const std::size_t role = role_of(stream);
  host_s_[role] += in_seconds(run_.machine.issue);
  const bool observed = run_.rows && run_.program.computes_on(stream);
  const std::int64_t row = observed ? row_++ : -1;
  if (!mine(stream)) return;
  const double before = streams_[stream];
  streams_[stream] = std::max(before, host_s_[role]);
  if (!observed) return;
  const auto head = [&] {
    return RowHead{.kind = RowHead::Kind::wait, .role = role, .layer = layer, .step = step, .oldest = oldest_awaited()};
  };
  tell(row, head, {before, streams_[stream], {}});
}

// An operation on the stream of an outstanding shift needs its end.
void Rank::settle(StreamId stream) {
  if (outstanding_.instruction != nullptr && outstanding_.instruction->stream == stream) resolve();
}

// With a contest a kernel that runs when the shift gets ready keeps the SMs to its end (sim/recurrence/kernel_log.hpp).
double Rank::granted(double request_s, const std::vector<Kernel>& kernels) const {
  for (const Kernel& kernel : kernels) {
    if (kernel.start_s < before_moment(request_s) && request_s < before_moment(kernel.end_s)) return kernel.end_s;
  }
  return request_s;
}

}  // namespace ringsim::sim::flow
