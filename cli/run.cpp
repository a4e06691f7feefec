// `ringsim run`: predict one scenario.

#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/failures.hpp"
#include "cli/flow_process.hpp"
#include "cli/output.hpp"
#include "cli/report_option.hpp"
#include "cli/scenario_options.hpp"
#include "cli/trace_options.hpp"
#include "reports/csv_run.hpp"
#include "reports/html/run_page.hpp"
#include "reports/json_run.hpp"
#include "reports/markdown_run.hpp"
#include "reports/text_gantt.hpp"
#include "reports/text_run.hpp"
#include "reports/trace_events.hpp"
#include "sim/curves/bandwidth.hpp"
#include "sim/curves/scaling.hpp"
#include "sim/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace ringsim::cli {
namespace {

struct RunOptions {
  ScenarioOptions scenario;
  std::string engine = "auto";
  TraceOptions trace;
  ReportOption report;
  std::int64_t replicas = 1;
  bool b_min = false;
  bool gantt = false;
  bool in_full = false;
};

sim::EngineChoice engine_of(const RunOptions& options) {
  if (options.engine == "flow") {
    if (!flow_worker_is_there()) {
      throw MissingPart(
          "the flow engine is not beside this program (SimGrid: no); build with SimGrid (Debian package "
          "libsimgrid-dev), or use --engine recurrence");
    }
    return sim::EngineChoice::flow;
  }
  if (options.engine == "closed-form") {
    if (!options.trace.file.empty() || options.gantt) {
      throw UsageError(fmt::format("{} needs --engine recurrence: a closed form has no timeline",
                                   options.gantt ? "--gantt" : "--trace"));
    }
    return sim::EngineChoice::closed_form;
  }
  return options.engine == "recurrence" ? sim::EngineChoice::recurrence : sim::EngineChoice::automatic;
}

reports::RunPage page_of(const Scenario& scenario, const std::vector<reports::NamedWindow>& windows,
                         sim::PredictResult& result, std::uint64_t seed) {
  reports::RunPage page{result.prediction, scenario, {}};
  for (std::size_t i = 0; i < windows.size(); ++i) {
    page.timelines.push_back({windows[i].name, std::move(result.timelines[i])});
  }
  sim::ScalingOptions scaling;
  scaling.seed = seed;
  page.scaling = sim::scaling_curve(scenario, scaling);
  sim::BandwidthOptions bandwidth;
  bandwidth.seed = seed;
  page.bandwidth = sim::bandwidth_curve(scenario, bandwidth);
  return page;
}

/// The last windows of a run: how it begins and, of a longer one, what it settles to, with eight ranks at most.
void add_gantt_windows(const Scenario& scenario, sim::PredictOptions& how) {
  const std::int64_t most = std::max<std::int64_t>(1, 8 / scenario.parallel.pipeline);
  // Of a larger ring the slowest rank is one of them.
  const std::int64_t ranks = scenario.parallel.ring <= most ? most : std::max<std::int64_t>(1, most - 1);
  how.windows.push_back(sim::opening_window(scenario, ranks));
  how.windows.push_back(sim::steady_window(scenario, ranks));
}

template <class Draw>
std::string gantt_of(const RunOptions& options, const sim::PredictResult& result, const Draw& draw) {
  if (!options.gantt) return {};
  const sim::Timeline& opening = *(result.timelines.end() - 2);
  std::string text = draw(opening, "The first steps");
  if (opening.cut()) text += draw(result.timelines.back(), "Settled");
  return text;
}

void run(const RunOptions& options, const Program& program) {
  std::error_code not_there;
  if (std::filesystem::equivalent(options.scenario.path, options.trace.file, not_there)) {
    throw UsageError("--trace would overwrite the scenario " + options.scenario.path);
  }
  check_trace_options(options.trace);
  const std::string& format = options.scenario.format;
  if (options.gantt && format != "text" && format != "markdown") {
    throw UsageError("--gantt is a picture in text: --format text or markdown, not " + format);
  }
  sim::PredictOptions how;
  how.engine = engine_of(options);
  how.simulated_b_min = options.b_min;
  how.seed = options.scenario.seed;
  how.replicas = options.replicas;
  how.in_full = options.in_full;
  how.threads = 0;
  if (flow_worker_is_there()) how.flow = run_flow_worker;
  const Scenario scenario = load_scenario(options.scenario);

  std::optional<TraceFile> trace;
  if (!options.trace.file.empty()) {
    const sim::RunExtent extent = sim::extent_of(scenario);
    how.collect_timeline = true;
    how.window = trace_window_of(options.trace, extent, sim::trace_window(extent));
    trace.emplace(options.trace.file);
  }
  ReportFile report(options.report, options.scenario.path);
  how.hop_use = static_cast<bool>(report);
  std::vector<reports::NamedWindow> windows;
  if (report && how.engine != sim::EngineChoice::closed_form) windows = reports::page_windows(scenario);
  for (const reports::NamedWindow& window : windows) how.windows.push_back(window.window);
  if (options.gantt) add_gantt_windows(scenario, how);
  sim::PredictResult result = sim::predict(scenario, how);
  if (trace) {
    const sim::Prediction& p = result.prediction;
    reports::write_trace(trace->stream(), {p.scenario_name, p.scenario_hash, p.engine}, result.timeline);
    trace->close();
  }
  if (report) {
    report.write(reports::run_page(page_of(scenario, windows, result, options.scenario.seed),
                                   origin_of(program, options.report)));
  }

  if (format == "json") return write_results(reports::render_json(result.prediction, scenario));
  if (format == "csv") return write_results(reports::render_csv(result.prediction, scenario));
  if (format == "markdown") {
    return write_results(reports::render_markdown(result.prediction, scenario) +
                         gantt_of(options, result, [](const sim::Timeline& timeline, const char* title) {
                           return reports::markdown_gantt(timeline, title);
                         }));
  }
  const reports::Style style = reports::style_of(program.color, stdout);
  write_results(reports::render_text(result.prediction, scenario, style) +
                gantt_of(options, result, [&](const sim::Timeline& timeline, const char* title) {
                  return reports::text_gantt(timeline, title, style);
                }));
}

}  // namespace

void add_run(Program& program) {
  auto options = std::make_shared<RunOptions>();
  CLI::App& command = *program.app.add_subcommand("run", "Predict a scenario: time, what hides, memory, B_min");
  add_scenario_options(command, options->scenario);
  command.add_option("--engine", options->engine, "auto, closed-form, recurrence or flow (default auto)")
      ->type_name("ENGINE")
      ->check(one_of({"auto", "closed-form", "recurrence", "flow"}));
  add_trace_file_option(command, options->trace, "Write a timeline that ui.perfetto.dev opens; .gz compresses it");
  add_trace_range_options(command, options->trace, true);
  add_report_option(command, options->report);
  command
      .add_option("--replicas", options->replicas,
                  "Runs with other random times (default 1): median and tails of every figure")
      ->type_name("R")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}).description(""));
  command.add_flag("--in-full", options->in_full,
                   "Run every rank and every step, to compare: nothing folded, nothing jumped over");
  command.add_flag("--gantt", options->gantt, "Draw the first steps and a settled one as a timeline in text");
  command.add_flag("--b-min", options->b_min, "Simulate B_min too, besides datasheet and calibrated");
  command.footer(
      "Examples:\n"
      "  ringsim run scenarios/studies/llama3-70b-1m-h100.yaml\n"
      "  ringsim run scenario.yaml --set workload.tokens=512Ki --set ring.layout=striped --format json\n"
      "  ringsim run scenario.yaml --trace timeline.json");
  command.callback([&program, options] { program.action = [&program, options] { run(*options, program); }; });
}

}  // namespace ringsim::cli
