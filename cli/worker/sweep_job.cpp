// A sweep on the ranks of an MPI run: every rank takes blocks of points from a shared counter, rank 0 writes.
//
// No rank asks another for work: the counter is a one-sided window on rank 0. Rows go to rank 0 as messages, one of each rank under
// way at a time, and leave in the order of the points. A rank that is far ahead of what has been written waits, so that memory does
// not grow with the number of points.

#include "cli/sweep/evaluator.hpp"
#include "cli/sweep/file.hpp"
#include "cli/sweep/in_order.hpp"
#include "cli/sweep/job.hpp"
#include "cli/worker/jobs.hpp"
#include "kernels/host/mpi/shared_counters.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace ringsim::cli {
namespace {

constexpr int rows_tag = 1;
constexpr std::size_t taken = 0;  // counters
constexpr std::size_t written = 1;
constexpr std::int64_t ahead_of_rank = 4096;  // points

void rest() { std::this_thread::sleep_for(std::chrono::microseconds(200)); }

/// Ends this rank where mpirun has gone, which was killed: whoever starts the sweep again finds nobody writing.
class Launcher {
 public:
  explicit Launcher(std::int64_t process) : process_(static_cast<pid_t>(process)) {}
  void end_with_it() {
    constexpr auto often = std::chrono::milliseconds(50);
    const auto now = std::chrono::steady_clock::now();
    if (process_ == 0 || now - looked_ < often) return;
    looked_ = now;
    if (::kill(process_, 0) != 0 && errno == ESRCH) std::_Exit(1);
  }

 private:
  pid_t process_;
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
};

/// Blocks of points, as this rank takes and evaluates them.
class Points {
 public:
  Points(Evaluator& evaluator, const host::SharedCounters& counters, std::int64_t first, int ranks,
         double block_seconds)
      : evaluator_(evaluator),
        counters_(counters),
        first_(first),
        most_ahead_(ahead_of_rank * ranks),
        size_(block_seconds) {}

  [[nodiscard]] bool all_taken() const { return all_taken_; }
  /// The rows of a block that nobody else has; nothing where none is left, or where this rank has to wait.
  std::optional<RowBlock> next() {
    if (all_taken_ || counters_.read(taken) - counters_.read(written) > most_ahead_) return std::nullopt;
    RowBlock block;
    block.first = first_ + counters_.add(taken, size_.points());
    block.count = std::min(size_.points(), evaluator_.points() - block.first);
    if (block.count <= 0) {
      all_taken_ = true;
      return std::nullopt;
    }
    const auto start = std::chrono::steady_clock::now();
    const std::int64_t failed = evaluator_.failed();
    evaluator_.append_rows(block.first, block.count, block.rows);
    block.failed = evaluator_.failed() - failed;
    size_.took(block.count, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return block;
  }

 private:
  Evaluator& evaluator_;
  const host::SharedCounters& counters_;
  std::int64_t first_;
  std::int64_t most_ahead_;
  BlockSize size_;
  bool all_taken_ = false;
};

// A block as a message: three numbers, then its rows.
struct BlockHead {
  std::int64_t first = 0, count = 0, failed = 0;
};

std::string message_of(const RowBlock& block) {
  const BlockHead head{block.first, block.count, block.failed};
  std::string message(sizeof head, '\0');
  std::memcpy(message.data(), &head, sizeof head);
  return message + block.rows;
}

RowBlock block_of(const std::string& message) {
  BlockHead head;
  std::memcpy(&head, message.data(), sizeof head);
  return {head.first, head.count, message.substr(sizeof head), head.failed};
}

/// Sends blocks to rank 0, the next one being worked on while one is under way.
class Sender {
 public:
  explicit Sender(const host::Communicator& ranks) : ranks_(ranks) {}
  void send(const RowBlock& block) {
    wait();
    message_ = message_of(block);
    host::check_mpi(MPI_Isend(message_.data(), static_cast<int>(message_.size()), MPI_CHAR, 0, rows_tag,
                              ranks_.handle(), &request_),
                    "MPI_Isend");
  }
  void wait() { host::check_mpi(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait"); }

 private:
  const host::Communicator& ranks_;
  std::string message_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// A block that has come from another rank, if one has.
std::optional<RowBlock> received(const host::Communicator& ranks) {
  int there = 0;
  MPI_Status status;
  host::check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, rows_tag, ranks.handle(), &there, &status), "MPI_Iprobe");
  if (there == 0) return std::nullopt;
  int size = 0;
  host::check_mpi(MPI_Get_count(&status, MPI_CHAR, &size), "MPI_Get_count");
  std::string message(static_cast<std::size_t>(size), '\0');
  host::check_mpi(
      MPI_Recv(message.data(), size, MPI_CHAR, status.MPI_SOURCE, rows_tag, ranks.handle(), MPI_STATUS_IGNORE),
      "MPI_Recv");
  return block_of(message);
}

// Where there is no file, the parent gets rows line by line.
void print_rows(std::string_view rows) {
  while (!rows.empty()) {
    const std::size_t end = rows.find('\n');
    std::printf("row %.*s\n", static_cast<int>(end), rows.data());
    rows.remove_prefix(end + 1);
  }
  std::fflush(stdout);
}

}  // namespace

std::string run_sweep_job(const std::string& text, host::Communicator& ranks) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a parent that was killed does not leave us writing
  const SweepJob job = sweep_job_of(text);
  Evaluator evaluator(job);
  const bool writes = ranks.rank() == 0;
  std::optional<SweepFile> file;
  if (writes && !job.output.empty()) file.emplace(job, evaluator);
  if (writes && job.output.empty()) print_rows(evaluator.header());
  const auto first = static_cast<std::int64_t>(ranks.broadcast(file ? static_cast<double>(file->done()) : 0.0));
  const host::SharedCounters counters(ranks, 2);
  // Rank 0 has the others waiting when it works on a block for long.
  Points points(evaluator, counters, first, ranks.size(), writes ? 0.002 : 0.01);
  Launcher launcher(job.launcher);
  std::int64_t failed = 0;
  if (!writes) {
    Sender to_writer(ranks);
    while (!points.all_taken()) {
      launcher.end_with_it();
      if (const std::optional<RowBlock> block = points.next()) {
        to_writer.send(*block);
      } else if (!points.all_taken()) {
        rest();
      }
    }
    to_writer.wait();
  } else {
    InOrder in_order(first);
    auto shown = std::chrono::steady_clock::now();
    while (in_order.next() < evaluator.points()) {
      launcher.end_with_it();
      bool idle = true;
      while (std::optional<RowBlock> block = received(ranks)) {
        in_order.put(std::move(*block));
        idle = false;
      }
      if (std::optional<RowBlock> own = points.next()) {
        in_order.put(std::move(*own));
        idle = false;
      }
      std::size_t blocks = 0;
      const RowBlock ready = in_order.take(blocks);
      if (ready.count > 0) {
        file ? file->write(ready.rows) : print_rows(ready.rows);
        static_cast<void>(counters.add(written, ready.count));
        failed += ready.failed;
      }
      const auto now = std::chrono::steady_clock::now();
      if (job.show_progress && now - shown > std::chrono::milliseconds(200)) {
        shown = now;
        std::printf("progress %lld %lld\n", static_cast<long long>(in_order.next()),
                    static_cast<long long>(evaluator.points()));
        std::fflush(stdout);
      }
      if (idle) rest();
    }
  }
  ranks.barrier();
  return writes ? fmt::format("{} {} {}", evaluator.points(), first, failed) : std::string();
}

}  // namespace ringsim::cli
