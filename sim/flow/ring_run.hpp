#pragma once
// What the ranks of one ring share during a flow-level run: the lowered program, the costs, the hops, and what each rank has
// come to, which outlives the rank's own execution so that a run that broke off can be told.

#include "sim/flow/engine.hpp"
#include "sim/flow/event_rows.hpp"
#include "sim/recurrence/lowering.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace ringsim::sim::flow {

/// Costs of kernels for ranks that ask one after the other. Tables that hold all steps are read; steps of others are worked
/// out once and kept until every rank has asked.
class KernelCosts {
 public:
  explicit KernelCosts(std::int64_t ranks) : ranks_(ranks) {}
  /// `execution` numbers the kernels of a rank; every rank asks once for each.
  [[nodiscard]] Segments at(StepCosts& table, std::int64_t execution, std::int64_t step);
  /// The cost of a rank among segments that cover all ranks.
  [[nodiscard]] static double seconds(std::span<const SegmentCost> segments, std::int64_t rank);

 private:
  struct Kept {
    std::shared_ptr<const std::vector<SegmentCost>> segments;
    std::int64_t asked = 0;
  };
  const std::int64_t ranks_;
  std::unordered_map<std::int64_t, Kept> kept_;
};

/// How far a rank has come.
struct RankState {
  enum class Doing {
    computing,
    exchanging,  // its next transfer is under way, or will be from posted_s on
    lost,        // a hop of its own was lost: it waits for ever
    dead,
    finished
  };
  Doing doing = Doing::computing;
  std::int64_t transfers = 0;  // how many it has come to, the one it is at included
  const Shift* shift = nullptr;
  std::int64_t layer = 0;
  std::int64_t step = 0;
  double posted_s = 0;
  double died_s = 0;
  double end_s = 0;
};

/// A hop that will never arrive.
struct LostHop {
  std::size_t ring = 0;
  std::int64_t hop = 0;
  double at_s = 0;
  const Shift* shift = nullptr;
  std::int64_t layer = 0;
  std::int64_t step = 0;
};

/// A hop of one step without its contention.
struct HopTime {
  double latency_s = 0;
  double wire_bytes = 0;
};

struct RingRun {
  RingRun(const Program& ring_program, const FlowRing& description, std::shared_ptr<const Lowered> lowered_program,
          const std::vector<NetworkLink>& links);

  /// Of the hop from rank `hop`, jitter included.
  [[nodiscard]] HopTime hop_time(const Instruction& shift, std::int64_t layer, std::int64_t step,
                                 std::int64_t hop) const;
  [[nodiscard]] std::int64_t ranks() const { return program.ring(); }
  [[nodiscard]] std::int64_t gpu(std::int64_t rank) const;
  [[nodiscard]] std::int64_t before(std::int64_t rank) const { return rank == 0 ? ranks() - 1 : rank - 1; }
  [[nodiscard]] std::int64_t after(std::int64_t rank) const { return rank + 1 == ranks() ? 0 : rank + 1; }

  const Program& program;
  const FlowRing& ring;
  const Machine& machine;
  std::shared_ptr<const Lowered> lowered;  // rings on one machine have it in common
  std::vector<double> latency_s;           // of every hop
  std::vector<double> narrowest;           // of every hop [B/s]
  KernelCosts costs;
  std::unique_ptr<EventRows> rows;  // where somebody observes
  std::vector<RankState> states;    // by rank
  std::int64_t messages = 0;
};

}  // namespace ringsim::sim::flow
