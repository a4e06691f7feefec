#pragma once
// Which operations of a run a timeline keeps: ranges of ranks, ring steps, layers, and more. A run may have several windows; memory is
// proportional to what lies in them, whatever the run's size.
//
//   first layers    one pass runs through layers 0, 1, ..., the other way in the backward pass: "the first two" are then the last layers
//   layers 3 to 4   in both passes
//
// A number alone is a range from 0: {.ranks = 8, .steps = 64, .layers = 2} is the first of each. What is not of a ring step, such as
// dense work and collectives of a layer, counts as step 0; what is not of a layer (embedding, logits) as layer 0.

#include "models/cost.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ringsim {
struct Scenario;
}

namespace ringsim::sim {

struct Program;
struct PhaseProgram;

/// first, first + 1, ..., count of them.
struct IndexRange {
  static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
  std::int64_t first = 0;
  std::int64_t count = unlimited;

  constexpr IndexRange() = default;
  constexpr IndexRange(std::int64_t of_first) : count(of_first) {}  // NOLINT(google-explicit-constructor)
  constexpr IndexRange(std::int64_t from, std::int64_t how_many) : first(from), count(how_many) {}
  [[nodiscard]] constexpr bool contains(std::int64_t i) const { return i >= first && i - first < count; }
  /// Those of them that are among 0 ... n - 1.
  [[nodiscard]] constexpr IndexRange within(std::int64_t n) const {
    const std::int64_t from = std::clamp(first, std::int64_t{0}, n);
    return {from, std::min(count, n - from)};
  }
  [[nodiscard]] constexpr std::int64_t end() const { return count < unlimited - first ? first + count : unlimited; }
  friend constexpr bool operator==(const IndexRange&, const IndexRange&) = default;
};

/// How layers of a window are counted.
enum class LayerOrder {
  executed,  // in the order in which a pass runs through the layers of a stage
  numbered,  // as the model numbers them
};

struct TimelineWindow {
  IndexRange ranks = 64;  // of the ring, the same ones of every stage
  IndexRange steps = 64;  // of each layer
  IndexRange layers = 2;  // of each pass
  LayerOrder layer_order = LayerOrder::executed;
  IndexRange micro_batches{};        // of a pipeline or a training step
  IndexRange stages{};               // of a pipeline
  std::optional<Pass> pass{};        // this one alone
  std::int64_t phase = 0;            // of a run in phases: the chunk of a prefill, the sampled token of a decode
  std::vector<std::int64_t> also{};  // further ranks of the ring
  bool slowest = false;              // and the rank that predict() finds to be the slowest
  friend bool operator==(const TimelineWindow&, const TimelineWindow&) = default;

  /// The ranks of a ring that are in it, ascending.
  [[nodiscard]] std::vector<std::int64_t> ranks_of(std::int64_t ring) const;
};

/// How much there is of what a window is a part of.
struct RunExtent {
  std::int64_t ranks = 0;  // of the ring
  std::int64_t layers = 0;
  std::int64_t steps = 0;  // of a layer
  std::int64_t micro_batches = 1;
  std::int64_t stages = 1;
  std::int64_t phases = 1;
  friend bool operator==(const RunExtent&, const RunExtent&) = default;
};
[[nodiscard]] RunExtent extent_of(const Program& program);
[[nodiscard]] RunExtent extent_of(std::span<const PhaseProgram> phases);  // of the first one
[[nodiscard]] RunExtent extent_of(const Scenario& scenario);

/// Every operation of a run, or of its first phase.
[[nodiscard]] inline TimelineWindow whole_run() {
  TimelineWindow all{IndexRange{}, IndexRange{}, IndexRange{}};
  return all;
}

/// What a trace of a run of this extent holds where nothing else is said, so that a large run gives a small file: the first 16 ranks (of a
/// pipeline 16 over all stages, one at least), 32 steps, 2 layers of each pass and 2 micro-batches.
[[nodiscard]] TimelineWindow trace_window(const RunExtent& run);

/// How a run begins: the first `steps` ring steps of the first layer of the first micro-batch, on the first `ranks` ranks and on the
/// slowest one.
[[nodiscard]] TimelineWindow opening_window(std::span<const PhaseProgram> phases, std::int64_t ranks = 8,
                                            std::int64_t steps = 8);
[[nodiscard]] TimelineWindow opening_window(const Scenario& scenario, std::int64_t ranks = 8, std::int64_t steps = 8);

/// What a run looks like once it has settled: `steps` ring steps around the middle one, of the middle layer (of every stage) and of the middle
/// micro-batch, in the middle phase of a run that has several; of a layer with no more steps than that the whole. In one pass: the
/// forward one, where there is one and nothing else is said.
[[nodiscard]] TimelineWindow steady_window(std::span<const PhaseProgram> phases, std::int64_t ranks = 8,
                                           std::int64_t steps = 4, std::optional<Pass> pass = {});
[[nodiscard]] TimelineWindow steady_window(const Scenario& scenario, std::int64_t ranks = 8, std::int64_t steps = 4,
                                           std::optional<Pass> pass = {});

}  // namespace ringsim::sim
