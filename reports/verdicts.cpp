#include "reports/verdicts.hpp"

#include "reports/beyond_ring.hpp"
#include "reports/humanise.hpp"
#include "reports/run_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::reports {
namespace {

constexpr double a_little = 0.01;  // of the time spent waiting: the tolerance of the simulated B_min

}  // namespace

Verdict transfers_verdict(const sim::RunSummary& run, std::int64_t ring) {
  if (ring <= 1) return {"Nothing travels: the ring has one rank.", true};
  const double share = run.makespan_s > 0.0 ? run.exposed_communication_s / run.makespan_s : 0.0;
  if (share <= 0.0) return {"Transfers hide behind the computation: no time is spent waiting for them.", true};
  if (share <= a_little) {
    return {fmt::format("Transfers hide behind the computation: {} of the time is spent waiting for them.",
                        human_percent(share)),
            true};
  }
  return {fmt::format("Transfers are exposed: {} of the time is spent waiting for them.", human_percent(share)), false};
}

Verdict transfers_verdict(const sim::Prediction& p) {
  const bool more_than_hops = p.scope == "model" || has_collectives(p);
  if (!more_than_hops) {
    if (p.ring_size > 1 && p.makespan_is_bound) {
      return {"Whether transfers hide is left open: the engine gives a lower bound only.", false};
    }
    // Without the ranks, of which it asks nothing: there may be a million.
    const sim::RunSummary whole{p.makespan_s, {},       p.slowest_rank, p.compute_s, p.exposed_communication_s,
                                p.bubble_s,   p.overlap};
    return transfers_verdict(whole, p.ring_size);
  }
  if (p.makespan_is_bound) {
    return {"Whether communication hides is left open: the engine gives a lower bound only.", false};
  }
  if (p.traffic.empty() && p.ring_size <= 1 && p.exposed_communication_s <= 0.0) {
    return {"Nothing travels between GPUs.", true};
  }
  const double share = p.makespan_s > 0.0 ? p.exposed_communication_s / p.makespan_s : 0.0;
  if (share <= 0.0) return {"Communication hides behind the computation: no time is spent waiting for it.", true};
  const bool hides = share <= a_little;
  std::string text = fmt::format("Communication {}: {} of the time is spent waiting for it",
                                 hides ? "hides behind the computation" : "is exposed", human_percent(share));
  const auto slowest = std::find_if(p.per_rank.begin(), p.per_rank.end(),
                                    [&](const sim::RankSummary& rank) { return rank.rank == p.slowest_rank; });
  if (!hides && slowest != p.per_rank.end() && slowest->collective_s > 0.0) {
    text += fmt::format(", {} in blocking collectives", human_percent(slowest->collective_s / p.makespan_s));
  }
  return {text + ".", hides};
}

Verdict serving_verdict(const sim::ServingSummary& s) {
  const std::string asked = s.requests == 1 ? "one request is" : human_count(s.requests) + " requests are";
  if (s.requests_that_fit <= 0)
    return {fmt::format("Serving: no request fits in the cache; {} asked for.", asked), false};
  if (s.queues) {
    return {
        fmt::format("Serving: requests QUEUE: {} asked for, {} fit at once.", asked, human_count(s.requests_that_fit)),
        false};
  }
  return {fmt::format("Serving: {} asked for, {} fit at once.", asked, human_count(s.requests_that_fit)), true};
}

std::optional<bool> fits(const Memory& memory) {
  if (memory.fits() && !memory.missing.empty()) return std::nullopt;
  return memory.fits();
}

std::string missing_text(const Memory& memory) {
  std::string text;
  for (const std::string& part : memory.missing) text += (text.empty() ? "" : "; ") + part;
  return text;
}

Verdict memory_verdict(const Memory& memory) {
  const std::string of = fmt::format("{} of {} a GPU", human_bytes(memory.total), human_bytes(memory.capacity));
  if (!fits(memory)) return {fmt::format("Memory: at least {} (not counted: {}).", of, missing_text(memory)), false};
  if (memory.fits()) {
    return {fmt::format("Memory fits: {}, {} to spare.", of, human_bytes(memory.capacity - memory.total)), true};
  }
  return {fmt::format("Memory does NOT fit: {}, {} too much.", of, human_bytes(memory.total - memory.capacity)), false};
}

BlockMinimum block_minimum(const sim::BlockMinima& minima) {
  const bool simulated = minima.simulated_tokens || !minima.simulated_reason.empty();
  return {simulated, simulated ? minima.simulated_tokens : minima.calibrated_tokens};
}

Verdict block_verdict(const sim::BlockMinima& minima, std::int64_t block) {
  const auto [simulated, least] = block_minimum(minima);
  // Without a simulation the comparison is of two times that do not know of each other: it can only say "long enough".
  const char* const good = simulated ? "hidden" : "long enough";
  const char* const bad = simulated ? "exposed" : "too short";
  if (!least) return {fmt::format("{}: no block hides the hop", bad), false};
  const auto tokens = static_cast<double>(block);
  if (*least <= 0.0) return {fmt::format("{}: any block is", good), true};
  if (tokens >= *least)
    return {fmt::format("{}: {} × the block needed", good, human_factor_down(tokens / *least)), true};
  return {fmt::format("{}: the block must be {} × as large", bad, human_factor_up(*least / tokens)), false};
}

}  // namespace ringsim::reports
