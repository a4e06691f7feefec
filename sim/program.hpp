#pragma once
// The program: what every rank executes, as streams of operations with operands and amounts and no times.
//
// The meaning is that of CUDA streams and events. The operations of a body are issued in the order written; operations on
// one stream run one after the other; a Wait makes its stream wait for the latest Record of the event *in issue order*
// (none yet: it passes at once). Loops stay loops, so a ring of N ranks and L layers takes O(1) memory to describe.
//
// Ranks are those of a ring. All of them execute the same body; what differs between ranks follows from the blocks that an
// operation names. Ranks of other axes (tensor, Ulysses, data) do the same at the same time: they appear in collectives
// alone. Where a pipeline has several stages, each is a role with streams and events of its own; the body then holds the
// operations of all roles, in an order in which nothing waits for what is written below it.

#include "models/collective.hpp"
#include "models/cost.hpp"
#include "models/dense_work.hpp"
#include "models/layout.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ringsim::sim {

/// Index into Program::streams.
using StreamId = std::size_t;

/// Which block an operation of rank r at step k means: r's own, the travelling one (Program::owner), or all of them.
enum class Block { resident, travelling, all };

/// How a block goes from rank to rank. N ranks, M = Program::inner of them in an inner ring.
enum class Way {
  up,     // from r to r + 1: at step k rank r has the block of rank r - k
  down,   // from r to r - 1: that of rank r + k
  inner,  // up within the M ranks of an inner ring
  outer,  // from r to r + M
};

/// Part of a block that goes one way: all of it, or the half of its heads (of all sequences, an odd key/value head goes
/// to the first) or of its tokens (models/layout.hpp).
enum class Share { whole, first_heads, second_heads, first_tokens, second_tokens };

/// Which of a block's tokens a tensor is of: those of the queries, or those of the keys, which the cached ones belong to.
enum class Side { queries, keys };

/// A buffer of a rotating set: number first + (step + offset) mod count of the tensor's buffers.
struct Slot {
  std::int64_t offset = 0;
  std::int64_t count = 1;
  std::int64_t first = 0;
  friend bool operator==(const Slot&, const Slot&) = default;
};

/// An event of an indexed family: index (step + offset) mod count.
struct Event {
  std::size_t family = 0;  // index into Program::events
  std::int64_t offset = 0;
  std::int64_t count = 1;
  friend bool operator==(const Event&, const Event&) = default;
};

/// What travels. `bytes_per_token` of its tokens, over all heads of the share and sequences of the rank.
struct Tensor {
  std::string name;
  Bytes bytes_per_token;
  Side side = Side::keys;
  Share share = Share::whole;
};

/// A buffer of a tensor.
struct Operand {
  std::size_t tensor = 0;  // index into Program::tensors
  Slot slot;
  friend bool operator==(const Operand&, const Operand&) = default;
};

/// One attention kernel: the queries of one block against the keys of another under the layer's mask. Rows, columns and
/// entries follow from Program::work(). No kernel runs where the mask leaves no entry. Both blocks may be the resident one.
struct Attend {
  StreamId stream = 0;
  Pass pass = Pass::forward;
  Block queries = Block::resident;
  Block keys = Block::travelling;
  Slot slot;  // buffer that holds the travelling block
  Way way = Way::up;
  Share share = Share::whole;  // of the travelling block
  std::size_t tensor = 0;      // what the travelling block is of: index into Program::tensors
  /// The results are the first value of the accumulator that stays (output, dQ or dK/dV), and of these travelling
  /// gradients; a Merge adds them otherwise. Forward kernels of travelling queries keep their results for the return.
  bool starts = false;
  std::vector<Operand> starts_travelling{};
  friend bool operator==(const Attend&, const Attend&) = default;
};

/// Fold the step's partial result into an accumulator: online softmax for the output, addition for a gradient. Covers the
/// rows (output, dQ) or columns (dK/dV) of the step's kernel of the same way and share.
struct Merge {
  StreamId stream = 0;
  Pass pass = Pass::forward;
  Accumulator accumulator = Accumulator::output;
  bool travelling = false;  // the accumulator itself goes around the ring
  /// The partial is one that another rank computed at this step and has returned: rows are those of the rank's own queries
  /// against the block of rank r + k.
  bool returned = false;
  Way way = Way::up;
  Share share = Share::whole;
  Operand into{};  // of a travelling accumulator
  /// What is added is no kernel's result but a travelling gradient, in this buffer of the same tensor: all of its block.
  std::optional<Slot> from{};
  friend bool operator==(const Merge&, const Merge&) = default;
};

/// One tensor of a grouped send-receive: at step k the block of Program::owner(r, k - lag).
struct ShiftItem {
  std::size_t tensor = 0;  // index into Program::tensors
  std::int64_t lag = 0;    // 1: it belongs to the step before (a gradient that step completed)
  Slot from;
  Slot to;
  Way way = Way::up;
  friend bool operator==(const ShiftItem&, const ShiftItem&) = default;
};

/// Grouped sends and receives. Each hop starts when both of its ranks have posted the operation; the operation ends when all
/// hops of the rank, out and in, have ended.
struct Shift {
  StreamId stream = 0;
  Pass pass = Pass::forward;
  std::vector<ShiftItem> items;
  friend bool operator==(const Shift&, const Shift&) = default;
};

/// Work of one rank that moves nothing: index into Program::dense, one for every kind of layer or one for all.
struct Dense {
  StreamId stream = 0;
  Pass pass = Pass::forward;
  std::vector<std::size_t> work;
  friend bool operator==(const Dense&, const Dense&) = default;
};

/// What a collective brings to the attention, for whoever executes it.
enum class Content {
  other,            // nothing that attention reads
  queries_keys,     // Q, K, V: from all heads of part of the tokens to part of the heads of all tokens
  output,           // O and its statistics, the reverse
  output_gradient,  // dO, as Q
  gradients,        // dQ, dK, dV, as O
  keys,             // K and V of all blocks
  key_gradients,    // dK and dV, added up, each rank's own block of them
  returned,         // partial outputs, to the ranks whose queries they are of
};

/// Index into Program::traffic, one for every kind of layer or one for all. Starts when all members have reached it: those of
/// Group::ring and Group::context are the program's ranks, those of other groups do the same at the same time.
struct Collective {
  StreamId stream = 0;
  Pass pass = Pass::forward;
  std::vector<std::size_t> traffic;
  Content content = Content::other;
  friend bool operator==(const Collective&, const Collective&) = default;
};

/// To the ranks with the same coordinates of another role. Ends when it has arrived; a Record behind it is what the other role
/// waits for.
struct Send {
  StreamId stream = 0;
  Pass pass = Pass::forward;
  std::string name;
  std::size_t to_role = 0;
  Bytes bytes_per_token;
  friend bool operator==(const Send&, const Send&) = default;
};

struct Record {
  StreamId stream = 0;
  Event event;
  friend bool operator==(const Record&, const Record&) = default;
};

struct Wait {
  StreamId stream = 0;
  Event event;
  friend bool operator==(const Wait&, const Wait&) = default;
};

struct Operation;

/// Micro-batches are no Repeat: a body holds the operations of each. Those that are the same again and again are found in it.
enum class Loop { layer, step, micro_batch };

/// Runs its body for index first, first + 1, ... (count of them), or downwards from first.
struct Repeat {
  Loop loop = Loop::step;
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool downwards = false;
  std::vector<Operation> body;
  friend bool operator==(const Repeat& a, const Repeat& b);
};

struct Operation {
  std::variant<Attend, Merge, Shift, Record, Wait, Repeat, Dense, Collective, Send> what;
  friend bool operator==(const Operation&, const Operation&) = default;
};

inline bool operator==(const Repeat& a, const Repeat& b) {
  return a.loop == b.loop && a.first == b.first && a.count == b.count && a.downwards == b.downwards && a.body == b.body;
}

/// Where a task of a pipeline begins: a micro-batch through a piece of the model, one way, by one role. It goes on to the next task
/// of that role.
struct TaskMark {
  std::size_t operation = 0;  // index into Program::body
  std::size_t role = 0;
  Pass pass = Pass::forward;
  std::int64_t micro_batch = 0;
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
  std::vector<Mask> masks;                 // of the kinds of layers; two kinds may have the same
  std::vector<std::size_t> mask_of_layer;  // index into masks: the kind of every layer

  std::int64_t inner = 1;    // ranks of an inner ring; divides the ring
  std::int64_t ulysses = 1;  // ranks that share a block outside of attention, and its heads inside
  std::vector<DenseWork> dense{};
  std::vector<CollectiveTraffic> traffic{};
  std::vector<std::string> roles{"rank"};
  std::vector<std::size_t> role_of_stream{};  // index into roles; empty: all streams are role 0's
  /// Whether a stream computes: what it does is compute, and what it waits for is exposed or a bubble. Empty: stream 0 does.
  std::vector<bool> computes{};
  /// Ascending by operation; empty where the program is one pass of everything.
  std::vector<TaskMark> tasks{};

  [[nodiscard]] std::int64_t ring() const { return shards.ring(); }
  [[nodiscard]] std::int64_t layers() const { return static_cast<std::int64_t>(mask_of_layer.size()); }
  [[nodiscard]] std::size_t role_of(StreamId stream) const {
    return role_of_stream.empty() ? 0 : role_of_stream[stream];
  }
  [[nodiscard]] bool computes_on(StreamId stream) const { return computes.empty() ? stream == 0 : computes[stream]; }
  /// The stream on which a role computes: the first one that does.
  [[nodiscard]] StreamId compute_stream(std::size_t role) const;
  /// Rank whose block rank `rank` holds at a step of a rotation.
  [[nodiscard]] std::int64_t owner(Way way, std::int64_t rank, std::int64_t step) const;
  /// Rank that a rank sends to, and the one that it receives from.
  [[nodiscard]] std::int64_t target(Way way, std::int64_t rank) const;
  [[nodiscard]] std::int64_t source(Way way, std::int64_t rank) const;
  /// Work of every rank at a step of a layer, as runs of equal ranks.
  [[nodiscard]] std::vector<WorkSegment> work(const Attend& attend, std::int64_t layer, std::int64_t step) const;
  /// The kernel whose results a merge folds in, of every rank; where that is none, its block as a kernel that nothing masks.
  [[nodiscard]] std::vector<WorkSegment> work(const Merge& merge, std::int64_t layer, std::int64_t step) const;
  /// Of one rank.
  [[nodiscard]] AttendWork work(const Attend& attend, std::int64_t layer, std::int64_t step, std::int64_t rank) const;
  [[nodiscard]] AttendWork work(const Merge& merge, std::int64_t layer, std::int64_t step, std::int64_t rank) const;
  /// Tokens of a tensor of the block that belongs to `owner`.
  [[nodiscard]] std::int64_t tokens_of(const Tensor& tensor, std::int64_t owner) const;
  /// Part of the rank's heads that a share has: 1 but for halves of heads.
  [[nodiscard]] double heads_of(Share share) const;
  /// Bytes that a rank sends in a Shift at a step, with one of its items and in all.
  [[nodiscard]] Bytes sent(const ShiftItem& item, std::int64_t step, std::int64_t rank) const;
  [[nodiscard]] Bytes sent(const Shift& shift, std::int64_t step, std::int64_t rank) const;
  /// Those of them that go one way.
  [[nodiscard]] Bytes sent(const Shift& shift, Way way, std::int64_t step, std::int64_t rank) const;
  /// Size of a collective for a rank.
  [[nodiscard]] Bytes size_of(const CollectiveTraffic& what, std::int64_t rank) const {
    return what.bytes_per_token * static_cast<double>(shards.block(rank)) + what.fixed;
  }
};

/// Index of an operation's amount for a layer: its only one, or that of the layer's kind.
[[nodiscard]] inline std::size_t of_kind(const std::vector<std::size_t>& by_kind, const Program& program,
                                         std::int64_t layer) {
  return by_kind.size() == 1 ? by_kind.front() : by_kind[program.mask_of_layer[static_cast<std::size_t>(layer)]];
}

/// Tokens of the accumulator's block that a merge of a kernel's results covers; of half of the heads a token counts half.
[[nodiscard]] inline double merged_tokens(Accumulator accumulator, const AttendWork& work) {
  return static_cast<double>(accumulator == Accumulator::kv_gradient ? work.columns : work.rows) * work.heads;
}

/// Totals over the whole program, all ranks: useful FLOP of a pass, and bytes sent by each rank.
[[nodiscard]] Flop useful_flop(const Program& program, Pass pass);
[[nodiscard]] std::vector<double> bytes_sent(const Program& program);
[[nodiscard]] std::vector<double> bytes_received(const Program& program);
/// Bytes that each rank sends in collectives of the groups that divide a sequence (ulysses, ring, context), by the ring
/// algorithm's traffic (models/collective.hpp).
[[nodiscard]] std::vector<double> collective_bytes_sent(const Program& program);

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

/// Whether an operation of a loop of steps has the same amounts in each of them.
[[nodiscard]] bool same_in_every_step(const Program& program, const Operation& operation, std::int64_t layer);

/// Calls `visit(operation, layer, step, times)` so that times · (what it finds) adds up to what for_each_execution would: once for layers
/// of a kind, and for steps in which the operation has the same amounts. Other orders, and as many calls as there are differences.
template <class Visit>
void for_each_amount(const Program& program, std::span<const Operation> body, const Visit& visit, double times = 1,
                     std::int64_t layer = 0, std::int64_t step = 0) {
  for (const Operation& operation : body) {
    const auto* repeat = std::get_if<Repeat>(&operation.what);
    if (repeat == nullptr) {
      visit(operation, layer, step, times);
      continue;
    }
    const auto index = [&](std::int64_t i) { return repeat->downwards ? repeat->first - i : repeat->first + i; };
    if (repeat->loop == Loop::layer) {
      std::vector<std::pair<std::int64_t, double>> kinds;  // the first layer of a kind, and how many there are of it
      const auto kind_of = [&](std::int64_t l) { return program.mask_of_layer[static_cast<std::size_t>(l)]; };
      for (std::int64_t i = 0; i < repeat->count; ++i) {
        const auto known = std::find_if(kinds.begin(), kinds.end(),
                                        [&](const auto& kind) { return kind_of(kind.first) == kind_of(index(i)); });
        if (known == kinds.end()) {
          kinds.emplace_back(index(i), 1.0);
        } else {
          known->second += 1.0;
        }
      }
      for (const auto& [first, count] : kinds) {
        for_each_amount(program, std::span(repeat->body), visit, times * count, first, step);
      }
      continue;
    }
    for (const Operation& inner : repeat->body) {
      const bool once = same_in_every_step(program, inner, layer);
      for (std::int64_t i = 0; i < (once ? std::min<std::int64_t>(1, repeat->count) : repeat->count); ++i) {
        for_each_amount(program, std::span(&inner, 1), visit, once ? times * static_cast<double>(repeat->count) : times,
                        layer, index(i));
      }
    }
  }
}

}  // namespace ringsim::sim
