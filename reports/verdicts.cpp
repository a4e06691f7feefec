#include "reports/verdicts.hpp"

#include "reports/humanise.hpp"
#include "reports/run_parts.hpp"

#include <fmt/format.h>

namespace ringsim::reports {

std::string answer(const sim::Prediction& p, const Scenario& scenario) {
  const char* what = scenario.workload.phase == Phase::train ? "forward and backward attention" : "prefill attention";
  const std::int64_t batch = scenario.workload.batch;
  std::string text = fmt::format("{}: {} of {} over {} tokens{} takes {}{} on {}", p.scenario_name, what,
                                 p.layers == 1 ? "one layer" : fmt::format("{} layers", human_count(p.layers)),
                                 human_count(p.tokens_total),
                                 batch > 1 ? fmt::format(" in each of {} sequences", human_count(batch)) : "",
                                 p.makespan_is_bound ? "at least " : "", human_time(p.makespan_s),
                                 p.ranks == 1 ? "one GPU" : human_count(p.ranks) + " GPUs");
  if (p.replicas && !p.replicas->figures.empty()) {
    // The makespan is the first of them.
    text += fmt::format(" (the median of {} replicas; 95 % of them take at most {})", human_count(p.replicas->count),
                        human_time(p.replicas->figures.front().statistics.tail_95));
  } else if (p.makespan_low_s && p.makespan_high_s) {
    text += fmt::format(" (between {} and {})", human_time(*p.makespan_low_s), human_time(*p.makespan_high_s));
  }
  return text + ".";
}

Verdict transfers_verdict(const sim::RunSummary& run, std::int64_t ring) {
  constexpr double tolerance = 0.01;
  if (ring <= 1) return {"Nothing travels: the ring has one rank.", true};
  const double share = run.makespan_s > 0.0 ? run.exposed_communication_s / run.makespan_s : 0.0;
  if (share <= 0.0) return {"Transfers hide behind the computation: no time is spent waiting for them.", true};
  if (share <= tolerance) {
    return {fmt::format("Transfers hide behind the computation: {} of the time is spent waiting for them.",
                        human_percent(share)),
            true};
  }
  return {fmt::format("Transfers are exposed: {} of the time is spent waiting for them.", human_percent(share)), false};
}

Verdict transfers_verdict(const sim::Prediction& p) {
  if (p.ring_size > 1 && p.makespan_is_bound) {
    return {"Whether transfers hide is left open: the engine gives a lower bound only.", false};
  }
  return transfers_verdict(run_of(p), p.ring_size);
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
