#include "calibrate/cuda/benchmarks.hpp"

#include "calibrate/cuda/sampler.hpp"
#include "calibrate/cuda/tasks.hpp"
#include "calibrate/this_machine.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace ringsim::calibrate {
namespace {

void check_options(const cuda::Devices& found, const GpuBenchmarkOptions& o) {
  if (found.devices.empty()) {
    throw Error(found.why_none.empty() ? "there is no GPU" : found.why_none, "calibrate --device cuda",
                "a machine with an NVIDIA GPU and its driver");
  }
  if (o.query_heads < 1 || o.kv_heads < 1 || o.query_heads % o.kv_heads != 0) {
    throw Error(fmt::format("{} query heads and {} key/value heads", o.query_heads, o.kv_heads), "heads",
                "at least one of each, and the second a divisor of the first");
  }
  if (o.head_dim < 1) throw Error(fmt::format("a head dimension of {}", o.head_dim), "head_dim", "at least 1");
  if (o.least_tokens < 2 || o.most_tokens < o.least_tokens) {
    throw Error(fmt::format("blocks of {} to {} tokens", o.least_tokens, o.most_tokens), "tokens",
                "at least 2, and the larger one last");
  }
  if (!(o.budget_s > 0)) throw Error(fmt::format("a time of {} s", o.budget_s), "budget", "more than 0 s");
}

std::string version_of(int cuda) { return fmt::format("{}.{}", cuda / 1000, cuda % 1000 / 10); }

// "NVIDIA H200, 132 SMs, 141 GB, L2 60 MiB"
std::string machine_of(const cuda::Devices& found) {
  const cuda::DeviceInfo& d = found.devices.front();
  return fmt::format("{}{}, {} SMs, {:.0f} GB, L2 {} MiB",
                     found.devices.size() > 1 ? fmt::format("{} x ", found.devices.size()) : "", d.name, d.sms,
                     static_cast<double>(d.memory_bytes) / 1e9, d.l2_bytes >> 20);
}

// A-B-A: the same at the beginning and at the end of everything.
std::string drift_note(const Benchmark& first, const Benchmark& again) {
  const Timing& a = *timings(first.point).at(0);
  const Timing& b = *timings(again.point).at(0);
  const bool apart = b.low_s > a.high_s || b.high_s < a.low_s;
  return fmt::format("\"{}\", timed again at the end, took {:+.2f} % of what it had taken{}", first.name(),
                     100 * (b.median_s / a.median_s - 1),
                     apart ? ": the machine drifts, as the intervals do not meet" : ", within the intervals");
}

std::vector<Task> all_tasks(const GpuBench& bench) {
  std::vector<Task> all;
  for (std::vector<Task>& some : std::array{attention_tasks(bench), dense_tasks(bench), overhead_tasks(bench),
                                            transfer_tasks(bench), interference_tasks(bench)}) {
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  return all;
}

std::string list_of(const std::vector<std::string>& names, std::size_t most) {
  std::string list;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) list += (i == 0 ? "" : "; ") + names[i];
  return names.size() > most ? list + "; ..." : list;
}

}  // namespace

Samples run_gpu_benchmarks(const cuda::Devices& found, const GpuKernels& kernels, const GpuBenchmarkOptions& options,
                           const ProgressCallback& progress) {
  check_options(found, options);
  const cuda::DeviceInfo& device = found.devices.front();
  cuda::check(cudaSetDevice(device.id), "cudaSetDevice");
  GpuSampler sampler(device, options.clock, options.flush_bytes);
  const GpuBench bench{sampler, found, kernels, options};
  const double began_s = options.clock();
  const std::string state_before = kernels.state ? kernels.state() : "not read";

  std::vector<Task> tasks = all_tasks(bench);
  SamplingRule first_rule = options.rule;
  const Outcome first = tasks.front().run(first_rule);
  const double first_hz = sampler.latest_sm_hz();
  const Task repeated = tasks.front();
  tasks.front().run = [&first](const SamplingRule&) { return first; };

  TaskSchedule schedule;
  // The last part is the repetition's.
  schedule.budget_s = options.budget_s - options.rule.budget_s;
  schedule.rule = options.rule;
  schedule.most_s = options.rule.budget_s;
  schedule.spent_s = [&] { return options.clock() - began_s; };
  schedule.progress = progress;
  schedule.keep_going = true;
  TaskResults results = run_tasks(tasks, schedule);
  const Outcome again = repeated.run(options.rule);

  Samples samples;
  samples.benchmarks = std::move(results.benchmarks);
  samples.provenance.device = "cuda";
  samples.provenance.machine = machine_of(found);
  samples.provenance.ranks = static_cast<std::int64_t>(found.devices.size());
  samples.provenance.software =
      fmt::format("driver {}, CUDA runtime {}{}{}", version_of(found.driver), version_of(found.runtime),
                  kernels.software.empty() ? "" : ", ", kernels.software);
  samples.provenance.date = utc_now();
  samples.provenance.commit = options.commit;
  samples.provenance.multiprocessors = device.sms;
  samples.notes = notes_on(results.disturbed, samples.benchmarks, options.rule.target);
  samples.notes.push_back(fmt::format(
      "clock of the SMs: default {:.0f} MHz, {:.0f} MHz after the first benchmark, {:.0f} MHz after the last, lowest "
      "seen {:.0f} MHz",
      device.sm_clock_hz / 1e6, first_hz / 1e6, sampler.latest_sm_hz() / 1e6, sampler.lowest_sm_hz() / 1e6));
  samples.notes.push_back(fmt::format("state of the GPU before: {}; after: {}", state_before,
                                      kernels.state ? kernels.state() : "not read"));
  samples.notes.push_back(drift_note(first.benchmark, again.benchmark));
  samples.notes.insert(samples.notes.end(), kernels.missing.begin(), kernels.missing.end());
  if (!results.left_out.empty()) {
    samples.notes.push_back(fmt::format("there was no time for {} of {} benchmarks: {}", results.left_out.size(),
                                        tasks.size(), list_of(results.left_out, 4)));
  }
  if (!results.failed.empty()) {
    samples.notes.push_back(
        fmt::format("{} of {} benchmarks failed: {}", results.failed.size(), tasks.size(), list_of(results.failed, 4)));
  }
  if (found.devices.size() == 1) {
    samples.notes.emplace_back(
        "one GPU: its links are copies within its memory, held to a rate, and NCCL sends to itself; nothing here is a "
        "measurement of a link between GPUs");
  }
  return samples;
}

}  // namespace ringsim::calibrate
