#include "sim/recurrence/engine.hpp"

#include "sim/recurrence/execution.hpp"
#include "sim/recurrence/folding.hpp"

#include <algorithm>
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

RecurrenceEngine::RecurrenceEngine(const Program& program, std::vector<Lane> lanes)
    : program_(program), lanes_(std::move(lanes)) {
  if (lanes_.empty()) throw std::logic_error("a run of no lanes");
  for (const Lane& lane : lanes_) {
    if (!like(*lane.machine, *lanes_.front().machine)) {
      throw std::logic_error("lanes of machines with different costs");
    }
  }
}

RecurrenceEngine::~RecurrenceEngine() = default;

RecurrenceEngine::Execution& RecurrenceEngine::execution(std::int64_t ranks) {
  if (execution_ == nullptr || ranks_ != ranks) {
    execution_.reset();
    execution_ = std::make_unique<Execution>(program_, lanes_, ranks);
    ranks_ = ranks;
  }
  return *execution_;
}

RunResult RecurrenceEngine::run(Observer* observer, const RunOptions& options) {
  return std::move(run_lanes(std::span(&observer, 1), options).front());
}

RunResult RecurrenceEngine::record(Tape& tape) {
  if (lanes_.size() != 1) throw std::logic_error("a tape is of one lane");
  return std::move(execution(program_.ring()).run({}, run_in_full(), &tape).front());
}

std::vector<RunResult> RecurrenceEngine::run_lanes(std::span<Observer* const> observers, const RunOptions& options) {
  const Lane& lane = lanes_.front();
  const bool follow = std::all_of(observers.begin(), observers.end(),
                                  [](const Observer* o) { return o == nullptr || o->takes_folded(); });
  const bool folds = options.fold && follow && lanes_.size() == 1 && !lane.compute.on() && !lane.links.on();
  if (folds && period_ == 0) period_ = period_of(program_, *lane.machine);
  return execution(folds ? period_ : program_.ring()).run(observers, options);
}

}  // namespace ringsim::sim
