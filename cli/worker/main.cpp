// ringsim-mpi: one rank of a job. Started by `ringsim measure`, `calibrate` and `sweep`, never by hand.
//   ringsim-mpi JOB RESULT REASON      rank 0 writes RESULT; a rank that fails writes REASON and ends all ranks

#include "cli/worker/jobs.hpp"
#include "cli/worker_files.hpp"
#include "kernels/host/mpi/communicator.hpp"
#include "models/error.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>

namespace {

using namespace ringsim;
using cli::write_reason;

std::string run_job(const std::string& text, host::Communicator& ranks) {
  const std::string job = nlohmann::json::parse(text).at("job");
  if (job == "measure") return cli::run_measure_job(text, ranks);
  if (job == "calibrate") return cli::run_calibrate_job(text, ranks);
  if (job == "sweep") return cli::run_sweep_job(text, ranks);
  throw Error("unknown job " + job);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("ringsim-mpi is started by ringsim measure, calibrate and sweep\n", stderr);
    return 2;
  }
  std::optional<host::Communicator> ranks;
  try {
    const std::string job = cli::read_job(argv[1]);
    // Times are not compared between the ranks of a sweep: they may be on several nodes.
    ranks.emplace(nlohmann::json::parse(job).at("job") == "sweep" ? host::Nodes::any : host::Nodes::one);
    const std::string answer = run_job(job, *ranks);
    if (ranks->rank() == 0) cli::write_result(argv[2], answer);
    return 0;
  } catch (const Error& error) {
    // What names no place in the input is the machine's failure.
    write_reason(argv[3], error, error.where().empty() ? cli::Fault::machine : cli::Fault::bad_input);
  } catch (const std::exception& error) {
    write_reason(argv[3], Error(std::string("a rank failed: ") + error.what()), cli::Fault::machine);
  }
  // The other ranks wait for this one: nothing but ending them all helps.
  if (ranks) ranks->abort(1);
  return 1;
}
