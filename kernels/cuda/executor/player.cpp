#include "kernels/cuda/executor/player.hpp"

#include "kernels/cuda/executor/clock.hpp"
#include "models/error.hpp"

namespace ringsim::cuda {
namespace {

int use(int device) {
  check(cudaSetDevice(device), "cudaSetDevice");
  return device;
}

}  // namespace

// A rank on its device: a stream for each of the program's, and the events.
struct Player::Seat {
  Seat(const host::IssueList& list, Place place, sim::StreamId compute) : rank(*place.rank), device(use(place.device)) {
    for (std::size_t s = 0; s < list.stream.size(); ++s) {
      streams.emplace_back(s == compute ? Stream::Priority::low : Stream::Priority::high);
    }
    for (const host::Instruction& instruction : list.instructions) {
      const bool records = std::holds_alternative<host::Recorded>(instruction.what);
      recorded.push_back(records ? std::optional<Event>(Event::Kind::ordering) : std::nullopt);
      ended.emplace_back();
    }
    for (std::size_t s = 0; s < list.stream.size(); ++s) joined.emplace_back(Event::Kind::ordering);
    compute_stream = streams[compute].get();
  }

  DeviceRank& rank;
  int device;  // current when all that follows is made, as streams and events belong to the device that is
  std::vector<Stream> streams;
  cudaStream_t compute_stream = nullptr;
  Event started, finished;                     // of the run, timing
  std::vector<std::optional<Event>> recorded;  // of Recorded instructions
  std::vector<Event> ended;                    // of every instruction, timing
  std::vector<Event> joined;                   // of every stream: its last operation
  Gate gate;
};

Player::Player(const host::IssueList& list, const std::vector<Place>& ranks, HopPort& port, PlayerOptions options)
    : list_(list), port_(port), options_(options) {
  if (options.graph && ranks.size() > 1) throw Error("a graph holds the operations of one rank a process", "graph");
  const sim::StreamId compute = host::compute_stream(list);
  for (const Place& place : ranks) seats_.push_back(std::make_unique<Seat>(list, place, compute));
}

Player::~Player() = default;

void Player::run() { play(false); }

std::vector<std::vector<host::OperationTimes>> Player::run_timed() {
  play(true);
  std::vector<std::vector<host::OperationTimes>> times;
  for (const auto& seat : seats_) {
    std::vector<host::OperationTimes>& of_rank = times.emplace_back(list_.instructions.size());
    for (const std::vector<std::size_t>& stream : list_.stream) {
      double at_s = 0;
      for (const std::size_t index : stream) {
        const double end_s = seconds_between(seat->started, seat->ended[index]);
        of_rank[index] = {at_s, end_s, end_s};
        at_s = end_s;
      }
    }
  }
  return times;
}

void Player::play(bool timed) {
  if (!options_.graph) {
    close_gates();
    const double begin_s = now_s();
    issue(timed);
    enqueue_s_ = now_s() - begin_s;
    finish();
    return;
  }
  Seat& seat = *seats_.front();
  use(seat.device);
  std::optional<Graph>& captured = timed ? timed_graph_ : graph_;
  if (!captured) captured.emplace(seat.compute_stream, [&] { issue(timed); });
  const double begin_s = now_s();
  captured->launch(seat.compute_stream);
  enqueue_s_ = now_s() - begin_s;
  finish();
}

// Until everything before the start is enqueued on all devices, none of them starts: the common start of their clocks.
void Player::close_gates() {
  if (seats_.size() == 1) return;  // nobody to wait for
  for (const auto& seat : seats_) {
    use(seat->device);
    seat->gate.close(seat->compute_stream);
  }
}

void Player::open_gates() {
  if (seats_.size() == 1) return;
  for (const auto& seat : seats_) seat->gate.release();
}

void Player::issue(bool timed) {
  // A timing event in a graph is a node only if it is recorded as one of outside.
  const unsigned how = options_.graph ? cudaEventRecordExternal : cudaEventRecordDefault;
  for (const auto& seat : seats_) {
    use(seat->device);
    check(cudaEventRecordWithFlags(seat->started.get(), seat->compute_stream, how), "cudaEventRecordWithFlags");
    seat->joined[0].record(seat->compute_stream);
    for (const Stream& stream : seat->streams) {
      if (stream.get() != seat->compute_stream) seat->joined[0].hold_back(stream.get());
    }
  }
  open_gates();
  for (std::size_t i = 0; i < list_.instructions.size(); ++i) issue_instruction(i, timed);
  for (const auto& seat : seats_) {
    use(seat->device);
    for (std::size_t s = 0; s < seat->streams.size(); ++s) {
      if (seat->streams[s].get() == seat->compute_stream) continue;
      seat->joined[s].record(seat->streams[s].get());
      seat->joined[s].hold_back(seat->compute_stream);
    }
    check(cudaEventRecordWithFlags(seat->finished.get(), seat->compute_stream, how), "cudaEventRecordWithFlags");
  }
}

void Player::issue_instruction(std::size_t index, bool timed) {
  const host::Instruction& instruction = list_.instructions[index];
  if (std::holds_alternative<const sim::Shift*>(instruction.what)) issue_hops(index);
  for (const auto& seat : seats_) {
    cudaStream_t stream = seat->streams[instruction.stream].get();
    use(seat->device);
    if (std::holds_alternative<host::Recorded>(instruction.what)) {
      seat->recorded[index]->record(stream);
    } else if (const auto* wait = std::get_if<host::WaitFor>(&instruction.what)) {
      if (wait->record) seat->recorded[*wait->record]->hold_back(stream);
    } else {
      seat->rank.enqueue(instruction, stream);
    }
    if (!timed) continue;
    const unsigned how = options_.graph ? cudaEventRecordExternal : cudaEventRecordDefault;
    check(cudaEventRecordWithFlags(seat->ended[index].get(), stream, how), "cudaEventRecordWithFlags");
  }
}

void Player::issue_hops(std::size_t index) {
  const host::Instruction& instruction = list_.instructions[index];
  const sim::Shift& shift = *std::get<const sim::Shift*>(instruction.what);
  std::vector<Hop> hops;
  hops.reserve(seats_.size());
  for (const auto& seat : seats_) {
    hops.push_back({seat->device, seat->rank.outgoing(shift, instruction.layer, instruction.step),
                    seat->rank.incoming(shift, instruction.layer, instruction.step),
                    seat->streams[instruction.stream].get()});
  }
  port_.enqueue(hops);
}

void Player::finish() {
  ends_s_.clear();
  for (const auto& seat : seats_) {
    use(seat->device);
    seat->finished.synchronize();
    if (seat->gate.timed_out()) throw Error("the ranks did not start together: the host took too long to enqueue");
    ends_s_.push_back(seconds_between(seat->started, seat->finished));
  }
}

}  // namespace ringsim::cuda
