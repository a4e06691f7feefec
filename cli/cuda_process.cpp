#include "cli/cuda_process.hpp"

#include "cli/child_process.hpp"
#include "cli/failures.hpp"
#include "cli/ranks.hpp"
#include "cli/scenario_options.hpp"
#include "cli/scratch_folder.hpp"
#include "cli/worker_reason.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

namespace ringsim::cli {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& worker) { return ::access(worker.c_str(), X_OK) == 0; }

}  // namespace

bool cuda_worker_is_there() { return is_there(beside_this_program("ringsim-cuda")); }

std::optional<std::string> run_cuda_worker(const std::string& job,
                                           const std::function<void(std::string_view)>& on_line) {
  const auto place = mpirun_place();
  const bool several = place && place->size > 1;
  const fs::path worker = beside_this_program(several ? "ringsim-cuda-mpi" : "ringsim-cuda");
  if (!is_there(worker)) {
    throw MissingPart(worker.filename().string() +
                      " is not beside this program (CUDA: no); build with the CUDA toolkit 13.0" +
                      (several ? " and Open MPI" : ""));
  }
  const ScratchFolder folder;
  const fs::path job_file = folder.file("job.json");
  const fs::path result = folder.file("result.json");
  const fs::path reason = folder.file("reason.json");
  std::ofstream out(job_file, std::ios::binary);
  out << job;
  out.close();
  if (!out) throw BrokeOff("cannot write the job of " + worker.filename().string() + " to " + job_file.string());

  // A kernel that a stream waits for must not stand behind one of another stream in a queue of the hardware.
  const std::vector<std::pair<std::string, std::string>> environment = {{"CUDA_DEVICE_MAX_CONNECTIONS", "32"}};
  const ChildOutcome outcome =
      run_child({worker.string(), job_file.string(), result.string(), reason.string()}, environment, on_line);
  if (outcome.signal != 0 || outcome.exit_status != 0 || outcome.interrupted) {
    explain_failure(outcome, reason, "the run on GPUs broke off: its process");
  }
  if (place && place->rank != 0) return std::nullopt;
  if (!fs::exists(result)) throw BrokeOff("the run on GPUs ended without a result");
  return load_file(result.string());
}

}  // namespace ringsim::cli
