#include "kernels/host/mpi/ring_run.hpp"

#include "kernels/host/overloaded.hpp"
#include "models/error.hpp"

#include <optional>
#include <stdexcept>

namespace ringsim::host {
namespace {

// The stream that is not the compute stream.
sim::StreamId transfer_stream(const IssueList& list, sim::StreamId compute) {
  if (list.stream.size() != 2) {
    throw Error("only programs of one compute stream and one transfer stream can be run over MPI", "program");
  }
  return 1 - compute;
}

}  // namespace

void StreamPositions::reset() {
  for (auto& position : positions_) position.store(0, std::memory_order_relaxed);
}

bool StreamPositions::passed(const WaitFor& wait) const {
  if (!wait.record) return true;
  const Instruction& record = list_.instructions[*wait.record];
  return of(record.stream) > record.position;
}

template <class T>
void TransferStream<T>::reset(std::vector<OperationTimes>& times) {
  times_ = &times;
  started_ = false;
}

template <class T>
Poll TransferStream<T>::advance() {
  const std::vector<std::size_t>& queue = list_.stream[stream_];
  bool moved = false;
  for (std::size_t position = positions_.of(stream_); position < queue.size(); ++position) {
    if (!execute(list_.instructions[queue[position]], (*times_)[queue[position]])) {
      return moved ? Poll::moved : Poll::idle;
    }
    started_ = false;
    moved = true;
    positions_.advance(stream_);
  }
  return Poll::finished;
}

// False where it has to be asked again.
template <class T>
bool TransferStream<T>::execute(const Instruction& instruction, OperationTimes& times) {
  const bool starts = !started_;
  started_ = true;
  if (const auto* wait = std::get_if<WaitFor>(&instruction.what)) {
    if (starts) times.begin_s = now_s();
    if (!positions_.passed(*wait)) return false;
    times.end_s = now_s();
  } else if (const auto* shift = std::get_if<const sim::Shift*>(&instruction.what)) {
    if (starts) post(**shift, instruction.step);
    if (!exchange_.progress()) return false;
    times = {exchange_.posted_s(), exchange_.done_s(), exchange_.received_s()};
  } else if (std::holds_alternative<Recorded>(instruction.what)) {
    times.begin_s = times.end_s = now_s();
  } else {
    throw std::logic_error("a kernel on the transfer stream");
  }
  return true;
}

template <class T>
void TransferStream<T>::post(const sim::Shift& shift, std::int64_t step) {
  rank_.outgoing(shift, step, sends_);
  rank_.incoming(shift, step, receives_);
  outgoing_.clear();
  incoming_.clear();
  for (const std::span<const T>& message : sends_) outgoing_.push_back(std::as_bytes(message));
  for (const std::span<T>& message : receives_) incoming_.push_back(std::as_writable_bytes(message));
  exchange_.post(outgoing_, incoming_);
}

template <class T>
RingRun<T>::RingRun(const Communicator& ranks, const IssueList& list, Rank<T>& rank, Exchange& exchange,
                    bool transfer_thread)
    : ranks_(ranks),
      list_(list),
      rank_(rank),
      transfer_thread_(transfer_thread),
      compute_(compute_stream(list)),
      positions_(list),
      transfers_(list, transfer_stream(list, compute_), rank, exchange, positions_) {
  if (!transfer_thread) {
    progress_ = {[](void* transfers) { static_cast<TransferStream<T>*>(transfers)->advance(); }, &transfers_};
  }
}

template <class T>
void RingRun<T>::run(std::vector<OperationTimes>& times) {
  times.assign(list_.instructions.size(), {});
  positions_.reset();
  transfers_.reset(times);
  std::atomic<bool> started = false;
  std::optional<ProgressThread> thread;
  if (transfer_thread_) {
    // One thread at a time may call MPI: until all ranks have met that is this one.
    thread.emplace([&] { return started.load(std::memory_order_acquire) ? transfers_.advance() : Poll::idle; });
  }
  thread_ = thread ? &*thread : nullptr;
  ranks_.start_together();
  started.store(true, std::memory_order_release);
  for (const std::size_t index : list_.stream[compute_]) {
    execute(list_.instructions[index], times[index]);
    positions_.advance(compute_);
    // What an event frees starts now, not after the next kernel's first tile.
    if (std::holds_alternative<Recorded>(list_.instructions[index].what)) progress_();
  }
  const sim::StreamId transfer = 1 - compute_;
  wait_until([&] { return positions_.of(transfer) == list_.stream[transfer].size(); });
  if (thread) thread->join();
  thread_ = nullptr;
}

template <class T>
void RingRun<T>::execute(const Instruction& instruction, OperationTimes& times) {
  times.begin_s = now_s();
  bool worked = true;
  std::visit(Overloaded{[&](const LayerBegin& begin) { rank_.begin(begin.pass, instruction.layer); },
                        [&](const LayerEnd& end) { rank_.end(end.pass, instruction.layer); },
                        [&](const sim::Attend* attend) {
                          worked = rank_.attend(*attend, instruction.layer, instruction.step, progress_);
                        },
                        [&](const sim::Merge* merge) {
                          worked = rank_.merge(*merge, instruction.layer, instruction.step, progress_);
                        },
                        [&](const WaitFor& wait) { wait_until([&] { return positions_.passed(wait); }); },
                        [&](const Recorded&) { worked = false; },
                        [](const sim::Shift*) { throw std::logic_error("a transfer on the compute stream"); },
                        [](const sim::Collective*) { throw std::logic_error("a collective over MPI"); }},
             instruction.what);
  times.end_s = worked ? now_s() : times.begin_s;
}

// Waits, with the transfers going on. Where ranks share cores, the others must get theirs.
template <class T>
template <class Finished>
void RingRun<T>::wait_until(const Finished& finished) {
  constexpr int polls_before_yield = 200;
  for (int idle = 0; !finished(); ++idle) {
    if (thread_ == nullptr) {
      if (transfers_.advance() != Poll::idle) idle = 0;
    } else if (thread_->failed()) {
      thread_->join();
    }
    if (idle > polls_before_yield) std::this_thread::yield();
  }
}

template class TransferStream<float>;
template class TransferStream<double>;
template class RingRun<float>;
template class RingRun<double>;

}  // namespace ringsim::host
