#include "sim/phases.hpp"

#include "sim/recurrence/engine.hpp"
#include "sim/schedules/model_program.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::sim {
namespace {

void add(std::vector<TotalsObserver::Spent>& all, const TotalsObserver& totals, double times) {
  for (const TotalsObserver::Spent& one : totals.spent_in_collectives()) {
    const auto known = std::find_if(all.begin(), all.end(), [&](const auto& other) { return other.name == one.name; });
    if (known == all.end()) {
      all.push_back({one.name, one.seconds * times});
    } else {
      known->seconds += one.seconds * times;
    }
  }
}

// Sums of every rank over phases. Times before a continued start belong to the phase before.
class Sum {
 public:
  void add(std::vector<RankSummary> ranks, const PhaseProgram& phase, const RunResult& result) {
    if (ranks_.empty()) {
      ranks_.resize(ranks.size());
      for (std::size_t r = 0; r < ranks.size(); ++r) {
        ranks_[r].rank = ranks[r].rank;
        ranks_[r].stage = ranks[r].stage;
      }
    }
    if (phase.continues) {
      // What the phase before counted as waiting for its end was the start of this one.
      for (RankSummary& sum : ranks_) sum.bubble_end_s -= last_end_bubble_[static_cast<std::size_t>(sum.rank)];
      makespan_s_ -= last_makespan_s_;
    }
    last_end_bubble_.assign(ranks.size(), 0.0);
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      const RankSummary& one = ranks[r];
      RankSummary& sum = ranks_[r];
      const double before_s = phase.continues ? result.start_s[r] : 0.0;
      sum.attention_s += phase.times * one.attention_s;
      sum.merge_s += phase.times * one.merge_s;
      sum.dense_s += phase.times * one.dense_s;
      sum.compute_s += phase.times * one.compute_s;
      sum.exposed_communication_s += phase.times * one.exposed_communication_s;
      sum.collective_s += phase.times * one.collective_s;
      sum.bubble_masked_s += phase.times * one.bubble_masked_s;
      sum.bubble_late_s += phase.times * (one.bubble_late_s - before_s);
      sum.bubble_end_s += phase.times * one.bubble_end_s;
      sum.in_flight_s += phase.times * one.in_flight_s;
      last_end_bubble_[r] = phase.times * one.bubble_end_s;
    }
    last_makespan_s_ = phase.times * result.makespan_s;
    makespan_s_ += last_makespan_s_;
  }

  RunSummary summary() {
    for (RankSummary& rank : ranks_) {
      rank.bubble_s = rank.bubble_masked_s + rank.bubble_late_s + rank.bubble_end_s;
      rank.end_s = makespan_s_ - rank.bubble_end_s;
      settle_rounding(rank.compute_s, rank.exposed_communication_s, rank.bubble_s, makespan_s_);
    }
    return summarize(std::move(ranks_), makespan_s_);
  }

 private:
  std::vector<RankSummary> ranks_;
  std::vector<double> last_end_bubble_;  // of the phase before
  double last_makespan_s_ = 0;
  double makespan_s_ = 0;
};

}  // namespace

Machine machine_of_phase(const Machine& machine, const PhaseProgram& phase, const RunResult& before) {
  Machine ready = machine_for(phase.program, machine);
  if (phase.continues) ready.start_s = before.end_s;
  return ready;
}

LaneOf noisy_lanes(const Noise& noise, std::uint64_t seed, std::int64_t replica, std::int64_t ring) {
  // Layers and steps have the same numbers in every phase: other seeds give them other draws. The first phase has the seed itself.
  constexpr std::uint64_t apart = 0x9E3779B97F4A7C15;
  return [&noise, seed, replica, ring](const Machine& machine, std::size_t phase) {
    return lane_of(machine, noise, seed + apart * phase, replica, ring);
  };
}

PhaseRun run_phases(std::span<const PhaseProgram> phases, const Machine& machine, const LaneOf& lane_of,
                    const PhaseWatch& watch) {
  PhaseRun all;
  all.timelines.resize(watch.windows.size());
  Sum sum;
  RunResult result;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const PhaseProgram& phase = phases[i];
    const Machine ready = machine_of_phase(machine, phase, result);
    TotalsObserver totals(phase.program);
    std::vector<Observer*> watching = {&totals};
    Timelines spans(phase.program, watch.windows, static_cast<std::int64_t>(i), watching);
    HopUseObserver hops(phase.program);
    if (watch.hop_use) watching.push_back(&hops);
    Observers observers(watching);
    result = RecurrenceEngine(phase.program, {lane_of(ready, i)}).run(&observers, watch.how);
    all.economy.add(result.economy);
    spans.take(all.timelines, std::ssize(phases));
    if (watch.hop_use) all.hops.add(hops.usage(), phase.times);
    add(all.collectives, totals, phase.times);
    if (phases.size() == 1 && phase.times == 1) {
      all.run = summarize(totals, result);
      return all;
    }
    sum.add(totals.summaries(result), phase, result);
  }
  all.run = sum.summary();
  return all;
}

double makespan_of_phases(std::span<const PhaseProgram> phases, const Machine& machine, const RunOptions& how) {
  double total_s = 0;
  RunResult result;
  for (const PhaseProgram& phase : phases) {
    const Machine ready = machine_of_phase(machine, phase, result);
    if (phase.continues) total_s -= result.makespan_s;
    result = RecurrenceEngine(phase.program, ready).run(how);
    total_s += phase.times * result.makespan_s;
  }
  return total_s;
}

}  // namespace ringsim::sim
