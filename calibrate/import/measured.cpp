#include "calibrate/import/measured.hpp"

#include "calibrate/definition.hpp"
#include "calibrate/import/kernel_summary.hpp"
#include "models/error.hpp"
#include "sim/schedules/ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace ringsim::calibrate {
namespace {

constexpr std::size_t names_shown = 5;

/// "3.1 ms in kernels that no pattern knows: A (2.0 ms), B (1.1 ms)", the longest first.
std::string unmapped_note(const std::map<std::string, double, std::less<>>& unmapped_s) {
  std::vector<std::pair<double, std::string>> all;
  double total_s = 0;
  for (const auto& [name, s] : unmapped_s) {
    all.emplace_back(s, name);
    total_s += s;
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text =
      fmt::format("{:.3g} ms in kernels that are no part of a ring, or that no pattern knows: ", 1e3 * total_s);
  for (std::size_t i = 0; i < std::min(all.size(), names_shown); ++i) {
    text += fmt::format("{}{} ({:.3g} ms)", i == 0 ? "" : ", ", all[i].second.substr(0, 80), 1e3 * all[i].first);
  }
  if (all.size() > names_shown) text += fmt::format(" and {} more", all.size() - names_shown);
  return text;
}

Measurement frame(const Scenario& scenario) {
  Measurement m;
  m.scenario_name = scenario.name;
  m.scenario_hash = scenario.hash;
  m.definition = definition_of(scenario);
  m.environment.device = "import";
  m.environment.gpu = scenario.cluster.gpu.name;
  return m;
}

Measurement of_traces(const Scenario& scenario, const std::vector<NamedText>& files,
                      const std::vector<NamePattern>& patterns) {
  ImportedRun run = import_trace(files, {patterns});
  if (run.ranks != scenario.parallel.ring) {
    throw Error(fmt::format("the traces hold {} {}, the scenario's ring has {}", run.ranks,
                            run.ranks == 1 ? "rank" : "ranks", scenario.parallel.ring),
                files.front().name, "give the trace of every rank: --measured RANK0 RANK1 ...");
  }
  if (run.spans.empty()) {
    throw Error("no kernel of a ring is in it: " + unmapped_note(run.unmapped_s), files.front().name,
                "name the kernels: --pattern 'REGEX=attention-forward'");
  }
  const sim::Program program = sim::ring_program_of(scenario);
  assign_operations(run, program);
  Measurement m = frame(scenario);
  m.environment.machine = run.machine;
  m.environment.software = run.backend.value_or("");
  m.timeline.ranks = m.timeline.ranks_shown = run.ranks;
  for (const sim::Span& span : run.spans) m.makespan_s = std::max(m.makespan_s, span.end_s);
  m.makespans_s = {m.makespan_s};
  m.median_low_s = m.median_high_s = m.makespan_s;
  m.timeline.spans = std::move(run.spans);
  m.notes = std::move(run.notes);
  m.notes.push_back("one run: nothing is known of how it varies");
  if (!run.unmapped_s.empty()) m.notes.push_back(unmapped_note(run.unmapped_s));
  return m;
}

sim::SpanKind span_kind(KernelKind kind) {
  if (kind == KernelKind::attention) return sim::SpanKind::attention;
  return kind == KernelKind::merge ? sim::SpanKind::merge : sim::SpanKind::transfer;
}

Measurement of_kernel_table(const Scenario& scenario, const NamedText& file, const std::vector<NamePattern>& patterns) {
  KernelTable table = import_kernel_summary(file.name, file.text, patterns);
  Measurement m = frame(scenario);
  m.notes = std::move(table.notes);
  std::map<std::string, double, std::less<>> unmapped_s;
  for (const KernelSummary& kernel : table.kernels) {
    const bool elsewhere = kernel.kind == KernelKind::other || kernel.kind == KernelKind::elementwise ||
                           kernel.kind == KernelKind::collective;
    if (elsewhere) unmapped_s[kernel.name] += kernel.total_s;
  }
  for (const OperationSummary& operation : per_operation(table.kernels)) {
    OperationTotal total;
    total.kind = span_kind(operation.kind);
    total.name = operation.kind == KernelKind::attention ? sim::attention_name(*operation.pass)
                 : operation.kind == KernelKind::merge   ? "merge"
                                                         : "shift";
    total.count = operation.instances;
    total.total_s = operation.total_s;
    total.median_s = operation.median_s;
    m.totals.push_back(std::move(total));
  }
  if (m.totals.empty()) {
    throw Error("no kernel of a ring is in it: " + unmapped_note(unmapped_s), file.name,
                "name the kernels: --pattern 'REGEX=attention-forward'");
  }
  if (!unmapped_s.empty()) m.notes.push_back(unmapped_note(unmapped_s));
  m.notes.push_back("a kernel table has sums alone: no makespan, no waits");
  return m;
}

}  // namespace

Measurement import_measurement(const Scenario& scenario, const std::vector<NamedText>& files,
                               const std::vector<NamePattern>& patterns) {
  if (!files.empty() && is_kernel_summary(files.front().text)) {
    if (files.size() > 1) throw Error("one kernel table at a time", files[1].name, "name one file");
    return of_kernel_table(scenario, files.front(), patterns);
  }
  return of_traces(scenario, files, patterns);
}

}  // namespace ringsim::calibrate
