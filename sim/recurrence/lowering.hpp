#pragma once
// A program lowered for the recurrence: straight-line blocks of instructions with operands resolved and costs attached, and
// loops around them.

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "sim/recurrence/costs.hpp"

namespace ringsim::sim {

/// Index of an event: base + (step + offset) mod count.
struct EventIndex {
  std::size_t base = 0;
  std::int64_t offset = 0;
  std::int64_t count = 1;
  [[nodiscard]] std::size_t at(std::int64_t step) const {
    return count == 1 ? base : base + static_cast<std::size_t>((step + offset) % count);
  }
};

/// Times of all hops for one Shift.
struct HopTimes {
  bool alike = false;          // one time for all hops of every step
  double seconds = 0;          // where alike
  bool every_step_alike = false;
  Eigen::ArrayXd per_hop;      // else, refilled a step unless every_step_alike
};

struct Instruction {
  enum class Code { record, wait, compute, shift, wait_then_shift };
  Code code = Code::record;
  StreamId stream = 0;
  EventIndex event;                                  // record, wait, wait_then_shift
  const Attend* attend = nullptr;                    // compute: the kernel, or the one that the merge belongs to
  const Merge* merge = nullptr;                      // compute: a merge
  std::vector<std::shared_ptr<StepCosts>> costs;     // compute: by mask
  const Shift* shift = nullptr;
  std::shared_ptr<HopTimes> hops;
};

struct LoweredLoop;
using LoweredNode = std::variant<Instruction, std::unique_ptr<LoweredLoop>>;

struct LoweredLoop {
  Loop loop = Loop::step;
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t increment = 1;
  std::vector<LoweredNode> body;
};

struct Lowered {
  std::vector<LoweredNode> body;
  std::size_t streams = 0;
  std::size_t events = 0;
};

/// `fuse`: join a Wait and the Shift after it, which saves a pass over the ranks.
[[nodiscard]] Lowered lower(const Program& program, const Machine& machine, bool fuse);

/// Times of the hops of `shift` at a step, into `times.per_hop`.
void fill_hop_times(const Program& program, const Machine& machine, const Shift& shift, std::int64_t step, HopTimes& times);

}  // namespace ringsim::sim
