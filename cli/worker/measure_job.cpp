// Runs a scenario's program for real.

#include "calibrate/measure_job.hpp"

#include "cli/worker/jobs.hpp"
#include "kernels/host/limits.hpp"
#include "kernels/host/mpi/measure.hpp"
#include "scenarios/reader.hpp"
#include "sim/schedules/ring.hpp"

#include <Eigen/Core>

#include <string>

namespace ringsim::cli {

std::string run_measure_job(const std::string& text, host::Communicator& ranks) {
  const calibrate::MeasureJob job = calibrate::measure_job_of(text);
  const Scenario scenario = scenarios::read_scenario_text(job.scenario_yaml, "the scenario to be measured");
  host::check_executable(scenario);
  const sim::Program program = sim::ring_program_of(scenario);
  host::MeasureOptions how;
  how.warmup = job.warmup;
  how.repeats = job.repeats;
  how.max_seconds = job.max_seconds;
  how.check = job.check;
  how.seed = job.seed;
  how.transfer_thread = scenario.ring.transfer == TransferEngine::copy_engine;
  host::MeasureResult result = scenario.workload.dtype == Dtype::fp64 ? host::measure<double>(ranks, program, how)
                                                                      : host::measure<float>(ranks, program, how);
  if (ranks.rank() != 0) return {};
  calibrate::MeasureAnswer answer;
  answer.recordings = std::move(result.recordings);
  answer.check_error = std::move(result.error);
  answer.software = "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
                    std::to_string(EIGEN_MINOR_VERSION) + " (" + Eigen::SimdInstructionSetsInUse() + "), " +
                    host::Communicator::library_version();
  return calibrate::to_json(answer);
}

}  // namespace ringsim::cli
