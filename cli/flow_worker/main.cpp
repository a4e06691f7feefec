// ringsim-flow: one run of the flow engine. Started by ringsim, never by hand.
//   ringsim-flow JOB RESULT REASON      writes RESULT, or on failure REASON

#include "cli/flow_job.hpp"
#include "cli/worker_files.hpp"
#include "models/error.hpp"
#include "scenarios/reader.hpp"
#include "sim/flow/job.hpp"

#include <cstdio>
#include <exception>
#include <string>

namespace {

using namespace ringsim;

std::string answer(const std::string& text) {
  const cli::FlowJob job = cli::flow_job_of(text);
  const Scenario scenario = scenarios::read_scenario_text(job.scenario_yaml, "the scenario to be simulated");
  return cli::to_json(sim::run_flow_job({&scenario, job.seed, job.replica, job.windows}));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("ringsim-flow is started by ringsim\n", stderr);
    return 2;
  }
  try {
    cli::write_result(argv[2], answer(cli::read_job(argv[1])));
    return 0;
  } catch (const Error& error) {
    // What names no place in the input is the machine's failure.
    cli::write_reason(argv[3], error, error.where().empty() ? cli::Fault::machine : cli::Fault::bad_input);
  } catch (const sim::FlowBrokeOff& error) {
    cli::write_reason(argv[3], Error(error.what()), cli::Fault::machine);
  } catch (const std::exception& error) {
    cli::write_reason(argv[3], Error(std::string("the flow engine failed: ") + error.what()), cli::Fault::machine);
  }
  return 1;
}
