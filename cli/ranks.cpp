#include "cli/ranks.hpp"

#include "cli/child_process.hpp"
#include "cli/failures.hpp"
#include "cli/scenario_options.hpp"
#include "cli/scratch_folder.hpp"
#include "cli/worker_reason.hpp"
#include "models/error.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace ringsim::cli {
namespace {

namespace fs = std::filesystem;
using Environment = std::vector<std::pair<std::string, std::string>>;

std::optional<std::int64_t> number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  std::int64_t value = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, failure] = std::from_chars(text, end, value);
  if (failure != std::errc() || stop != end) return std::nullopt;
  return value;
}

fs::path worker_path() { return beside_this_program("ringsim-mpi"); }

/// mpirun and its options: a core for each rank while there are enough; as many ranks as are asked for in any case.
std::vector<std::string> mpirun(const RankJob& job) {
  std::vector<std::string> command = {"mpirun", "-n", std::to_string(job.ranks), "--oversubscribe"};
  const std::int64_t needed = job.ranks * job.threads_per_rank;
  const bool a_core_each = needed <= static_cast<std::int64_t>(std::thread::hardware_concurrency());
  if (a_core_each && job.threads_per_rank == 1) command.insert(command.end(), {"--bind-to", "core"});
  if (a_core_each && job.threads_per_rank > 1) {
    command.insert(command.end(), {"--map-by", "slot:PE=" + std::to_string(job.threads_per_rank), "--bind-to", "core"});
  }
  if (!a_core_each) command.insert(command.end(), {"--bind-to", "none"});
  return command;
}

Environment environment_of(const RankJob& job) {
  Environment all = {
      {"OMPI_MCA_plm", "isolated"},    // all ranks are on this machine: no remote shell is looked for
      {"OMPI_MCA_btl", "vader,self"},  // and talk through its memory
      {"OMPI_MCA_btl_base_warn_component_unused", "0"},
  };
  if (::geteuid() == 0) {
    all.emplace_back("OMPI_ALLOW_RUN_AS_ROOT", "1");
    all.emplace_back("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  }
  if (job.ranks * job.threads_per_rank > static_cast<std::int64_t>(std::thread::hardware_concurrency())) {
    all.emplace_back("OMPI_MCA_mpi_yield_when_idle", "1");  // ranks that share a core must let each other run
  }
  return all;
}

}  // namespace

std::optional<MpirunPlace> mpirun_place() {
  const auto rank = number_in_environment("OMPI_COMM_WORLD_RANK");
  const auto size = number_in_environment("OMPI_COMM_WORLD_SIZE");
  if (!rank || !size) return std::nullopt;
  return MpirunPlace{*rank, *size};
}

bool worker_is_there() { return ::access(worker_path().c_str(), X_OK) == 0; }

std::optional<std::string> run_on_ranks(const RankJob& job, const std::function<void(std::string_view)>& on_line) {
  if (!worker_is_there()) {
    throw MissingPart(
        "ringsim-mpi is not beside this program (MPI: no); build with Open MPI (Debian packages libopenmpi-dev, "
        "openmpi-bin)");
  }
  const auto place = mpirun_place();
  if (place && place->size != job.ranks) {
    throw UsageError("mpirun started " + std::to_string(place->size) +
                     (place->size == 1 ? " process, but " : " processes, but ") + std::to_string(job.ranks) +
                     (job.ranks == 1 ? " is needed" : " are needed"));
  }
  const ScratchFolder folder;
  const fs::path job_file = folder.file("job.json");
  const fs::path result = folder.file("result.json");
  const fs::path reason = folder.file("reason.json");
  std::ofstream(job_file, std::ios::binary) << job.text;

  std::vector<std::string> command;
  Environment environment;
  if (!place) {
    command = mpirun(job);
    environment = environment_of(job);
  }
  command.insert(command.end(), {worker_path().string(), job_file.string(), result.string(), reason.string()});
  ChildOutcome outcome;
  try {
    outcome = run_child(command, environment, on_line);
  } catch (const Error& error) {
    throw MissingPart(error.message() + "; it comes with Open MPI (Debian package openmpi-bin)");
  }
  if (outcome.signal != 0 || outcome.exit_status != 0 || outcome.interrupted) {
    explain_failure(outcome, reason, "the ranks broke off: their process");
  }
  if (place && place->rank != 0) return std::nullopt;
  if (!fs::exists(result)) throw BrokeOff("the ranks ended without a result");
  return load_file(result.string());
}

}  // namespace ringsim::cli
