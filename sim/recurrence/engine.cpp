#include "sim/recurrence/engine.hpp"

#include "sim/recurrence/execution.hpp"

#include <stdexcept>
#include <utility>

namespace ringsim::sim {
namespace {

bool like(const Machine& a, const Machine& b) {
  return &a == &b || (a.contest == b.contest && a.event_latency == b.event_latency && a.issue == b.issue &&
                      a.sharing == b.sharing && a.costs.profile() == b.costs.profile());
}

}  // namespace

RecurrenceEngine::RecurrenceEngine(const Program& program, const Machine& machine)
    : RecurrenceEngine(program, std::vector<Lane>{{&machine}}) {}

RecurrenceEngine::RecurrenceEngine(const Program& program, std::vector<Lane> lanes) {
  if (lanes.empty()) throw std::logic_error("a run of no lanes");
  for (const Lane& lane : lanes) {
    if (!like(*lane.machine, *lanes.front().machine)) throw std::logic_error("lanes of machines with different costs");
  }
  execution_ = std::make_unique<Execution>(program, std::move(lanes));
}

RecurrenceEngine::~RecurrenceEngine() = default;

RunResult RecurrenceEngine::run(Observer* observer, const RunOptions& options) {
  std::vector<RunResult> results = execution_->run(std::span(&observer, 1), nullptr, options);
  return std::move(results.front());
}

RunResult RecurrenceEngine::record(Tape& tape) {
  std::vector<RunResult> results = execution_->run({}, &tape);
  if (results.size() != 1) throw std::logic_error("a tape is of one lane");
  return std::move(results.front());
}

std::vector<RunResult> RecurrenceEngine::run_lanes(std::span<Observer* const> observers) {
  return execution_->run(observers);
}

}  // namespace ringsim::sim
