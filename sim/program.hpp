#pragma once
// The program: what every rank of a ring executes, as streams of operations with operands and amounts and no times.
//
// The meaning is that of CUDA streams and events. The operations of a body are issued in the order written; operations on
// one stream run one after the other; a Wait makes its stream wait for the latest Record of the event *in issue order*
// (none yet: it passes at once). Loops stay loops, so a ring of N ranks and L layers takes O(1) memory to describe.
// All ranks execute the same body; what differs between ranks follows from the blocks that an operation names.

#include "models/cost.hpp"
#include "models/layout.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace ringsim::sim {

/// Index into Program::streams.
using StreamId = std::size_t;

/// Which block an operation of rank r at step k means: r's own, or the travelling one, that of rank (r - k) mod N.
enum class Block { resident, travelling };

/// A buffer of a rotating set: slot (step + offset) mod count.
struct Slot {
  std::int64_t offset = 0;
  std::int64_t count = 1;
};

/// An event of an indexed family: index (step + offset) mod count.
struct Event {
  std::size_t family = 0;  // index into Program::events
  std::int64_t offset = 0;
  std::int64_t count = 1;
};

/// What travels. `bytes_per_token` of the block, over all heads and sequences of the rank.
struct Tensor {
  std::string name;
  Bytes bytes_per_token;
};

/// One attention kernel: the queries of one block against the keys of another under the layer's mask. Rows, columns and
/// entries follow from Program::work(). No kernel runs where the mask leaves no entry.
struct Attend {
  StreamId stream = 0;
  Pass pass = Pass::forward;
  Block queries = Block::resident;
  Block keys = Block::travelling;
  Slot slot;  // buffer that holds the travelling block
};

/// Fold the step's partial result into an accumulator: online softmax for the output, addition for a gradient. Covers the
/// rows (output, dQ) or columns (dK/dV) of the step's kernel.
struct Merge {
  StreamId stream = 0;
  Pass pass = Pass::forward;
  Accumulator accumulator = Accumulator::output;
  bool travelling = false;  // the accumulator itself goes around the ring
};

/// One tensor of a grouped send-receive: at step k the block of rank (r - k + lag) mod N.
struct ShiftItem {
  std::size_t tensor = 0;  // index into Program::tensors
  std::int64_t lag = 0;    // 1: it belongs to the step before (a gradient that step completed)
  Slot from;
  Slot to;
};

/// Grouped send to rank r + 1 and receive from rank r - 1. Each hop starts when both of its ranks have posted the
/// operation; the operation ends when both of the rank's hops have ended.
struct Shift {
  StreamId stream = 0;
  Pass pass = Pass::forward;
  std::vector<ShiftItem> items;
};

struct Record {
  StreamId stream = 0;
  Event event;
};

struct Wait {
  StreamId stream = 0;
  Event event;
};

struct Operation;

enum class Loop { layer, step };

/// Runs its body for index first, first + 1, ... (count of them), or downwards from first.
struct Repeat {
  Loop loop = Loop::step;
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool downwards = false;
  std::vector<Operation> body;
};

struct Operation {
  std::variant<Attend, Merge, Shift, Record, Wait, Repeat> what;
};

/// The whole program of a ring.
struct Program {
  std::vector<std::string> streams;
  std::vector<std::string> events;
  std::vector<Tensor> tensors;
  std::vector<Operation> body;

  // Geometry, from which the amounts follow.
  Shards shards;
  RingShape shape;
  std::vector<Mask> masks;                 // distinct masks of the layers
  std::vector<std::size_t> mask_of_layer;  // index into masks

  [[nodiscard]] std::int64_t ring() const { return shards.ring(); }
  [[nodiscard]] std::int64_t layers() const { return static_cast<std::int64_t>(mask_of_layer.size()); }
  /// Work of every rank at a step of a layer, as runs of equal ranks.
  [[nodiscard]] std::vector<WorkSegment> work(const Attend& attend, std::int64_t layer, std::int64_t step) const;
  /// Bytes that a rank sends in a Shift at a step.
  [[nodiscard]] Bytes sent(const Shift& shift, std::int64_t step, std::int64_t rank) const;
};

/// Tokens of the accumulator's block that a merge of a kernel's results covers.
[[nodiscard]] inline std::int64_t merged_tokens(Accumulator accumulator, const AttendWork& work) {
  return accumulator == Accumulator::kv_gradient ? work.columns : work.rows;
}

/// Totals over the whole program, all ranks: useful FLOP of a pass, and bytes sent by each rank.
[[nodiscard]] Flop useful_flop(const Program& program, Pass pass);
[[nodiscard]] std::vector<double> bytes_sent(const Program& program);
[[nodiscard]] std::vector<double> bytes_received(const Program& program);

/// Calls `visit(operation)` once for every operation that is written down, loops not unrolled.
template <class Visit>
void for_each_operation(const std::vector<Operation>& body, const Visit& visit) {
  for (const Operation& operation : body) {
    if (const auto* repeat = std::get_if<Repeat>(&operation.what)) {
      for_each_operation(repeat->body, visit);
    } else {
      visit(operation);
    }
  }
}

/// Calls `visit(operation, layer, step)` for every execution of every operation, in issue order.
template <class Visit>
void for_each_execution(const std::vector<Operation>& body, const Visit& visit, std::int64_t layer = 0,
                        std::int64_t step = 0) {
  for (const Operation& operation : body) {
    if (const auto* repeat = std::get_if<Repeat>(&operation.what)) {
      for (std::int64_t i = 0; i < repeat->count; ++i) {
        const std::int64_t index = repeat->downwards ? repeat->first - i : repeat->first + i;
        const bool is_layer = repeat->loop == Loop::layer;
        for_each_execution(repeat->body, visit, is_layer ? index : layer, is_layer ? step : index);
      }
    } else {
      visit(operation, layer, step);
    }
  }
}

}  // namespace ringsim::sim
