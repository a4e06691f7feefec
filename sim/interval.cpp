#include "sim/interval.hpp"

#include "models/profile_parameters.hpp"
#include "sim/machine.hpp"
#include "sim/phases.hpp"
#include "sim/recurrence/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::sim {
namespace {

// A part of the run that is simulated, and how often it counts.
struct Weighted {
  Program program;
  double times = 1.0;
};

std::vector<Weighted> one_layer_of_each_mask(const RingSpec& spec, bool backward) {
  std::vector<Weighted> layers;
  for (std::size_t mask = 0; mask < spec.masks.size(); ++mask) {
    RingSpec one = spec;
    one.masks = {spec.masks[mask]};
    one.mask_of_layer = {0};
    const auto count = std::count(spec.mask_of_layer.begin(), spec.mask_of_layer.end(), mask);
    layers.push_back({ring_program_of(one, true, backward), static_cast<double>(count)});
  }
  return layers;
}

double makespan_of(const std::vector<Weighted>& programs, const Machine& machine) {
  double total_s = 0;
  for (const Weighted& w : programs) total_s += w.times * RecurrenceEngine(w.program, machine).run().makespan_s;
  return total_s;
}

// Collectives take links that no hop of the ring does.
bool uses_collectives(const Scenario& s) {
  return s.workload.scope == Scope::model || s.parallel.ulysses > 1 || s.ring.exchange == Exchange::all_gather ||
         s.ring.travels == Rotation::q;
}

// What a run consists of beside attention and hops.
struct Contents {
  bool dense = false;
  bool collectives = false;
};

Contents contents_of(const std::vector<Weighted>& programs) {
  Contents contents;
  for (const Weighted& w : programs) {
    for_each_operation(w.program.body, [&](const Operation& operation) {
      contents.dense |= std::holds_alternative<Dense>(operation.what);
      contents.collectives |= std::holds_alternative<Collective>(operation.what);
    });
  }
  return contents;
}

// Whether moving a value can change anything of this run.
bool matters(const ProfileParameter& parameter, const Machine& machine, const Contents& contents, bool backward) {
  const auto travels_over = [&](const std::string& link_class) {
    return std::any_of(machine.hops.kinds().begin(), machine.hops.kinds().end(),
                       [&](const HopCost& hop) { return hop.link_class == link_class; });
  };
  switch (parameter.part) {
    case ProfilePart::forward:
    case ProfilePart::launch:
      return true;
    case ProfilePart::backward:
      return backward;
    case ProfilePart::merge:
      return !machine.hops.empty() && machine.costs.profile().merge_traffic.value > 0;
    case ProfilePart::event_latency:
      return machine.contest;
    case ProfilePart::link:
      return travels_over(parameter.link_class);
    case ProfilePart::sm_kernel:
    case ProfilePart::copy_engine:
      return machine.sharing.has_value();
    case ProfilePart::gemm:
    case ProfilePart::memory:
      return contents.dense;
    case ProfilePart::collective:
      return contents.collectives;
  }
  return true;
}

// Moves every value that can matter, one after the other. `makespan_of(machine)`: of the run, or of a part that stands for it.
template <class Makespan>
MakespanInterval propagate(const Scenario& scenario, const PlacedRing& ring, const Machine& machine,
                           const std::vector<ProfileParameter>& parameters, double makespan_s,
                           const Makespan& makespan_of) {
  const double nominal_s = makespan_of(machine);
  MakespanInterval interval;
  double falls = 0;
  double rises = 0;
  for (const ProfileParameter& parameter : parameters) {
    UncertaintyPart part{parameter.name};
    for (const int direction : {-1, 1}) {
      Scenario other = scenario;
      other.profile = moved(scenario.profile, parameter, direction);
      const Machine changed = machine_of(other, ring);
      // A latency that the scenario itself gives is not the profile's.
      if (parameter.part == ProfilePart::link && changed.hops == machine.hops &&
          changed.second_hops == machine.second_hops && !uses_collectives(scenario)) {
        continue;
      }
      const double change_s = (makespan_of(changed) - nominal_s) * (makespan_s / nominal_s);
      part.fall_s = std::max(part.fall_s, -change_s);
      part.rise_s = std::max(part.rise_s, change_s);
    }
    falls += part.fall_s * part.fall_s;
    rises += part.rise_s * part.rise_s;
    if (part.fall_s > 0 || part.rise_s > 0) interval.parts.push_back(std::move(part));
  }
  std::stable_sort(interval.parts.begin(), interval.parts.end(),
                   [](const UncertaintyPart& a, const UncertaintyPart& b) {
                     return std::max(a.fall_s, a.rise_s) > std::max(b.fall_s, b.rise_s);
                   });
  interval.low_s = std::max(0.0, makespan_s - std::sqrt(falls));
  interval.high_s = makespan_s + std::sqrt(rises);
  interval.note = fmt::format("first-order propagation of {} independent errors", parameters.size());
  return interval;
}

}  // namespace

MakespanInterval makespan_interval(const Scenario& scenario, const PlacedRing& ring, const RingSpec& spec,
                                   bool backward, double makespan_s, double budget) {
  const Machine machine = machine_of(scenario, ring);
  std::vector<ProfileParameter> parameters = uncertain_parameters(scenario.profile);
  const Contents contents = contents_of(one_layer_of_each_mask(spec, backward));
  std::erase_if(parameters, [&](const ProfileParameter& p) { return !matters(p, machine, contents, backward); });

  const auto n = static_cast<double>(spec.shards.ring());
  const double runs = 2.0 * static_cast<double>(parameters.size());
  const double rank_steps = n * n * static_cast<double>(spec.mask_of_layer.size()) * (backward ? 2.0 : 1.0);
  const bool whole = rank_steps * runs <= budget || spec.mask_of_layer.size() == spec.masks.size();
  std::vector<Weighted> programs;
  if (whole) {
    programs.push_back({ring_program_of(spec, true, backward)});
  } else {
    programs = one_layer_of_each_mask(spec, backward);
  }
  MakespanInterval interval = propagate(scenario, ring, machine, parameters, makespan_s,
                                        [&](const Machine& moved_to) { return makespan_of(programs, moved_to); });
  if (!whole) interval.note += ", with one layer of each mask standing for all of them";
  return interval;
}

std::optional<MakespanInterval> makespan_interval(const Scenario& scenario, const PlacedRing& ring,
                                                  std::span<const PhaseProgram> phases, double makespan_s,
                                                  double budget) {
  // An operation of all ranks costs about as much as so many ranks of it, however few there are.
  constexpr double overhead = 64.0;
  double work = 0;
  for (const PhaseProgram& phase : phases) {
    for_each_execution(phase.program.body, [&](const Operation&, std::int64_t, std::int64_t) {
      work += static_cast<double>(phase.program.ring()) + overhead;
    });
  }
  const std::vector<ProfileParameter> parameters = uncertain_parameters(scenario.profile);
  if (2.0 * static_cast<double>(parameters.size()) * work > budget) return std::nullopt;
  return propagate(scenario, ring, machine_of(scenario, ring), parameters, makespan_s,
                   [&](const Machine& machine) { return makespan_of_phases(phases, machine); });
}

}  // namespace ringsim::sim
