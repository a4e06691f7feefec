#include "sim/flow/broke_off.hpp"

#include "sim/phrases.hpp"
#include "sim/spans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>

namespace ringsim::sim::flow {
namespace {

using Doing = RankState::Doing;

const RankState& state_of(const RingRun& run, std::int64_t rank) { return run.states[static_cast<std::size_t>(rank)]; }

// Transfers that the rank has posted. One that died may have been on its way to the last.
std::int64_t posted(const RankState& state) {
  return state.transfers - (state.doing == Doing::dead && state.posted_s > state.died_s ? 1 : 0);
}

std::string who(const RingRun& run, std::int64_t rank) { return fmt::format("GPU {} (rank {})", run.gpu(rank), rank); }

std::string transfer(const RingRun& run, const Shift& shift, std::int64_t layer, std::int64_t step) {
  return fmt::format("{}, {}, layer {}, step {}", shift_name(run.program, shift), name_of(shift.pass), layer, step);
}

std::string at(const RingRun& run, const RankState& state) {
  return transfer(run, *state.shift, state.layer, state.step);
}

bool uses(const RingRun& run, const LostHop& lost, LinkIndex link) {
  const auto& route = run.routes(lost.role, set_of(lost.way))[static_cast<std::size_t>(lost.hop)];
  return std::find(route.begin(), route.end(), link) != route.end();
}

// "link node0.nic1.out failed at 1.2 ms"
std::string failure(const FlowSetup& setup, const StruckFailure& f) {
  const std::string what = f.link != nullptr ? "link " + setup.links[f.link->link].name : fmt::format("GPU {}", f.gpu);
  return fmt::format("{} failed at {}", what, phrases::time(f.at_s));
}

// The first failure that took something along, and the ring that it hit.
struct Cause {
  std::string text;
  std::size_t ring = 0;
  std::vector<std::int64_t> stuck;  // ranks that no other rank keeps from going on
};

std::string lost_hop(const RingRun& run, const LostHop& lost, double failed_s) {
  const std::int64_t to = run.program.target(lost.way, lost.hop);
  const double posted_s = std::max(run.state(lost.hop, lost.role).posted_s, run.state(to, lost.role).posted_s);
  const std::string hop =
      fmt::format("the hop from GPU {} to GPU {} (rank {} to rank {}; {})", run.gpu(lost.hop, lost.role),
                  run.gpu(to, lost.role), lost.hop, to, transfer(run, *lost.shift, lost.layer, lost.step));
  if (lost.at_s > failed_s) return fmt::format("{} could not start at {}", hop, phrases::time(lost.at_s));
  return fmt::format("{} was in flight since {} and is lost", hop, phrases::time(posted_s));
}

std::optional<Cause> of_link(const FlowSetup& setup, const std::vector<RingRun>& rings, const JobState& job,
                             const StruckFailure& f) {
  const auto on_it = [&](const LostHop& lost) { return uses(rings[lost.ring], lost, f.link->link); };
  const auto first = std::find_if(job.lost.begin(), job.lost.end(), on_it);
  if (first == job.lost.end()) return std::nullopt;
  const RingRun& run = rings[first->ring];
  std::string text = failure(setup, f) + ": " + lost_hop(run, *first, f.at_s);
  const auto others = std::count_if(first + 1, job.lost.end(), on_it);
  if (others > 0) text += fmt::format("; {} more {} lost on it", others, others == 1 ? "hop is" : "hops are");
  return Cause{std::move(text), first->ring, {first->hop, run.program.target(first->way, first->hop)}};
}

std::optional<Cause> of_gpu(const FlowSetup& setup, const std::vector<RingRun>& rings, const JobState& job,
                            const StruckFailure& f) {
  for (std::size_t i = 0; i < rings.size(); ++i) {
    const RingRun& run = rings[i];
    for (std::int64_t rank = 0; rank < run.ranks(); ++rank) {
      const RankState& state = state_of(run, rank);
      if (run.gpu(rank) != f.gpu || state.doing != Doing::dead) continue;
      std::string text = failure(setup, f) + fmt::format(" (rank {})", rank);
      const bool in_flight = std::any_of(job.lost.begin(), job.lost.end(), [&](const LostHop& lost) {
        return lost.ring == i && (lost.hop == rank || lost.hop == run.before(rank));
      });
      if (in_flight) {
        text += " with its hops in flight: " + at(run, state);
      } else if (state.shift == nullptr) {
        text += " before its first transfer";
      } else if (posted(state) < state.transfers) {
        text += " before it posted " + at(run, state);
      } else {
        text += " after it had posted " + at(run, state);
      }
      return Cause{text, i, {rank}};
    }
  }
  return std::nullopt;
}

// Whom a rank that has not ended waits for; absent where its own hop is lost.
std::optional<std::int64_t> waits_for(const RingRun& run, std::int64_t rank) {
  for (const std::int64_t other : {run.after(rank), run.before(rank)}) {
    if (posted(state_of(run, other)) < posted(state_of(run, rank))) return other;
  }
  return std::nullopt;
}

// Who waits for the stuck ranks, who waits for these, and so on.
std::string chain(const RingRun& run, std::deque<std::int64_t> reached) {
  constexpr int shown = 6;
  std::vector<bool> seen(static_cast<std::size_t>(run.ranks()));
  for (const std::int64_t rank : reached) seen[static_cast<std::size_t>(rank)] = true;
  std::string text;
  int listed = 0;
  std::int64_t more = 0;
  while (!reached.empty()) {
    const std::int64_t front = reached.front();
    reached.pop_front();
    for (const std::int64_t rank : {run.before(front), run.after(front)}) {
      const RankState& state = state_of(run, rank);
      if (seen[static_cast<std::size_t>(rank)] || state.doing == Doing::finished || state.shift == nullptr) continue;
      // One whose hop went down with the GPU that it exchanged with waits for that GPU.
      const bool with_dead = state.doing == Doing::lost && state_of(run, front).doing == Doing::dead;
      if (!with_dead && waits_for(run, rank) != front) continue;
      seen[static_cast<std::size_t>(rank)] = true;
      reached.push_back(rank);
      if (++listed > shown) {
        ++more;
        continue;
      }
      text += fmt::format("; {} waits for {} since {}: {}", who(run, rank), who(run, front),
                          phrases::time(state.posted_s), at(run, state));
    }
  }
  if (more > 0) text += fmt::format("; and {} more {} for these", more, more == 1 ? "rank waits" : "ranks wait");
  return text;
}

}  // namespace

std::string broke_off_message(const FlowSetup& setup, const std::vector<RingRun>& rings, const JobState& job,
                              const std::vector<StruckFailure>& struck) {
  std::optional<Cause> cause;
  for (const StruckFailure& f : struck) {
    cause = f.link != nullptr ? of_link(setup, rings, job, f) : of_gpu(setup, rings, job, f);
    if (cause) break;
  }
  if (!cause) {
    // No failure: the program waits for itself. Every rank says what it waits for.
    Cause own{"the ranks wait for each other and no failure is the reason", 0, {}};
    for (std::size_t i = 0; i < rings.size() && own.stuck.empty(); ++i) {
      for (std::int64_t rank = 0; rank < rings[i].ranks(); ++rank) {
        if (state_of(rings[i], rank).doing == Doing::finished || waits_for(rings[i], rank)) continue;
        own.ring = i;
        own.stuck.push_back(rank);
      }
    }
    cause = own;
  }
  const RingRun& run = rings[cause->ring];
  std::string text = "the simulated run cannot end: " + cause->text;
  if (rings.size() > 1) text += fmt::format(" (ring {} of {})", cause->ring, rings.size());
  return text + chain(run, {cause->stuck.begin(), cause->stuck.end()});
}

}  // namespace ringsim::sim::flow
