#include "sim/flow/ring_run.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ringsim::sim::flow {

Segments KernelCosts::at(StepCosts& table, std::int64_t execution, std::int64_t step) {
  if (table.keeps_all()) return {table.at(step), nullptr};
  Kept& kept = kept_[execution];
  if (!kept.segments) {
    const auto segments = table.at(step);
    kept.segments = std::make_shared<const std::vector<SegmentCost>>(segments.begin(), segments.end());
  }
  Segments found{*kept.segments, kept.segments};
  if (++kept.asked == ranks_) kept_.erase(execution);
  return found;
}

double KernelCosts::seconds(std::span<const SegmentCost> segments, std::int64_t rank) {
  auto found = segments.begin();
  constexpr std::size_t few = 8;
  if (segments.size() <= few) {
    while (found->end <= rank) ++found;
  } else {
    found = std::upper_bound(segments.begin(), segments.end(), rank,
                             [](std::int64_t r, const SegmentCost& s) { return r < s.end; });
  }
  return found->seconds;
}

void EventBoard::publish(std::size_t slot, std::int64_t number, double time_s) {
  Slot& at = times_[slot];
  at.known[number] = time_s;
  // Who has come to a record needs none before it.
  std::int64_t least = number;
  for (const auto& seen : seen_) least = std::min(least, seen[slot]);
  at.known.erase(at.known.begin(), at.known.lower_bound(least));
  // Others go on while one is woken, and may come to wait here.
  std::vector<simgrid::s4u::SemaphorePtr> due;
  std::erase_if(at.waiting, [&](const Waiting& waiting) {
    if (waiting.number == number) due.push_back(waiting.wake);
    return waiting.number == number;
  });
  for (const simgrid::s4u::SemaphorePtr& wake : due) wake->release();
}

double EventBoard::wait_for(std::size_t slot, std::int64_t number) {
  Slot& at = times_[slot];
  if (!at.known.contains(number)) {
    const auto wake = simgrid::s4u::Semaphore::create(0);
    at.waiting.push_back({number, wake});
    wake->acquire();
  }
  return at.known.at(number);
}

namespace {

// What takes its ranks to the library's clock: transfers, and collectives at which they meet.
std::vector<bool> streams_with_a_clock(const Program& program, const std::vector<LoweredNode>& body) {
  std::vector<bool> with(program.streams.size());
  for (const LoweredNode& node : body) {
    if (const auto* instruction = std::get_if<Instruction>(&node)) {
      const bool meets = instruction->timed && instruction->timed->meets;
      if (instruction->code == Instruction::Code::shift || meets) with[instruction->stream] = true;
      continue;
    }
    const auto inner = streams_with_a_clock(program, std::get<std::unique_ptr<LoweredLoop>>(node)->body);
    for (StreamId s = 0; s < inner.size(); ++s) with[s] = with[s] || inner[s];
  }
  return with;
}

std::vector<std::vector<StreamId>> actors_of(const Program& program, const Lowered& lowered) {
  const std::vector<bool> clock = streams_with_a_clock(program, lowered.body);
  const bool one = program.roles.size() == 1 && std::count(clock.begin(), clock.end(), true) < 2;
  std::vector<std::vector<StreamId>> actors(one ? 1 : 0);
  for (StreamId s = 0; s < program.streams.size(); ++s) {
    if (one) {
      actors.front().push_back(s);
    } else {
      actors.push_back({s});
    }
  }
  return actors;
}

}  // namespace

RingRun::RingRun(const Program& ring_program, const FlowRing& description,
                 std::shared_ptr<const Lowered> lowered_program, const std::vector<NetworkLink>& links)
    : program(ring_program),
      ring(description),
      machine(*description.machine),
      lowered(std::move(lowered_program)),
      actors(actors_of(program, *lowered)),
      costs(ring_program.ring()),
      states(static_cast<std::size_t>(ring_program.ring()) * ring_program.roles.size()),
      kernels(states.size()),
      helpers(states.size()),
      hosts(ring_program.roles.size()),
      narrowest_(ring_program.roles.size()) {
  if (ring.observer != nullptr) rows = std::make_unique<EventRows>(program, *ring.observer);
  if (actors.size() > 1) {
    boards.assign(static_cast<std::size_t>(ranks()), EventBoard(actors.size(), lowered->events));
  }
  if (ranks() < 2) return;
  for (std::size_t role = 0; role < roles(); ++role) {
    for (const std::size_t set : {first_set, second_set}) check_routes(role, set, links);
  }
}

const std::vector<std::vector<LinkIndex>>& RingRun::routes(std::size_t role, std::size_t set) const {
  static const std::vector<std::vector<LinkIndex>> none;
  if (role == 0) return set == first_set ? ring.routes : ring.second_routes;
  if (role > ring.other_roles.size()) return none;
  const RoleRoutes& of = ring.other_roles[role - 1];
  return set == first_set ? of.routes : of.second_routes;
}

void RingRun::check_routes(std::size_t role, std::size_t set, const std::vector<NetworkLink>& links) {
  const auto& all = routes(role, set);
  const auto& hops = set == first_set ? machine.hops : machine.second_hops;
  if (all.empty() && (role > 0 || hops.empty())) return;
  if (std::ssize(all) != ranks() || std::ssize(hops) != ranks()) {
    throw std::logic_error(fmt::format("{} routes and {} hops for a ring of {}", all.size(), hops.size(), ranks()));
  }
  for (std::size_t hop = 0; hop < all.size(); ++hop) {
    double least = std::numeric_limits<double>::infinity();
    for (const LinkIndex link : all[hop]) least = std::min(least, in_bytes_per_second(links.at(link).bandwidth));
    if (!std::isfinite(least)) {
      throw Error(fmt::format("the hop from GPU {} has no link", gpu(static_cast<std::int64_t>(hop), role)), "cluster",
                  "a route over at least one link");
    }
    narrowest_[role][set].push_back(least);
  }
}

std::int64_t RingRun::gpu(std::int64_t rank, std::size_t role) const {
  const std::vector<std::int64_t>* gpus = &ring.gpus;
  if (role > 0 && role <= ring.other_roles.size()) gpus = &ring.other_roles[role - 1].gpus;
  return gpus->empty() ? rank : gpus->at(static_cast<std::size_t>(rank));
}

HopTime RingRun::hop_time(const Instruction& shift, const HopTimes& way, std::size_t role, std::int64_t layer,
                          std::int64_t step, std::int64_t hop) const {
  const auto h = static_cast<std::size_t>(hop);
  const std::size_t set = set_of(way.way);
  const HopCost& cost = (set == first_set ? machine.hops : machine.second_hops).at(h);
  const double alone_s = way.every_step_alike
                             ? way.per_hop[hop]
                             : in_seconds(CostModel::hop(cost, program.sent(*shift.shift, way.way, step, hop)));
  const std::int64_t kind = set == first_set ? hop_kind : second_hop_kind;
  const double factor =
      ring.links.on() ? ring.links.factor(
                            ring.links.operation(layer, step, static_cast<std::int64_t>(shift.shift->pass), kind), hop)
                      : 1.0;
  const double latency = in_seconds(cost.latency) * factor;
  return {latency, std::max(alone_s * factor - latency, 0.0) * narrowest_[role][set].at(h)};
}

}  // namespace ringsim::sim::flow
