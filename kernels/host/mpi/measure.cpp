#include "kernels/host/mpi/measure.hpp"

#include "kernels/host/check.hpp"
#include "kernels/host/inputs.hpp"
#include "kernels/host/mpi/check.hpp"
#include "kernels/host/mpi/ring_run.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ringsim::host {
namespace {

constexpr std::int64_t least_repeats = 3;

// What travels must have the size that the program says, or what is measured is not what is predicted.
template <class T>
void check_formats(const RingPlan& plan) {
  const RingShape& shape = plan.program.shape;
  const char* wanted = sizeof(T) == 4 ? "fp32" : "fp64";
  if (bytes_per_element(shape.dtype) != sizeof(T)) {
    throw Error(fmt::format("{} cannot be executed as {}", name_of(shape.dtype), wanted), "workload.dtype", wanted);
  }
  if (plan.roles(Pass::backward).runs && bytes_per_element(shape.gradient) != sizeof(T)) {
    throw Error(fmt::format("{} kernels make no gradients in {}", wanted, name_of(shape.gradient)),
                "ring.gradient_dtype", wanted);
  }
}

// What a process of a rank executes: hops to the next rank, and nothing else between ranks.
void check_exchange(const sim::Program& program) {
  const auto refuse = [](const char* what) {
    throw Error(fmt::format("{} are not executed over MPI", what), "ring.exchange", "one-way, with kv travelling");
  };
  sim::for_each_operation(program.body, [&](const sim::Operation& operation) {
    if (std::holds_alternative<sim::Collective>(operation.what)) refuse("collectives");
    const auto* shift = std::get_if<sim::Shift>(&operation.what);
    if (shift == nullptr) return;
    for (const sim::ShiftItem& item : shift->items) {
      if (item.way != sim::Way::up) refuse("rings that go other ways than up");
    }
  });
  if (program.shards.cached() > 0) throw Error("cached tokens are not executed over MPI", "workload.cached", "0");
}

void check_size(const Communicator& ranks, const sim::Program& program, const MeasureOptions& options) {
  if (ranks.size() != program.ring()) {
    throw Error(fmt::format("a ring of {} on {} MPI ranks", program.ring(), ranks.size()), "parallel.ring",
                fmt::format("mpirun -n {}", program.ring()));
  }
  if (options.check) check_is_possible(program);
}

// Recordings of all ranks on rank 0, nothing elsewhere.
Recording gather(const Communicator& ranks, const std::vector<OperationTimes>& times) {
  std::vector<double> own;
  own.reserve(3 * times.size());
  for (const OperationTimes& t : times) own.insert(own.end(), {t.begin_s, t.end_s, t.received_s});
  Recording recording;
  for (const std::vector<double>& rank : ranks.gather(own)) {
    std::vector<OperationTimes>& of_rank = recording.emplace_back();
    for (std::size_t i = 0; i < rank.size(); i += 3) of_rank.push_back({rank[i], rank[i + 1], rank[i + 2]});
  }
  return recording;
}

}  // namespace

template <class T>
MeasureResult measure(const Communicator& ranks, const sim::Program& program, const MeasureOptions& options) {
  check_exchange(program);
  check_size(ranks, program, options);
  const double scale = options.scale.value_or(1 / std::sqrt(static_cast<double>(program.shape.heads.query_key_dim)));
  const RingPlan plan(program, scale);
  check_formats<T>(plan);
  const IssueList list = issue_list(program);
  Rank<T> rank(plan, ranks.rank());
  for (std::int64_t layer = 0; layer < program.layers(); ++layer) {
    const Positions& own = plan.positions[static_cast<std::size_t>(ranks.rank())];
    fill_inputs(options.seed, layer, own, rank.own_queries(layer));
    fill_inputs(options.seed, layer, own, rank.own_keys(layer));
  }
  Exchange exchange(ranks);
  RingRun<T> ring(ranks, list, rank, exchange, options.transfer_thread);

  MeasureResult result;
  std::vector<OperationTimes> times;
  const double began_s = now_s();
  // Time is up on all ranks when rank 0 says so.
  const auto time_left = [&] { return ranks.broadcast(now_s() - began_s) < options.max_seconds; };
  const auto run = [&] {
    rank.prepare();
    ring.run(times);
  };
  for (std::int64_t i = 0; i < options.warmup && (i == 0 || time_left()); ++i) run();
  const std::int64_t repeats = std::max<std::int64_t>(options.repeats, 1);
  for (std::int64_t i = 0; i < repeats && (i < least_repeats || time_left()); ++i) {
    run();
    Recording recording = gather(ranks, times);
    if (ranks.rank() != 0) continue;
    sim::Observer nobody;
    result.makespans_s.push_back(replay(program, recording, nobody).makespan_s);
    result.recordings.push_back(std::move(recording));
  }
  if (options.check) result.error = deviations(ranks, plan, rank, options.seed);
  return result;
}

template MeasureResult measure<float>(const Communicator&, const sim::Program&, const MeasureOptions&);
template MeasureResult measure<double>(const Communicator&, const sim::Program&, const MeasureOptions&);

}  // namespace ringsim::host
