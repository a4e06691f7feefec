#include "sim/critical/explain.hpp"

#include "models/error.hpp"
#include "models/job_network.hpp"
#include "sim/critical/advice.hpp"
#include "sim/critical/critical_cycle.hpp"
#include "sim/critical/gradients.hpp"
#include "sim/critical/path_times.hpp"
#include "sim/critical/walk_back.hpp"
#include "sim/critical/what_if.hpp"
#include "sim/job_run.hpp"
#include "sim/machine.hpp"
#include "sim/predict.hpp"
#include "sim/recurrence/engine.hpp"
#include "sim/schedules/model_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ringsim::sim {
namespace {

using Kind = TapeEntry::Kind;
using ToCome = std::vector<std::unique_ptr<StillToCome>>;  // by role

// What is handed from the start of a phase to the end of the one that it continues: by role.
struct Handed {
  std::vector<std::vector<PathPart>> parts;
  ToCome to_come;
};

// Phases from the last to the first, each written down once and gone through backwards.
class Walk {
 public:
  Walk(const ExplainedRun& run, const std::vector<Parameter>& parameters, const std::optional<OtherLengths>& lengths)
      : run_(run), parameters_(parameters), lengths_(lengths), times_(parameters) {
    slower_.setZero(count());
    faster_.setZero(count());
    acts_.assign(parameters.size(), false);
  }

  /// With `path_only` neither derivatives nor the cycle.
  void go(bool path_only = false) {
    path_only_ = path_only;
    RunResult before;
    for (const PhaseProgram& phase : run_.phases) {
      machines_.push_back(machine_of_phase(run_.machine, phase, before));
      before = RecurrenceEngine(phase.program, {run_.lane_of(machines_.back(), machines_.size() - 1)}).run();
      results_.push_back(before);
    }
    Handed handed;
    for (std::size_t i = run_.phases.size(); i-- > 0;) {
      if (i + 1 == run_.phases.size() || !run_.phases[i + 1].continues) {
        makespan_s_ += run_.phases[i].times * results_[i].makespan_s;
        handed = from_the_end(i);
      }
      handed = phase(i, std::move(handed));
    }
  }

  [[nodiscard]] double makespan_s() const { return makespan_s_; }
  [[nodiscard]] PathTimes& times() { return times_; }
  [[nodiscard]] bool linear() const { return linear_; }
  /// ∂T / ∂u of every parameter [s], as it gets slower and as it gets faster.
  [[nodiscard]] const Eigen::ArrayXd& slower() const { return slower_; }
  [[nodiscard]] const Eigen::ArrayXd& faster() const { return faster_; }
  [[nodiscard]] bool acts(std::size_t parameter) const { return acts_[parameter]; }
  [[nodiscard]] CycleFinding& cycle() { return cycle_; }

 private:
  [[nodiscard]] Eigen::Index count() const { return static_cast<Eigen::Index>(parameters_.size()); }

  // All ranks that end last are ends of critical paths; the path itself is that of the first of them.
  [[nodiscard]] Handed from_the_end(std::size_t i) const {
    const Program& program = run_.phases[i].program;
    const RunResult& result = results_[i];
    const auto ranks = static_cast<std::size_t>(program.ring());
    Handed handed;
    handed.parts.resize(program.roles.size());
    handed.to_come.resize(program.roles.size());
    bool first = true;
    for (std::size_t at = 0; at < result.end_s.size(); ++at) {
      if (larger_of(result.end_s[at], result.makespan_s) != Larger::both) continue;
      const std::size_t role = at / ranks;
      const auto rank = static_cast<std::int64_t>(at % ranks);
      if (first) handed.parts[role].push_back({rank, run_.phases[i].times});
      first = false;
      if (!handed.to_come[role]) handed.to_come[role] = std::make_unique<StillToCome>(count(), program.ring());
      handed.to_come[role]->reached[static_cast<std::size_t>(rank)] = 1;
    }
    return handed;
  }

  Handed phase(std::size_t i, Handed handed) {
    const PhaseProgram& phase = run_.phases[i];
    const Program& program = phase.program;
    Tape tape(program.ring());
    (void)RecurrenceEngine(program, {run_.lane_of(machines_[i], i)}).record(tape);
    if (tape.full()) {
      throw Error(fmt::format("a run of {} operations on {} ranks is too long to be gone through backwards",
                              tape.entries.size(), program.ring()),
                  "model.layers", "fewer layers: the steady state is the same");
    }
    linear_ = linear_ || !tape.lines.empty();
    DurationGradients gradients(run_.scenario, run_.network, run_.ring, parameters_, run_.phases, i, run_.lane_of,
                                lengths_);
    for (std::size_t k = 0; k < parameters_.size(); ++k) acts_[k] = acts_[k] || gradients.acts(k);

    Handed to_phase_before;
    to_phase_before.parts.resize(program.roles.size());
    const auto role_of_start = [&](std::size_t start) { return program.role_of(start); };
    PathWeights weights(tape);
    for (std::size_t role = 0; role < handed.parts.size(); ++role) {
      for (const PathPart& part : handed.parts[role]) weights.add(tape.ends[role], part);
    }
    std::map<std::size_t, double> time_of_loop;
    weights.hand_back(
        [&](std::size_t index, const TapeEntry& entry, std::span<const PathPart> parts) {
          if (entry.kind == Kind::ready) {
            auto& to = to_phase_before.parts[role_of_start(entry.role)];
            to.insert(to.end(), parts.begin(), parts.end());
            return;
          }
          // The constant of a wait lies on its second side, which the path of equal ones does not take.
          if (entry.kind == Kind::join && tape.side(entry, parts.front().rank) != Larger::second) return;
          const double before_s = times_.total_s();
          times_.add(entry, parts, gradients);
          const auto mark = std::upper_bound(tape.marks.begin(), tape.marks.end(), static_cast<TapeValue>(index),
                                             [](TapeValue v, const TapeMark& m) { return v < m.first; });
          if (mark != tape.marks.begin()) time_of_loop[(mark - 1)->loop] += times_.total_s() - before_s;
        },
        program);

    if (path_only_) return to_phase_before;
    const auto longest = std::max_element(time_of_loop.begin(), time_of_loop.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
    if (longest != time_of_loop.end() && longest->second > cycle_.loop_s) {
      cycle_ = find_critical_cycle(tape, program, gradients.actual(), longest->first);
      cycle_.loop_s = longest->second;
    }
    to_phase_before.to_come = walk_derivatives(tape, phase, gradients, std::move(handed.to_come));
    return to_phase_before;
  }

  ToCome walk_derivatives(const Tape& tape, const PhaseProgram& phase, DurationGradients& gradients, ToCome ends) {
    const Program& program = phase.program;
    ToCome by_role(program.roles.size());
    if (!tape.lines.empty()) return by_role;
    ToCome starts = walk_back_all(tape, program, std::move(ends), [&](const TapeEntry& entry, StillToCome& to) {
      const Eigen::ArrayXXd& g = gradients.of(entry);
      to.most += g;
      to.least += g;
    });
    for (std::size_t s = 0; s < starts.size(); ++s) {
      if (!starts[s]) continue;
      auto& role = by_role[program.role_of(s)];
      if (!role) role = std::make_unique<StillToCome>(count(), program.ring());
      for (Eigen::Index r = 0; r < program.ring(); ++r) {
        if (starts[s]->reached[static_cast<std::size_t>(r)] != 0) role->take(r, starts[s]->most, starts[s]->least, r);
      }
    }
    if (phase.continues) return by_role;
    // Here the paths begin.
    StillToCome all(count(), 1);
    for (const auto& role : by_role) {
      for (Eigen::Index r = 0; role && r < program.ring(); ++r) {
        if (role->reached[static_cast<std::size_t>(r)] != 0) all.take(0, role->most, role->least, r);
      }
    }
    slower_ += phase.times * all.most.col(0);
    faster_ += phase.times * all.least.col(0);
    return by_role;
  }

  const ExplainedRun& run_;
  const std::vector<Parameter>& parameters_;
  const std::optional<OtherLengths>& lengths_;
  std::vector<Machine> machines_;
  std::vector<RunResult> results_;
  PathTimes times_;
  Eigen::ArrayXd slower_, faster_;
  std::vector<bool> acts_;
  CycleFinding cycle_;
  double makespan_s_ = 0;
  bool linear_ = false;
  bool path_only_ = false;
};

// Stragglers, and the rank that the path is on longest.
void add_ranks(const ExplainedRun& run, std::vector<Parameter>& parameters) {
  if (run.scenario.parallel.ring < 2) return;
  std::vector<std::int64_t> ranks;
  ranks.reserve(run.scenario.noise.stragglers.size() + 1);
  for (const Straggler& straggler : run.scenario.noise.stragglers) ranks.push_back(straggler.rank);
  const std::vector<Parameter> none;
  const std::optional<OtherLengths> no_lengths;
  Walk path(run, none, no_lengths);
  path.go(true);
  if (const auto on_path = path.times().ranks(); !on_path.empty()) ranks.push_back(on_path.front().rank);
  for (const std::int64_t rank : ranks) {
    const bool known = std::any_of(parameters.begin(), parameters.end(),
                                   [&](const Parameter& p) { return p.kind == ParameterKind::rank && p.rank == rank; });
    if (!known) parameters.push_back(rank_parameter(run.scenario, rank));
  }
}

}  // namespace

Explanation explain(const Scenario& scenario, const ExplainOptions& options) {
  Explanation e;
  e.prediction = predict_by_recurrence(scenario, options.seed);

  const JobNetwork network = job_network(scenario.parallel, scenario.cluster, scenario.noise, scenario.ring);
  const std::vector<PhaseProgram> phases = programs_of(scenario);
  const JobRun job = run_by_recurrence(scenario, network, phases, {options.seed, 0, {}});
  const LaneOf lane_of = scenario.noise.random()
                             ? noisy_lanes(scenario.noise, options.seed, 0, static_cast<std::int64_t>(job.ring))
                             : LaneOf(steady_lane);
  const ExplainedRun run{scenario, network, job.ring, machine_of(scenario, network.rings[job.ring]), phases, lane_of};
  const std::optional<OtherLengths> lengths = other_lengths(scenario, phases);
  std::vector<Parameter> parameters = parameters_of(scenario);
  add_ranks(run, parameters);
  if (lengths) parameters.push_back(block_parameter(scenario));

  Walk walk(run, parameters, lengths);
  walk.go();
  e.makespan_s = walk.makespan_s();
  double padded = 0;
  if (const auto& documents = e.prediction.documents; documents && documents->padded_tokens > 0) {
    padded = 1.0 - documents->useful_tokens / documents->padded_tokens;
  }
  e.shares = walk.times().shares(e.makespan_s, padded);
  e.ranks = walk.times().ranks();
  // Weights of both signs can grow until their sum has no digits left.
  if (std::abs(walk.times().total_s() - e.makespan_s) > 1e-6 * e.makespan_s) e.shares.clear();
  if (walk.linear()) {
    e.no_path =
        "kernels and transfers slow each other down, so that the end is no single chain of operations; shares and "
        "derivatives say how it moves with each of them";
    e.derivatives_note =
        "where kernels and transfers slow each other down both derivatives are those of the branch taken";
  } else {
    e.path = walk.times().segments().take();
    for (std::size_t i = 1; i < e.path.size(); ++i)
      e.rank_changes += e.path[i].rank != e.path[i - 1].rank || e.path[i].stage != e.path[i - 1].stage ? 1 : 0;
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (!walk.acts(k)) continue;
    const auto row = static_cast<Eigen::Index>(k);
    Sensitivity s{parameters[k], {}, {}, {}, {}};
    s.slower = (walk.linear() ? walk.times().along()[row] : walk.slower()[row]) / e.makespan_s;
    s.faster = (walk.linear() ? walk.times().along()[row] : walk.faster()[row]) / e.makespan_s;
    if (options.what_if && s.parameter.kind != ParameterKind::block) {
      const double sign = s.parameter.kind == ParameterKind::rank ? -1.0 : 1.0;
      s.saved_by_tenth = 1.0 - makespan_with(run, s.parameter, sign > 0 ? 1.0 / 1.1 : 1.1) / e.makespan_s;
      s.saved_by_double = 1.0 - makespan_with(run, s.parameter, sign > 0 ? 0.5 : 2.0) / e.makespan_s;
    }
    e.sensitivities.push_back(std::move(s));
  }
  std::stable_sort(e.sensitivities.begin(), e.sensitivities.end(), [](const Sensitivity& a, const Sensitivity& b) {
    const auto part = [](const Sensitivity& s) { return is_part_of_time(s.parameter) ? 1 : 0; };
    if (part(a) != part(b)) return part(a) > part(b);
    return std::max(a.slower, a.faster) > std::max(b.slower, b.faster);
  });
  if (machine_of(scenario, network.rings[job.ring]).contest) {
    e.derivatives_note = "of kernels and transfers that compete for SMs, as long as the same ones are first";
  }
  e.cycle = std::move(walk.cycle().cycle);
  if (e.cycle && phases.size() > 1) {
    e.cycle->note += fmt::format("{}of the longest of {} passes", e.cycle->note.empty() ? "" : "; ", phases.size());
  }
  e.no_cycle = scenario.noise.random() ? "random times do not settle" : walk.cycle().why_not;
  if (scenario.noise.random()) e.cycle.reset();
  e.advice = advice_of(e, scenario);
  return e;
}

}  // namespace ringsim::sim
