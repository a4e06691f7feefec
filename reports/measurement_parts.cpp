#include "reports/measurement_parts.hpp"

#include "calibrate/compare/operations.hpp"
#include "reports/humanise.hpp"
#include "reports/run_parts.hpp"

#include <fmt/format.h>

namespace ringsim::reports {
namespace {

std::string layers_text(std::int64_t layers) { return layers == 1 ? "one layer" : human_count(layers) + " layers"; }

std::string repeats_text(const calibrate::Measurement& m) {
  const auto repeats = static_cast<std::int64_t>(m.makespans_s.size());
  if (repeats == 1) return "one run";
  return fmt::format("median of {} repeats, known to lie between {} and {}", human_count(repeats),
                     human_time(m.median_low_s), human_time(m.median_high_s));
}

/// Who moves the bytes when CPUs execute.
std::string transfers_text(const calibrate::Measurement& m) {
  return m.definition.transfer == "copy-engine" ? "by a thread of their own"
                                                : "by the thread that computes, between the tiles of its kernels";
}

std::string work_text(const calibrate::Definition& d) {
  return fmt::format("{}, {} mask, {}, {} {} a rank", d.phase, d.causal ? "causal" : "no", d.dtype,
                     human_count(d.batch), d.batch == 1 ? "sequence" : "sequences");
}

std::string heads_text(const calibrate::Definition& d) {
  const std::string dims = d.query_key_dim == d.value_dim
                               ? human_count(d.query_key_dim)
                               : fmt::format("{} (values: {})", human_count(d.query_key_dim), human_count(d.value_dim));
  return fmt::format("{}, {} query and {} key/value heads of {} a rank", layers_text(d.layers),
                     human_count(d.query_heads), human_count(d.kv_heads), dims);
}

}  // namespace

std::string measured_answer(const calibrate::Measurement& m) {
  const calibrate::Definition& d = m.definition;
  const std::string what = fmt::format(
      "{}: {} of {} over {} tokens{}", m.scenario_name,
      d.phase == "train" ? "forward and backward attention" : "prefill attention", layers_text(d.layers),
      human_count(d.tokens), d.batch > 1 ? fmt::format(" in each of {} sequences", human_count(d.batch)) : "");
  const std::string ranks = d.ring == 1 ? "one rank" : human_count(d.ring) + " ranks";
  if (m.makespans_s.empty()) return fmt::format("{} on {}: totals of its kernels, no makespan.", what, ranks);
  return fmt::format("{} took {} on {} ({}).", what, human_time(m.makespan_s), ranks, repeats_text(m));
}

Verdict check_verdict(const calibrate::Measurement& m) {
  if (!m.check) return {"Results were not checked.", false};
  std::string errors;
  for (const auto& [name, error] : m.check->error)
    errors += fmt::format("{}{} {:.1e}", errors.empty() ? "" : ", ", name, error);
  return {fmt::format("Results {} plain attention: largest error {} of the largest value, {:.0e} allowed.",
                      m.check->passed ? "equal" : "do NOT equal", errors, m.check->tolerance),
          m.check->passed};
}

std::string device_text(const calibrate::Environment& e) {
  const std::string machine = e.machine.empty() ? "" : ", " + e.machine;
  return fmt::format("{}{}{}", e.device, machine, e.gpu.empty() ? "" : fmt::format(" (as {})", e.gpu));
}

std::string version_text(const calibrate::Environment& e) {
  return e.version + (e.commit.empty() ? "" : ", commit " + e.commit);
}

Fields measured_setup_fields(const calibrate::Measurement& m) {
  const calibrate::Definition& d = m.definition;
  const calibrate::Environment& e = m.environment;
  Fields fields = {{"measured on", device_text(e)}};
  const auto add = [&fields](const char* label, const std::string& text) {
    if (!text.empty()) fields.emplace_back(label, text);
  };
  add("software", e.software);
  add("date", e.date);
  add("ringsim", version_text(e));
  add("model", heads_text(d));
  add("work", work_text(d));
  add("tokens", human_count(d.tokens) + " in the whole sequence");
  add("ring", ring_text({d.ring, d.layout, d.travels, d.backward_travels, d.buffers, d.transfer}));
  if (d.ring > 1 && e.device == "host") add("transfers", transfers_text(m));
  if (!m.makespans_s.empty()) {
    add("repeats", fmt::format("{} after {} to warm up; times are those of repeat {}, the median",
                               human_count(static_cast<std::int64_t>(m.makespans_s.size())), human_count(m.warmup),
                               human_count(m.chosen + 1)));
  }
  return fields;
}

std::optional<sim::RunSummary> measured_run(const calibrate::Measurement& m) {
  if (m.per_rank.empty()) return std::nullopt;
  const sim::RankSummary& slowest = m.per_rank.at(static_cast<std::size_t>(m.slowest_rank));
  sim::RunSummary run{m.makespan_s,     m.per_rank, m.slowest_rank, slowest.compute_s, slowest.exposed_communication_s,
                      slowest.bubble_s, {}};
  if (slowest.in_flight_s > 0.0) run.overlap = 1.0 - slowest.exposed_communication_s / slowest.in_flight_s;
  return run;
}

Grid operation_grid(const calibrate::Measurement& m) {
  Grid grid{{{"operation", Align::left},
             {"count", Align::right},
             {"mean a rank", Align::right},
             {"median", Align::right},
             {"", Align::left}},
            {}};
  for (const calibrate::OperationTotal& total : calibrate::operation_totals(m)) {
    grid.rows.push_back({total.name, human_count(total.count),
                         human_time(total.total_s / static_cast<double>(m.definition.ring)), human_time(total.median_s),
                         total.kind == sim::SpanKind::transfer ? "in flight" : ""});
  }
  return grid;
}

Grid diagnosis_grid(const calibrate::Diagnosis& diagnosis) {
  Grid grid{{{"", Align::left}, {"slowest rank", Align::right}, {"mean of ranks", Align::right}}, {}};
  if (!diagnosis.slowest || !diagnosis.overall) return grid;
  const calibrate::OverlapFigures& slowest = *diagnosis.slowest;
  const calibrate::OverlapFigures& overall = *diagnosis.overall;
  const auto ranks = static_cast<double>(diagnosis.ranks);
  const auto time = [&](const char* label, double calibrate::OverlapFigures::* value) {
    grid.rows.push_back({label, human_time(slowest.*value), human_time(overall.*value / ranks)});
  };
  time("first to last operation", &calibrate::OverlapFigures::elapsed_s);
  time("kernels", &calibrate::OverlapFigures::kernels_s);
  time("incoming hops in flight", &calibrate::OverlapFigures::transfer_s);
  grid.rows.push_back({"time / (kernels + hops)", human_percent(slowest.of_sum()), human_percent(overall.of_sum())});
  grid.rows.push_back(
      {"time / the longer of the two", human_percent(slowest.of_longer()), human_percent(overall.of_longer())});
  const auto achieved = [](const calibrate::OverlapFigures& f) {
    const std::optional<double> share = f.achieved();
    return share ? human_percent(*share) : std::string();
  };
  grid.rows.push_back({"hidden of the shorter of the two", achieved(slowest), achieved(overall)});
  return grid;
}

}  // namespace ringsim::reports
