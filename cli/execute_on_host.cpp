#include "calibrate/this_machine.hpp"
#include "cli/executed.hpp"
#include "cli/ranks.hpp"

namespace ringsim::cli {

std::optional<calibrate::MeasureAnswer> execute_on_host(const Scenario& scenario, const calibrate::MeasureJob& job) {
  const bool thread = scenario.ring.transfer == TransferEngine::copy_engine;
  const auto text = run_on_ranks({calibrate::to_json(job), scenario.parallel.ring, thread ? 2 : 1}, {});
  if (!text) return std::nullopt;
  calibrate::MeasureAnswer answer = calibrate::measure_answer_of(*text);
  answer.machine = calibrate::machine_name();
  return answer;
}

}  // namespace ringsim::cli
