#include "sim/flow/rank.hpp"

#include "sim/recurrence/kernel_log.hpp"
#include "sim/schedules/ring.hpp"

#include <algorithm>

namespace ringsim::sim::flow {

namespace s4u = simgrid::s4u;

Rank::Rank(JobState& job, RingRun& run, std::size_t ring_index, std::int64_t rank, s4u::Mailbox* to, s4u::Mailbox* from)
    : job_(job),
      run_(run),
      ring_(ring_index),
      rank_(rank),
      to_(to),
      from_(from),
      state_(run.states[static_cast<std::size_t>(rank)]),
      slowdown_(run.machine.slowdown.empty() ? 1.0 : run.machine.slowdown[static_cast<std::size_t>(rank)]),
      streams_(run.lowered->streams,
               run.machine.start_s.empty() ? 0.0 : run.machine.start_s[static_cast<std::size_t>(rank)]),
      events_(run.lowered->events) {}

void Rank::operator()() {
  try {
    execute(run_.lowered->body, 0, 0);
    resolve();
    state_.end_s = streams_[ring_program::compute];
    // Its last kernels run before it has ended: until then its GPU can fail.
    s4u::this_actor::sleep_until(job_.scale.units(state_.end_s));
    state_.doing = RankState::Doing::finished;
    ++job_.finished;
  } catch (const std::exception&) {
    // Not through the library's frames; it ends an actor by what is no std::exception.
    if (!job_.bug) job_.bug = std::current_exception();
  }
}

void Rank::execute(const std::vector<LoweredNode>& body, std::int64_t layer, std::int64_t step) {
  for (const LoweredNode& node : body) {
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
  }
}

void Rank::record(const Instruction& instruction, std::int64_t step) {
  const bool pending = outstanding_.instruction != nullptr && outstanding_.instruction->stream == instruction.stream;
  events_[instruction.event.at(step)] = {pending ? RecordedEvent::State::pending : RecordedEvent::State::known,
                                         streams_[instruction.stream], instruction.stream};
}

void Rank::wait(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
  const RecordedEvent& event = events_[instruction.event.at(step)];
  settle(instruction.stream);
  if (event.state == RecordedEvent::State::pending) resolve();
  if (event.state == RecordedEvent::State::none) return;
  const double late =
      run_.machine.contest && event.stream != instruction.stream ? in_seconds(run_.machine.event_latency) : 0.0;
  double& stream = streams_[instruction.stream];
  const double before = stream;
  stream = std::max(stream, event.time_s + late);
  if (run_.rows && instruction.stream == ring_program::compute) {
    const auto head = [&] { return RowHead{.kind = RowHead::Kind::wait, .layer = layer, .step = step}; };
    run_.rows->wait(row_++, rank_, head, before, stream);
  }
}

void Rank::compute(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
  settle(instruction.stream);
  const std::size_t mask = run_.program.mask_of_layer[static_cast<std::size_t>(layer)];
  const Segments segments = run_.costs.at(*instruction.costs[mask], execution_++, step);
  const Pass pass = instruction.attend->pass;
  const bool attention = instruction.merge == nullptr;
  double cost_s = slowdown_ * KernelCosts::seconds(segments.all, rank_);
  if (run_.ring.compute.on()) {
    const std::int64_t kind = attention ? attention_kind : merge_kind(static_cast<int>(instruction.merge->accumulator));
    cost_s *= run_.ring.compute.factor(run_.ring.compute.operation(layer, step, static_cast<std::int64_t>(pass), kind),
                                       rank_);
  }
  double& stream = streams_[instruction.stream];
  const double start = stream;
  stream = start + cost_s;
  if (run_.machine.contest) kernels_.push_back({start, stream});
  if (run_.rows) {
    const auto head = [&] {
      return RowHead{.kind = RowHead::Kind::kernel,
                     .layer = layer,
                     .step = step,
                     .attention = attention,
                     .accumulator = attention ? Accumulator::output : instruction.merge->accumulator,
                     .pass = pass,
                     .segments = segments};
    };
    run_.rows->kernel(row_++, rank_, head, start, stream);
  }
}

void Rank::shift(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
  settle(instruction.stream);
  outstanding_ = {&instruction, layer, step, -1};
  // Observers see a shift where the recurrence executes it: at once, or with a contest when its end is needed.
  if (run_.rows && !run_.machine.contest) outstanding_.row = row_++;
}

// An operation on the stream of an outstanding shift needs its end.
void Rank::settle(StreamId stream) {
  if (outstanding_.instruction != nullptr && outstanding_.instruction->stream == stream) resolve();
}

// With a contest a kernel that runs when the shift gets ready keeps the SMs to its end (sim/recurrence/kernel_log.hpp).
double Rank::granted(double request_s) const {
  for (const Kernel& kernel : kernels_) {
    if (kernel.start_s < before_moment(request_s) && request_s < before_moment(kernel.end_s)) return kernel.end_s;
  }
  return request_s;
}

void Rank::resolve() {
  if (outstanding_.instruction == nullptr) return;
  Outstanding now = std::exchange(outstanding_, {});
  double& stream = streams_[now.instruction->stream];
  const double posted = run_.machine.contest ? granted(stream) : stream;
  const HopTime out = run_.hop_time(*now.instruction, now.layer, now.step, rank_);
  const HopTime in = run_.hop_time(*now.instruction, now.layer, now.step, run_.before(rank_));
  state_.shift = now.instruction->shift;
  state_.layer = now.layer;
  state_.step = now.step;
  state_.posted_s = posted;
  const Arrivals ends = exchange(posted, out, in);
  stream = std::max(ends.sent_s, ends.received_s);
  for (RecordedEvent& event : events_) {
    if (event.state != RecordedEvent::State::pending) continue;
    event.state = RecordedEvent::State::known;
    event.time_s = stream;
  }
  std::erase_if(kernels_, [&](const Kernel& kernel) { return kernel.end_s <= stream; });
  if (!run_.rows) return;
  if (now.row < 0) now.row = row_++;
  const auto head = [&] {
    return RowHead{
        .kind = RowHead::Kind::transfer, .layer = now.layer, .step = now.step, .shift = now.instruction->shift};
  };
  run_.rows->transfer(now.row, rank_, head, posted, stream, ends.received_s);
}

Rank::Arrivals Rank::exchange(double posted_s, const HopTime& out, const HopTime& in) {
  static int no_content = 0;
  void* nowhere = nullptr;
  const double send_at = job_.scale.units(posted_s + out.latency_s);
  const double receive_at = job_.scale.units(posted_s + in.latency_s);
  s4u::CommPtr sent;
  s4u::CommPtr received;
  const auto send = [&] {
    s4u::this_actor::sleep_until(send_at);
    sent = to_->put_init();
    sent->set_src_data(&no_content, sizeof(void*));
    sent->set_remaining(out.wire_bytes);
    sent->start();
  };
  const auto receive = [&] {
    s4u::this_actor::sleep_until(receive_at);
    received = from_->get_async<void>(&nowhere);
  };
  state_.doing = RankState::Doing::exchanging;
  ++state_.transfers;
  if (send_at <= receive_at) {
    send();
    receive();
  } else {
    receive();
    send();
  }
  const double received_s = arrival(*received, run_.before(rank_));
  const double sent_s = arrival(*sent, rank_);
  if (lost_) wait_for_ever();
  state_.doing = RankState::Doing::computing;
  ++run_.messages;
  return {sent_s, received_s};
}

// The moment at which a hop has arrived.
double Rank::arrival(s4u::Comm& hop, std::int64_t hop_index) {
  try {
    hop.wait();
    return job_.scale.seconds(hop.get_finish_time());
  } catch (const simgrid::NetworkFailureException&) {
    lost_ = true;
    const double now = job_.scale.seconds(s4u::Engine::get_clock());
    const bool known = std::any_of(job_.lost.begin(), job_.lost.end(),
                                   [&](const LostHop& other) { return other.ring == ring_ && other.hop == hop_index; });
    if (!known) job_.lost.push_back({ring_, hop_index, now, state_.shift, state_.layer, state_.step});
    return now;
  }
}

// The rank stays where it is: its other hop goes on, and who depends on it comes to wait for it.
void Rank::wait_for_ever() {
  state_.doing = RankState::Doing::lost;
  while (true) s4u::this_actor::suspend();
}

}  // namespace ringsim::sim::flow
