#include "kernels/cuda/executor/clock.hpp"
#include "kernels/cuda/executor/inputs.hpp"
#include "kernels/cuda/executor/measure.hpp"
#include "kernels/cuda/executor/results.hpp"
#include "kernels/host/check.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace ringsim::cuda {
namespace {

// A row of numbers for each of this process's ranks, which may differ in length; those of all ranks on process 0. One process has all
// ranks, or each of several has one: a call a rank gives them in order either way.
std::vector<std::vector<double>> gather_rows(Processes& processes, const std::vector<std::vector<double>>& own) {
  std::vector<std::vector<double>> all;
  for (const std::vector<double>& row : own) {
    for (std::vector<double>& gathered : processes.gather(row)) all.push_back(std::move(gathered));
  }
  return all;
}

host::ResultsOfRanks gather_results(Processes& processes, const std::vector<std::unique_ptr<DeviceRank>>& ranks,
                                    const std::vector<int>& devices, std::int64_t layer) {
  host::ResultsOfRanks own;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    check(cudaSetDevice(devices[i]), "cudaSetDevice");
    own.push_back(results_of(*ranks[i], layer));
  }
  return gather_rows(processes, own);
}

host::Recording gather_recording(Processes& processes, const std::vector<std::vector<host::OperationTimes>>& own) {
  std::vector<std::vector<double>> rows;
  for (const auto& times : own) {
    std::vector<double>& row = rows.emplace_back();
    for (const host::OperationTimes& t : times) row.insert(row.end(), {t.begin_s, t.end_s, t.received_s});
  }
  host::Recording recording;
  for (const std::vector<double>& row : gather_rows(processes, rows)) {
    auto& times = recording.emplace_back();
    for (std::size_t i = 0; i < row.size(); i += 3) times.push_back({row[i], row[i + 1], row[i + 2]});
  }
  return recording;
}

double maximum(Processes& processes, double value) {
  double largest = value;
  for (const std::vector<double>& other : processes.gather({&value, 1})) largest = std::max(largest, other.front());
  return largest;
}

}  // namespace

MeasureResult run_together(const sim::Program& program, const LocalRanks& where, HopPort& port, Processes& processes,
                           const MeasureOptions& options) {
  if (options.check) host::check_is_possible(program);
  const host::RingPlan plan(program, 1 / std::sqrt(static_cast<double>(program.shape.heads.query_key_dim)));
  const host::IssueList list = host::issue_list(program);
  std::vector<std::unique_ptr<DeviceRank>> ranks;
  std::vector<Player::Place> places;
  for (std::size_t i = 0; i < where.devices.size(); ++i) {
    check(cudaSetDevice(where.devices[i]), "cudaSetDevice");
    MergingKernel* const merging = where.merging.empty() ? nullptr : where.merging[i];
    const std::int64_t number = where.first + static_cast<std::int64_t>(i);
    ranks.push_back(std::make_unique<DeviceRank>(plan, list, number, *where.kernels[i], merging));
    const Stream stream;
    (options.check ? upload_inputs : random_inputs)(plan, options.seed, *ranks.back(), stream.get());
    ranks.back()->poison(stream.get());
    stream.synchronize();
    places.push_back({ranks.back().get(), where.devices[i]});
  }
  Player player(list, places, port, options.player);

  MeasureResult result;
  result.operations = static_cast<std::int64_t>(list.instructions.size());
  for (const auto& rank : ranks) {
    result.memory_bytes = std::max(result.memory_bytes, static_cast<std::int64_t>(rank->bytes()));
  }
  const auto run = [&] {
    processes.meet();
    player.run();
  };
  for (std::int64_t i = 0; i < options.warmup; ++i) run();
  const double began_s = now_s();
  bool goes_on = true;
  for (std::int64_t i = 0; goes_on; ++i) {
    run();
    const double slowest_s = *std::max_element(player.ends_s().begin(), player.ends_s().end());
    result.untimed_s.push_back(maximum(processes, slowest_s));
    result.enqueue_s = std::max(result.enqueue_s, player.enqueue_s());
    processes.meet();
    host::Recording recording = gather_recording(processes, player.run_timed());
    if (processes.number() == 0) result.recordings.push_back(std::move(recording));
    goes_on = i + 1 < least_repeats || (i + 1 < options.repeats && now_s() - began_s < options.max_seconds);
    processes.broadcast(std::as_writable_bytes(std::span(&goes_on, 1)));
  }
  if (options.one_more) options.one_more(run);
  if (options.check) {
    result.error = host::deviations(plan, options.seed, rounded_to_bf16, [&](std::int64_t layer) {
      return gather_results(processes, ranks, where.devices, layer);
    });
  }
  return result;
}

}  // namespace ringsim::cuda
