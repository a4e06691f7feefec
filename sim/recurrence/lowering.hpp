#pragma once
// A program lowered for the recurrence: straight-line blocks of instructions with operands resolved and costs attached, and
// loops around them.

#include "sim/recurrence/costs.hpp"
#include "sim/recurrence/lane_layout.hpp"
#include "sim/recurrence/lanes.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace ringsim::sim {

/// Index of an event: base + (step + offset) mod count. A division is as long as a pass over a short ring: it is avoided for
/// the usual counts of one and two.
struct EventIndex {
  std::size_t base = 0;
  std::int64_t offset = 0;
  std::int64_t count = 1;
  [[nodiscard]] std::size_t at(std::int64_t step) const {
    if (count == 1) return base;
    const std::int64_t n = step + offset;
    return base + static_cast<std::size_t>(count == 2 ? n & 1 : n % count);
  }
};

/// Times of all hops of all lanes for one Shift and way, before jitter.
struct HopTimes {
  Way way = Way::up;
  bool alike = false;  // one time for all hops of every step and lane
  double seconds = 0;  // where alike
  bool every_step_alike = false;
  Eigen::ArrayXd per_hop;  // by position of the sender; refilled a step unless every_step_alike
};

/// Dense work, a collective or a send: takes its stream a time that depends on the rank's block alone.
struct Timed {
  const Dense* dense = nullptr;
  const Collective* collective = nullptr;
  const Send* send = nullptr;
  bool meets = false;                // starts when all ranks of the ring have reached it
  std::vector<std::size_t> amounts;  // index into Program::dense or ::traffic, by kind of layer or one for all
  std::vector<std::vector<SegmentCost>> seconds;  // the same, by runs of ranks
};

struct Instruction {
  enum class Code { record, wait, compute, shift, timed };
  Code code = Code::record;
  std::int32_t number = 0;  // in program order: programs of one structure number alike
  StreamId stream = 0;
  EventIndex event;                               // record, wait
  const Attend* attend = nullptr;                 // compute: an attention kernel
  const Merge* merge = nullptr;                   // or a merge
  std::vector<std::shared_ptr<StepCosts>> costs;  // compute: by mask
  const Shift* shift = nullptr;
  std::shared_ptr<HopTimes> hops;
  std::vector<std::shared_ptr<HopTimes>> ways;  // where hops do not all go up: by way; else empty
  std::shared_ptr<const Timed> timed;

  // A compute instruction followed by a Record and a Wait of its stream can do all three in one pass over the ranks. The two
  // that follow are then covered by it. Used where nothing else wants to see them: no observer, no contest.
  bool meets = false;
  EventIndex recorded;
  EventIndex awaited;
  bool covered = false;

  /// Of a kernel or a merge.
  [[nodiscard]] Pass pass() const { return merge != nullptr ? merge->pass : attend->pass; }
};

struct LoweredLoop;
using LoweredNode = std::variant<Instruction, std::unique_ptr<LoweredLoop>>;

/// What the body of a loop has to do with, loops inside included.
struct LoopUse {
  struct Awaited {
    std::size_t event = 0;
    StreamId stream = 0;  // that waits
  };
  std::vector<StreamId> streams;     // on which it has operations
  std::vector<std::size_t> records;  // events, every slot of their families; ascending
  std::vector<Awaited> awaits;       // events that it waits for but does not record
  std::int64_t slots = 1;            // after so many iterations it is the same slots' turn again
  Pass pass = Pass::forward;         // of its kernels and transfers
  bool steady = true;                // its transfers take the same time in every iteration
};

struct LoweredLoop {
  Loop loop = Loop::step;
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t increment = 1;
  std::vector<LoweredNode> body;
  std::vector<const Instruction*> straight;  // the instructions that joining leaves; empty where the body holds loops
  LoopUse use;
  std::int64_t outermost = -1;  // its place in the program's body; -1: it is inside another loop
  std::size_t nodes = 0;        // of micro-batches: so many of the program's body are one iteration
  /// Runs nothing but instructions.
  [[nodiscard]] bool innermost() const { return !straight.empty(); }
};

struct Lowered {
  std::vector<LoweredNode> body;
  std::size_t streams = 0;
  std::size_t events = 0;
  std::vector<std::size_t> tasks;          // where Program::tasks begin: index into body
  std::vector<LoweredLoop> micro_batches;  // that are the same, one after the other, by where they begin
};

/// For lanes that differ in their hops alone: all else is the first one's.
[[nodiscard]] Lowered lower(const Program& program, std::span<const Lane> lanes, LaneLayout layout);

/// Times of the hops of `shift` at a step, into `times.per_hop`.
void fill_hop_times(const Program& program, std::span<const Lane> lanes, LaneLayout layout, const Shift& shift,
                    std::int64_t step, HopTimes& times);

}  // namespace ringsim::sim
