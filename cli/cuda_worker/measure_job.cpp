// Runs a scenario's program for real on GPUs.

#include "calibrate/cuda_job.hpp"
#include "cli/cuda_worker/activity_csv.hpp"
#include "cli/cuda_worker/jobs.hpp"
#include "kernels/cuda/activity.hpp"
#include "kernels/cuda/dynamic/library.hpp"
#include "kernels/cuda/dynamic/versions.hpp"
#include "kernels/cuda/error.hpp"
#include "kernels/cuda/executor/in_sequence.hpp"
#include "kernels/cuda/executor/measure.hpp"
#include "kernels/cuda/executor/nccl_port.hpp"
#include "kernels/cuda/executor/peer_port.hpp"
#include "kernels/cuda/merging_kernel.hpp"
#include "kernels/gpu/limits.hpp"
#include "models/error.hpp"
#include "scenarios/reader.hpp"
#include "sim/schedules/ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace ringsim::cli {
namespace {

using calibrate::CudaMeasureJob;

std::unique_ptr<cuda::AttentionKernels> kernels_of(const std::string& name) {
  if (name == "cudnn") return cuda::cudnn_kernels();
  if (name == "sm90") return cuda::hopper_kernels();
  if (name == "reference") return cuda::reference_kernels();
  throw Error("no kernels are called " + name);
}

// "cudnn (9.19.0, forward engine 2)"
std::string name_of(const cuda::AttentionKernels& kernels) {
  return kernels.version().empty() ? kernels.name() : fmt::format("{} ({})", kernels.name(), kernels.version());
}

std::unique_ptr<cuda::MergingKernel> merging_of(const CudaMeasureJob& job) {
  return job.fused_merge ? cuda::merging_hopper_kernel() : nullptr;
}

// Our own kernels are of Hopper's instructions: elsewhere their launch would fail with a riddle.
void check_kernels(const CudaMeasureJob& job, const cuda::DeviceInfo& device) {
  if (job.kernels != "sm90" || device.is_hopper()) return;
  throw cuda::MissingLibrary(
      fmt::format("the kernels sm90 run on GPUs of compute capability 9.0 (H100, H200), and {} has {}.{}", device.name,
                  device.major, device.minor),
      {}, "use --kernels cudnn");
}

cuda::MeasureOptions options_of(const CudaMeasureJob& job) {
  cuda::MeasureOptions options;
  options.warmup = job.run.warmup;
  options.repeats = job.run.repeats;
  options.max_seconds = job.run.max_seconds;
  options.seed = job.run.seed;
  options.check = job.run.check;
  options.player.graph = job.graph;
  return options;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<std::string> notes_of(const cuda::MeasureResult& result, const std::string& transfers,
                                  const std::string& kernels) {
  return {
      fmt::format("attention by {}, transfers by {}", kernels, transfers),
      fmt::format("without an event behind every operation, which the times above have, the slowest rank of a run "
                  "takes {:.3f} ms "
                  "(median of {})",
                  1e3 * median(result.untimed_s), result.untimed_s.size()),
      fmt::format("the host took up to {:.3f} ms to enqueue the {} operations of a run", 1e3 * result.enqueue_s,
                  result.operations),
      fmt::format("a rank took {:.1f} MB of its GPU's memory", static_cast<double>(result.memory_bytes) / 1e6),
  };
}

// CUPTI slows launches down: a run of its own, in which nothing is timed by us.
void record_activity(const CudaMeasureJob& job, cuda::MeasureOptions& options, std::string& csv) {
  if (!job.activity) return;
  options.one_more = [&csv](const std::function<void()>& run) {
    cuda::ActivityTrace trace;
    run();
    csv = activity_csv(trace.stop());
  };
}

calibrate::MeasureAnswer play(const CudaMeasureJob& job, const sim::Program& program, const cuda::Devices& devices) {
  const cuda::DeviceInfo& device = devices.devices.front();
  check_kernels(job, device);
  cuda::check(cudaSetDevice(device.id), "cudaSetDevice");
  const auto kernels = kernels_of(job.kernels);
  const auto merging = merging_of(job);
  calibrate::MeasureAnswer answer;
  if (job.run.check) {
    const host::RingPlan plan(program, 1 / std::sqrt(static_cast<double>(program.shape.heads.query_key_dim)));
    answer.check_error = cuda::check_in_sequence(plan, *kernels, merging.get(), {job.run.seed, {}});
  }
  cuda::PacedCopyOptions link;
  link.engine = job.copy_engine ? cuda::CopyEngine::copy_engine : cuda::CopyEngine::sm_kernel;
  link.bytes_per_s = job.link_bytes_per_s;
  link.blocks = static_cast<int>(job.transfer_blocks);
  cuda::MeasureOptions options = options_of(job);
  record_activity(job, options, answer.activity_csv);
  cuda::MeasureResult result = cuda::play_ranks(program, *kernels, merging.get(), link, options);
  answer.notes = notes_of(result, cuda::PacedPort(link).description(), name_of(*kernels));
  answer.notes.insert(
      answer.notes.begin(),
      fmt::format("one GPU played the {} ranks one after the other: a rank never waits for another, and the "
                  "link has its rate and nothing else of a link",
                  program.ring()));
  answer.recordings = std::move(result.recordings);
  answer.machine = gpu_machine(devices, 1);
  return answer;
}

// Devices of this process's ranks: all of the ring, or the one that its place on the node gives it.
std::vector<int> devices_of(const sim::Program& program, const cuda::Devices& devices, cuda::Processes& processes) {
  const auto there = std::ssize(devices.devices);
  if (processes.count() == 1) {
    if (there < program.ring()) {
      throw Error(fmt::format("a ring of {} ranks on {} GPU{}", program.ring(), there, there == 1 ? "" : "s"),
                  "parallel.ring",
                  fmt::format("set parallel.ring={}, or let one GPU play the ranks: --link-rate '450 GB/s'", there));
    }
    std::vector<int> all(static_cast<std::size_t>(program.ring()));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  if (processes.count() != program.ring()) {
    throw Error(fmt::format("a ring of {} ranks on {} processes", program.ring(), processes.count()), "parallel.ring",
                fmt::format("mpirun -n {}", program.ring()));
  }
  if (processes.number_on_node() >= there) {
    throw Error(fmt::format("{} processes on a node of {} GPUs", processes.number_on_node() + 1, there),
                "parallel.ring", "a process a GPU");
  }
  return {processes.number_on_node()};
}

std::unique_ptr<cuda::HopPort> port_of(const CudaMeasureJob& job, const std::vector<int>& devices,
                                       cuda::Processes& processes) {
  if (!job.copy_engine) {
    return std::make_unique<cuda::NcclPort>(devices, processes, static_cast<int>(job.transfer_blocks));
  }
  if (processes.count() > 1) {
    throw Error("copy engines move blocks between GPUs of one process", "ring.transfer",
                "set ring.transfer=sm-kernel, or start it without mpirun");
  }
  return std::make_unique<cuda::PeerPort>(devices);
}

calibrate::MeasureAnswer run_ring(const CudaMeasureJob& job, const sim::Program& program, const cuda::Devices& devices,
                                  cuda::Processes& processes) {
  cuda::LocalRanks ranks;
  ranks.devices = devices_of(program, devices, processes);
  ranks.first = processes.number();
  std::vector<std::unique_ptr<cuda::AttentionKernels>> kernels;
  std::vector<std::unique_ptr<cuda::MergingKernel>> merging;
  for (const int device : ranks.devices) {
    check_kernels(job, devices.devices[static_cast<std::size_t>(device)]);
    cuda::check(cudaSetDevice(device), "cudaSetDevice");
    ranks.kernels.push_back(kernels.emplace_back(kernels_of(job.kernels)).get());
    ranks.merging.push_back(merging.emplace_back(merging_of(job)).get());
  }
  const std::unique_ptr<cuda::HopPort> port = port_of(job, ranks.devices, processes);
  calibrate::MeasureAnswer answer;
  cuda::MeasureOptions options = options_of(job);
  record_activity(job, options, answer.activity_csv);
  cuda::MeasureResult result = cuda::run_together(program, ranks, *port, processes, options);
  if (processes.number() != 0) return answer;
  answer.notes = notes_of(result, port->description(), name_of(*kernels.front()));
  answer.check_error = std::move(result.error);
  answer.recordings = std::move(result.recordings);
  answer.machine = gpu_machine(devices, static_cast<std::size_t>(program.ring()));
  return answer;
}

}  // namespace

std::string run_gpu_measure_job(const std::string& text, const cuda::Devices& devices, cuda::Processes& processes) {
  const CudaMeasureJob job = calibrate::cuda_measure_job_of(text);
  const Scenario scenario = scenarios::read_scenario_text(job.run.scenario_yaml, "the scenario to be measured");
  cuda::check_executable(scenario);
  const sim::Program program = sim::ring_program_of(scenario);
  calibrate::MeasureAnswer answer =
      job.link_bytes_per_s > 0 ? play(job, program, devices) : run_ring(job, program, devices, processes);
  answer.software = cuda::in_one_line(cuda::versions());
  return processes.number() == 0 ? calibrate::to_json(answer) : std::string();
}

}  // namespace ringsim::cli
