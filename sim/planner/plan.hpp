#pragma once
// A parallel plan as a search looks at it: what may be chosen of a scenario, everything else being as it is.
//
//   degrees      tensor · ulysses · ring · pipeline · data ranks, and the expert degree, which adds none
//   order        which axis' ranks are neighbours
//   ring         layout, exchange, what travels, what each way takes half of
//   recompute    of training
//   chunk        of a prefill, tokens; 0: the whole sequence at once
//   nodes        of the cluster that is paid for: as many as the ranks fill, where the network between them can be cut so
//
// Buffers, transfer engine, micro-batch, ZeRO stage, sequence parallelism and all else of the scenario are not chosen.
// Pieces of a pipeline stage (training.interleave) are the scenario's, and 1 where there is no pipeline.

#include "models/scenario.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace ringsim::sim {

/// The degrees alone: plans of the same ones are variants of each other.
struct Degrees {
  std::int64_t tensor = 1;
  std::int64_t ulysses = 1;
  std::int64_t ring = 1;
  std::int64_t pipeline = 1;
  std::int64_t data = 1;
  [[nodiscard]] std::int64_t product() const { return tensor * ulysses * ring * pipeline * data; }
  [[nodiscard]] std::int64_t degree(Axis axis) const;
  friend auto operator<=>(const Degrees&, const Degrees&) = default;
};

/// What of RingOptions is chosen.
struct RingChoice {
  Layout layout = Layout::zigzag;
  Exchange exchange = Exchange::one_way;
  Rotation travels = Rotation::kv;
  Rotation backward = Rotation::kv;
  Halves halves = Halves::heads;  // of both ways
  std::int64_t inner = 0;         // of two levels; 0: the ranks of a node
  friend bool operator==(const RingChoice&, const RingChoice&) = default;
};

struct Plan {
  Degrees degrees;
  std::int64_t expert = 1;
  std::array<Axis, 5> order = all_axes;
  RingChoice ring;
  Recompute recompute = Recompute::none;
  std::int64_t chunk = 0;
  std::int64_t interleave = 1;  // pieces of a pipeline stage: the scenario's, 1 without a pipeline
  std::int64_t nodes = 1;
  [[nodiscard]] std::int64_t gpus() const { return degrees.product(); }
  friend bool operator==(const Plan&, const Plan&) = default;
};

/// A scenario's own plan.
[[nodiscard]] Plan plan_of(const Scenario& scenario);

/// Writes a plan into a scenario.
void put(const Plan& plan, Scenario& scenario);

/// Nodes that a plan of so many GPUs pays for: those that it fills, where nodes can be left out of the network (one switch that
/// never blocks, and no noise that names a GPU), else all.
[[nodiscard]] std::int64_t nodes_for(std::int64_t gpus, const Scenario& scenario);

/// Which of two plans is simpler, as numbers that are compared in order: fewer axes, then less of what needs the most care
/// (pipeline, tensor, Ulysses, expert, ring), a one-way ring of K/V before other exchanges, zigzag before other layouts, no chunks,
/// no recomputation; the order of the axes decides last. No two plans are equal in it.
using Simplicity = std::vector<std::int64_t>;
[[nodiscard]] Simplicity simplicity(const Plan& plan);

/// "tensor 8 x ring 8": degrees above 1, or "1 GPU".
[[nodiscard]] std::string degrees_text(const Plan& plan);
/// "zigzag, K/V one way, ring innermost, recompute full, chunks of 65536": what else was chosen, as far as it matters.
[[nodiscard]] std::string variant_text(const Plan& plan, const Scenario& scenario);

/// KEY=VALUE of the scenario language that turn a scenario into one with the plan; what is as it was is left out.
[[nodiscard]] std::vector<std::string> settings(const Plan& plan, const Scenario& scenario);

}  // namespace ringsim::sim
