#include "sim/critical/gradients.hpp"

#include "models/error.hpp"
#include "models/legality.hpp"
#include "sim/machine.hpp"
#include "sim/schedules/model_program.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::sim {
namespace {

constexpr double factor = 1.0 + 1.0 / 65536.0;

bool same_shape(const std::vector<PhaseProgram>& a, const std::vector<PhaseProgram>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const PhaseProgram& x, const PhaseProgram& y) {
    return x.times == y.times && x.continues == y.continues && x.program.mask_of_layer == y.program.mask_of_layer &&
           x.program.masks.size() == y.program.masks.size();
  });
}

std::optional<Scenario> with_tokens(const Scenario& scenario, std::int64_t tokens) {
  if (tokens <= 0) return std::nullopt;
  Scenario other = scenario;
  other.workload.tokens = tokens;
  try {
    check(other);
  } catch (const Error&) {
    return std::nullopt;
  }
  return other;
}

}  // namespace

std::optional<OtherLengths> other_lengths(const Scenario& scenario, const std::vector<PhaseProgram>& phases) {
  const std::int64_t unit = sequence_unit(scenario).tokens;
  OtherLengths other;
  other.tokens = static_cast<double>(scenario.workload.tokens);
  other.unit = static_cast<double>(unit);
  other.of_below = with_tokens(scenario, scenario.workload.tokens - unit);
  other.of_above = with_tokens(scenario, scenario.workload.tokens + unit);
  if (!other.of_below || !other.of_above) return std::nullopt;
  other.below = programs_of(*other.of_below);
  other.above = programs_of(*other.of_above);
  if (!same_shape(other.below, phases) || !same_shape(other.above, phases)) return std::nullopt;
  return other;
}

std::unique_ptr<DurationGradients::Variant> DurationGradients::variant(const Scenario& scenario,
                                                                       const JobNetwork& network,
                                                                       const Program& program, std::size_t phase,
                                                                       const LaneOf& lane_of, std::size_t ring) const {
  auto variant =
      std::make_unique<Variant>(Variant{machine_for(program, machine_of(scenario, network.rings[ring])), nullptr});
  variant->durations = std::make_unique<OperationDurations>(program, lane_of(variant->machine, phase));
  return variant;
}

DurationGradients::DurationGradients(const Scenario& scenario, const JobNetwork& network, std::size_t ring,
                                     const std::vector<Parameter>& parameters, const std::vector<PhaseProgram>& phases,
                                     std::size_t phase, const LaneOf& lane_of,
                                     const std::optional<OtherLengths>& lengths)
    : parameters_(parameters) {
  const Program& program = phases[phase].program;
  base_ = variant(scenario, network, program, phase, lane_of, ring);
  Scenario even = scenario;
  even.noise = {};
  even_ = variant(even, network, program, phase, steady_lane, ring);
  for (const Parameter& p : parameters_) {
    moved_.emplace_back();
    const bool constant = p.kind == ParameterKind::event_latency || p.kind == ParameterKind::issue;
    if (constant || p.kind == ParameterKind::block) {
      acts_.push_back(true);
      continue;
    }
    bool acts = false;
    TapeEntry entry{.kind = TapeEntry::Kind::work};
    for (std::size_t i = 0; i < actual().instructions(); ++i) {
      entry.instruction = static_cast<std::int32_t>(i);
      acts = acts || (actual().has(entry) && acts_on(p, actual().instruction(entry)));
    }
    acts_.push_back(acts);
    if (!acts) continue;
    const Scenario moved = scaled(scenario, p, factor);
    // Latencies that the cluster itself states are known to the placement of its groups.
    if (p.kind == ParameterKind::latency && moved.cluster != scenario.cluster) {
      const JobNetwork again = job_network(moved.parallel, moved.cluster, moved.noise, moved.ring);
      moved_.back() = variant(moved, again, program, phase, lane_of, ring);
    } else {
      moved_.back() = variant(moved, network, program, phase, lane_of, ring);
    }
  }
  if (lengths) {
    below_ = variant(*lengths->of_below, network, lengths->below[phase].program, phase, lane_of, ring);
    above_ = variant(*lengths->of_above, network, lengths->above[phase].program, phase, lane_of, ring);
    if (!below_->durations->structured_like(actual()) || !above_->durations->structured_like(actual())) {
      below_.reset();
      above_.reset();
    }
    per_token_ = lengths->tokens / (2.0 * lengths->unit);
  }
  gradients_.setZero(static_cast<Eigen::Index>(parameters_.size()), static_cast<Eigen::Index>(program.ring()));
}

DurationGradients::~DurationGradients() = default;

const Eigen::ArrayXXd& DurationGradients::of(const TapeEntry& entry) {
  using Kind = TapeEntry::Kind;
  gradients_.setZero();
  if (entry.kind == Kind::issue || entry.kind == Kind::join) {
    const ParameterKind kind = entry.kind == Kind::issue ? ParameterKind::issue : ParameterKind::event_latency;
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      if (parameters_[k].kind == kind) gradients_.row(static_cast<Eigen::Index>(k)) = entry.constant;
    }
    return gradients_;
  }
  const Instruction& instruction = actual().instruction(entry);
  duration_ = actual().of(entry);
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    auto row = gradients_.row(static_cast<Eigen::Index>(k));
    if (parameters_[k].kind == ParameterKind::block) {
      if (!below_) continue;
      row = above_->durations->of(entry).transpose();
      row -= below_->durations->of(entry).transpose();
      row *= per_token_;
    } else if (moved_[k] && acts_on(parameters_[k], instruction)) {
      row = (moved_[k]->durations->of(entry) - duration_).transpose() / (factor - 1.0);
    }
  }
  return gradients_;
}

}  // namespace ringsim::sim
