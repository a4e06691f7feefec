#pragma once
// A program as the ranks execute it: every execution of every operation in issue order, each on its stream, and the
// orders in which streams and events allow them to happen.
//
// What holds an operation back (sim/program.hpp): the operation before it on its rank's stream; for a Wait, the latest
// Record of the event that was issued before it; for a hop of a Shift, that its two ranks have reached the Shift; for a
// Collective, that all of its members have. All else is free, so a data race is an order, among those allowed, that gives another result. In a program of a compute
// and a transfer stream, two operations that nothing orders are executed one way round by one of the two extremes
// (transfers as early as possible, as late as possible) and the other way round by the other.
//
// Ranks are those of the ring and of Ulysses: number u + U·r for Ulysses rank u of ring rank r.

#include "sim/program.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace ringsim::host {

/// Before a layer's first operation, on its compute stream: the layer's own block exists from here on.
struct LayerBegin {
  Pass pass = Pass::forward;
};
/// After a layer's last operation, on its compute stream: its results are read.
struct LayerEnd {
  Pass pass = Pass::forward;
};
struct Recorded {};
/// Passes once the instruction at this index of the list, a Recorded, has been executed by the same rank.
struct WaitFor {
  std::optional<std::size_t> record;  // none: nothing had been recorded, passes at once
};

struct Instruction {
  std::variant<LayerBegin, const sim::Attend*, const sim::Merge*, const sim::Shift*, const sim::Collective*, Recorded,
               WaitFor, LayerEnd>
      what;
  sim::StreamId stream = 0;
  std::int64_t layer = 0;
  std::int64_t step = 0;
  std::size_t position = 0;  // in its stream
};

/// The same for all ranks. Refers to the program's operations.
struct IssueList {
  std::vector<Instruction> instructions;         // in issue order
  std::vector<std::vector<std::size_t>> stream;  // per stream, indices into instructions
};
[[nodiscard]] IssueList issue_list(const sim::Program& program);

/// The stream of the attention kernels. Throws Error where there is none, or more than one.
[[nodiscard]] sim::StreamId compute_stream(const IssueList& list);

enum class Order {
  issue,            // as written
  transfers_first,  // streams that shift run as far ahead as they may, the last of them the furthest
  transfers_last,   // streams that shift run only when nothing else can, the last of them least of all
  random            // any allowed order, by a seed
};

struct OrderChoice {
  Order order = Order::issue;
  std::uint64_t seed = 0;
};

/// What an order decides about.
struct Actions {
  std::function<void(std::size_t rank, const Instruction&)> run;  // all but transfers, records and waits
  std::function<void(std::size_t sender, std::size_t receiver, sim::Way, const Instruction&)>
      hop;  // of a shift, one way
  std::function<void(const std::vector<std::size_t>& members, const Instruction&)> collective;
};

/// Executes the program's list on all of its ranks. No list can deadlock: a Wait is for something issued before it.
void run_in_order(const sim::Program& program, const IssueList& list, OrderChoice choice, const Actions& actions);

}  // namespace ringsim::host
