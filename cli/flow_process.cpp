#include "cli/flow_process.hpp"

#include "cli/child_process.hpp"
#include "cli/failures.hpp"
#include "cli/flow_job.hpp"
#include "cli/scenario_options.hpp"
#include "cli/scratch_folder.hpp"
#include "cli/worker_reason.hpp"
#include "models/error.hpp"
#include "scenarios/format.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string_view>

namespace ringsim::cli {
namespace {

std::filesystem::path flow_worker() { return beside_this_program("ringsim-flow"); }

}  // namespace

bool flow_worker_is_there() { return ::access(flow_worker().c_str(), X_OK) == 0; }

sim::FlowOutcome run_flow_worker(const sim::FlowRequest& request) {
  if (!flow_worker_is_there()) {
    throw MissingPart(
        "ringsim-flow is not beside this program (SimGrid: no); build with SimGrid (Debian package libsimgrid-dev), or "
        "use --engine recurrence");
  }
  const ScratchFolder folder;
  const std::filesystem::path job_file = folder.file("job.json");
  const std::filesystem::path result = folder.file("result.json");
  const std::filesystem::path reason = folder.file("reason.json");
  const FlowJob job{scenarios::format_scenario(*request.scenario), request.seed, request.replica, request.windows};
  std::ofstream out(job_file, std::ios::binary);
  out << to_json(job);
  out.close();
  if (!out) throw BrokeOff("cannot write the job of ringsim-flow to " + job_file.string());

  const ChildOutcome outcome = run_child({flow_worker().string(), job_file.string(), result.string(), reason.string()},
                                         {}, [](std::string_view) {});
  if (outcome.signal != 0 || outcome.exit_status != 0 || outcome.interrupted) {
    explain_failure(outcome, reason, "the flow engine broke off: its process");
  }
  if (!std::filesystem::exists(result)) throw BrokeOff("the flow engine ended without a result");
  return flow_outcome_of(load_file(result.string()));
}

}  // namespace ringsim::cli
