#include "calibrate/host/sampler.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

namespace ringsim::calibrate {
namespace {

constexpr double least_sample_s = 0.3e-3;

double thread_cpu_s() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::int64_t involuntary_switches() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

// CPU time of a chain of dependent multiplications, some 20 µs: it depends on the core's clock, and on nothing else that
// a program does.
double reference_work_s() {
  const double start_s = thread_cpu_s();
  std::uint64_t state = 1;
  for (int i = 0; i < 16000; ++i) state = state * 6364136223846793005U + 1442695040888963407U;
  [[maybe_unused]] volatile std::uint64_t sink = state;
  return thread_cpu_s() - start_s;
}

}  // namespace

void CollectiveSampler::maximise(std::vector<double>& values) const {
  host::check_mpi(
      MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX, ranks_.handle()),
      "MPI_Allreduce");
}

// Runs `work` from a common start; this rank's wall time and disturbances.
RawSample CollectiveSampler::disturbances_after(const std::function<void()>& work, Core core) {
  const double before_s = reference_work_s();
  ranks_.start_together();
  const std::int64_t switches = involuntary_switches();
  const double cpu_s = thread_cpu_s();
  const double start_s = host::now_s();
  work();
  RawSample sample;
  sample.wall_s = host::now_s() - start_s;
  sample.cpu_share = (thread_cpu_s() - cpu_s) / sample.wall_s;
  sample.involuntary_switches = involuntary_switches() - switches;
  const double after_s = reference_work_s();
  const double least_s = std::min(before_s, after_s);
  best_reference_s_ = best_reference_s_ > 0 ? std::min(best_reference_s_, least_s) : least_s;
  sample.reference_ratio = std::max(before_s, after_s) / best_reference_s_;
  if (core == Core::shared) {
    sample.cpu_share = 1;
    sample.involuntary_switches = 0;
  }
  return sample;
}

std::vector<Sampling> CollectiveSampler::sample_parts(SamplingRule rule, std::size_t parts, Core core,
                                                      const std::function<std::vector<double>()>& operation) {
  const double began_s = host::now_s();
  return sample_until_finished(rule, parts, [&] {
    std::vector<double> times_s;
    const RawSample own = disturbances_after([&] { times_s = operation(); }, core);
    std::vector<double> worst = times_s;
    worst.insert(worst.end(), {1 - own.cpu_share.value_or(1), static_cast<double>(own.involuntary_switches),
                               own.reference_ratio, host::now_s() - began_s});
    maximise(worst);
    RawSample common;
    common.cpu_share = 1 - worst[parts];
    common.involuntary_switches = static_cast<std::int64_t>(worst[parts + 1]);
    common.reference_ratio = worst[parts + 2];
    common.elapsed_s = worst[parts + 3];
    worst.resize(parts);
    return PartsSample{std::move(worst), common};
  });
}

Sampling CollectiveSampler::sample(SamplingRule rule, const std::function<void(std::int64_t)>& operation) {
  const double began_s = host::now_s();
  // How often: doubled until it is long enough, which warms up as well.
  std::int64_t times = 1;
  while (true) {
    const double wall_s = ranks_.maximum(disturbances_after([&] { operation(times); }, Core::alone).wall_s);
    if (wall_s >= least_sample_s || times > (1 << 24)) break;
    times = std::max(2 * times, static_cast<std::int64_t>(static_cast<double>(times) * least_sample_s / wall_s) + 1);
  }
  rule.warmup = std::min<std::int64_t>(rule.warmup, 1);
  rule.budget_s = std::max(0.0, rule.budget_s - ranks_.maximum(host::now_s() - began_s));
  return sample_parts(rule, 1, Core::alone, [&] {
    const double start_s = host::now_s();
    operation(times);
    return std::vector<double>{(host::now_s() - start_s) / static_cast<double>(times)};
  })[0];
}

}  // namespace ringsim::calibrate
