// The first sentence of a report: what was asked, how long it takes on how many GPUs, and the rates that follow.

#include "reports/humanise.hpp"
#include "reports/verdicts.hpp"

#include <fmt/format.h>

namespace ringsim::reports {
namespace {

std::string gpus_text(const sim::Prediction& p) { return p.ranks == 1 ? "one GPU" : human_count(p.ranks) + " GPUs"; }

// What is known of the time beside it: replicas or an interval, both of the makespan, of which the time is a share.
std::string spread_text(const sim::Prediction& p, double share) {
  if (p.replicas && !p.replicas->figures.empty()) {
    // The makespan is the first of them.
    return fmt::format(" (the median of {} replicas; 95 % of them take at most {})", human_count(p.replicas->count),
                       human_time(p.replicas->figures.front().statistics.tail_95 * share));
  }
  if (p.makespan_low_s && p.makespan_high_s) {
    return fmt::format(" (between {} and {})", human_time(*p.makespan_low_s * share),
                       human_time(*p.makespan_high_s * share));
  }
  return {};
}

std::string taking(const sim::Prediction& p, double time, const char* of_what) {
  return fmt::format(" takes {}{}{} on {}{}", p.makespan_is_bound ? "at least " : "", human_time(time), of_what,
                     gpus_text(p), spread_text(p, p.makespan_s > 0.0 ? time / p.makespan_s : 1.0));
}

std::string before_and_in_chunks(const Workload& w) {
  std::string text;
  if (w.cached > 0) text += fmt::format(" after {} cached ones", human_count(w.cached));
  if (w.chunk > 0 && w.chunk < w.tokens) text += fmt::format(" in chunks of {}", human_count(w.chunk));
  return text;
}

std::string layers_text(const sim::Prediction& p) {
  return p.layers == 1 ? "one layer" : fmt::format("{} layers", human_count(p.layers));
}

std::string in_cache(const sim::Prediction& p, std::int64_t batch) {
  return fmt::format(" with {} tokens in the cache{}", human_count(p.tokens_total),
                     batch > 1 ? fmt::format(" of each of {} sequences", human_count(batch)) : "");
}

std::string of_attention(const sim::Prediction& p, const Scenario& s) {
  const std::int64_t batch = s.workload.batch;
  if (s.workload.phase == Phase::decode) {
    return fmt::format("{}: decode attention of {}{}{}.", p.scenario_name, layers_text(p), in_cache(p, batch),
                       taking(p, p.tpot_s.value_or(p.makespan_s), p.tpot_s ? " a token" : ""));
  }
  const char* what = s.workload.phase == Phase::train      ? "forward and backward attention"
                     : s.workload.phase == Phase::backward ? "backward attention"
                                                           : "prefill attention";
  return fmt::format("{}: {} of {} over {} tokens{}{}{}.", p.scenario_name, what, layers_text(p),
                     human_count(p.tokens_total), before_and_in_chunks(s.workload),
                     batch > 1 ? fmt::format(" in each of {} sequences", human_count(batch)) : "",
                     taking(p, p.makespan_s, ""));
}

std::string of_model(const sim::Prediction& p, const Scenario& s) {
  const std::int64_t batch = s.workload.batch;
  const std::string sequences = batch > 1 ? fmt::format("{} sequences of ", human_count(batch)) : "";
  const char* at_most = p.makespan_is_bound ? "at most " : "";
  std::string text = p.scenario_name + ": ";
  std::string rates = fmt::format("{}{} tokens/s", at_most, human_number(p.tokens_per_s));
  switch (s.workload.phase) {
    case Phase::prefill:
      text += fmt::format("prefill of {}{} tokens{}", sequences, human_count(p.tokens_total),
                          before_and_in_chunks(s.workload)) +
              taking(p, p.ttft_s.value_or(p.makespan_s), p.ttft_s ? " to the first token (TTFT)" : "");
      break;
    case Phase::backward:  // has no whole model
    case Phase::train:
      text += fmt::format("a training step of {}{} tokens", sequences, human_count(p.tokens_total)) +
              taking(p, p.step_time_s.value_or(p.makespan_s), "");
      break;
    case Phase::decode:
      text +=
          "decode" + in_cache(p, batch) + taking(p, p.tpot_s.value_or(p.makespan_s), p.tpot_s ? " a token (TPOT)" : "");
      if (p.tpot_s && batch > 1) rates += fmt::format(", {} a sequence", human_number(1.0 / *p.tpot_s));
      return text + ": " + rates + ".";
  }
  return text + fmt::format(": {}, MFU {}{}.", rates, at_most, human_percent(p.mfu));
}

}  // namespace

std::string answer(const sim::Prediction& p, const Scenario& scenario) {
  return p.scope == "model" ? of_model(p, scenario) : of_attention(p, scenario);
}

}  // namespace ringsim::reports
