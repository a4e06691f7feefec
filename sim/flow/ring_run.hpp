#pragma once
// What the ranks of one ring share during a flow-level run: the lowered program, the costs, the hops, and what each rank has
// come to, which outlives the rank's own execution so that a run that broke off can be told.

#include "sim/flow/engine.hpp"
#include "sim/flow/event_rows.hpp"
#include "sim/recurrence/lowering.hpp"

#include <simgrid/s4u.hpp>

#include <array>
#include <cstdint>
#include <map>
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
  std::int64_t hop = 0;  // by its sender
  std::size_t role = 0;
  Way way = Way::up;
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

/// Times of events that one actor of a rank records and others wait for. Records of a slot are numbered in issue order, which all
/// actors of the rank go through, so each knows the number of the record that it waits for.
class EventBoard {
 public:
  explicit EventBoard(std::size_t actors, std::size_t slots) : seen_(actors, std::vector<std::int64_t>(slots)) {
    times_.resize(slots);
  }
  /// An actor has come to a further record of the slot; its number.
  std::int64_t count(std::size_t actor, std::size_t slot) { return ++seen_[actor][slot]; }
  void publish(std::size_t slot, std::int64_t number, double time_s);
  /// The time of a record; the calling actor waits until it is known.
  [[nodiscard]] double wait_for(std::size_t slot, std::int64_t number);

 private:
  struct Waiting {
    std::int64_t number;
    simgrid::s4u::SemaphorePtr wake;
  };
  struct Slot {
    std::map<std::int64_t, double> known;
    std::vector<Waiting> waiting;
  };
  std::vector<std::vector<std::int64_t>> seen_;  // by actor
  std::vector<Slot> times_;
};

/// A collective for which ranks wait for each other.
struct Meeting {
  std::int64_t arrived = 0;
  double start_s = 0;
  std::vector<simgrid::s4u::SemaphorePtr> waiting;
};

/// A kernel of a rank, which may hold the SMs.
struct Kernel {
  double start_s, end_s;
};

constexpr std::size_t first_set = 0;   // hops of Way::up and Way::inner
constexpr std::size_t second_set = 1;  // of Way::down and Way::outer
constexpr std::size_t set_of(Way way) { return way == Way::down || way == Way::outer ? second_set : first_set; }

struct RingRun {
  RingRun(const Program& ring_program, const FlowRing& description, std::shared_ptr<const Lowered> lowered_program,
          const std::vector<NetworkLink>& links);

  /// Of the hop that goes a way from rank `hop` of a role, jitter included.
  [[nodiscard]] HopTime hop_time(const Instruction& shift, const HopTimes& way, std::size_t role, std::int64_t layer,
                                 std::int64_t step, std::int64_t hop) const;
  [[nodiscard]] std::int64_t ranks() const { return program.ring(); }
  [[nodiscard]] std::size_t roles() const { return program.roles.size(); }
  [[nodiscard]] std::int64_t gpu(std::int64_t rank, std::size_t role = 0) const;
  [[nodiscard]] std::int64_t before(std::int64_t rank) const { return rank == 0 ? ranks() - 1 : rank - 1; }
  [[nodiscard]] std::int64_t after(std::int64_t rank) const { return rank + 1 == ranks() ? 0 : rank + 1; }
  [[nodiscard]] RankState& state(std::int64_t rank, std::size_t role) {
    return states[role * static_cast<std::size_t>(ranks()) + static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] const RankState& state(std::int64_t rank, std::size_t role) const {
    return states[role * static_cast<std::size_t>(ranks()) + static_cast<std::size_t>(rank)];
  }
  /// Links of the hops of a role and a set, by sender.
  [[nodiscard]] const std::vector<std::vector<LinkIndex>>& routes(std::size_t role, std::size_t set) const;

  const Program& program;
  const FlowRing& ring;
  const Machine& machine;
  std::shared_ptr<const Lowered> lowered;  // rings on one machine have it in common
  /// Streams of every actor of a rank: all of them where one role has one stream of transfers, else each on its own.
  std::vector<std::vector<StreamId>> actors;
  KernelCosts costs;
  std::unique_ptr<EventRows> rows;                            // where somebody observes
  std::vector<RankState> states;                              // by rank, role by role
  std::vector<EventBoard> boards;                             // by rank; empty where a rank is one actor
  std::map<std::int64_t, std::shared_ptr<Meeting>> meetings;  // by the number of the collective in issue order
  std::vector<std::vector<Kernel>> kernels;                   // by rank, role by role: with a contest
  /// Actors that a rank has for hops of a second way, while they are under way.
  std::vector<std::vector<simgrid::s4u::ActorPtr>> helpers;            // by rank, role by role
  std::vector<std::array<std::vector<simgrid::s4u::Host*>, 2>> hosts;  // by role, set and sender
  std::int64_t messages = 0;

 private:
  void check_routes(std::size_t role, std::size_t set, const std::vector<NetworkLink>& links);
  std::vector<std::array<std::vector<double>, 2>> narrowest_;  // by role, set and sender [B/s]
};

}  // namespace ringsim::sim::flow
