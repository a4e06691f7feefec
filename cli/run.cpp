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
#include "reports/text_run.hpp"
#include "reports/trace_events.hpp"
#include "sim/curves/bandwidth.hpp"
#include "sim/curves/scaling.hpp"
#include "sim/predict.hpp"

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
    if (!options.trace.file.empty())
      throw UsageError("--trace needs --engine recurrence: a closed form has no timeline");
    return sim::EngineChoice::closed_form;
  }
  return options.engine == "recurrence" ? sim::EngineChoice::recurrence : sim::EngineChoice::automatic;
}

reports::RunPage page_of(const Scenario& scenario, const std::vector<reports::NamedWindow>& windows,
                         sim::PredictResult& result, std::uint64_t seed) {
  reports::RunPage page{result.prediction, scenario, {}};
  for (std::size_t i = 0; i < result.timelines.size(); ++i) {
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

void run(const RunOptions& options, const Program& program) {
  std::error_code not_there;
  if (std::filesystem::equivalent(options.scenario.path, options.trace.file, not_there)) {
    throw UsageError("--trace would overwrite the scenario " + options.scenario.path);
  }
  check_trace_options(options.trace);
  sim::PredictOptions how;
  how.engine = engine_of(options);
  how.simulated_b_min = options.b_min;
  how.seed = options.scenario.seed;
  how.replicas = options.replicas;
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
  std::vector<reports::NamedWindow> windows;
  if (report && how.engine != sim::EngineChoice::closed_form) windows = reports::page_windows(scenario);
  for (const reports::NamedWindow& window : windows) how.windows.push_back(window.window);
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

  const std::string& format = options.scenario.format;
  if (format == "json") return write_results(reports::render_json(result.prediction, scenario));
  if (format == "csv") return write_results(reports::render_csv(result.prediction, scenario));
  if (format == "markdown") return write_results(reports::render_markdown(result.prediction, scenario));
  write_results(reports::render_text(result.prediction, scenario, reports::style_of(program.color, stdout)));
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
  command.add_flag("--b-min", options->b_min, "Simulate B_min too, besides datasheet and calibrated");
  command.footer(
      "Examples:\n"
      "  ringsim run scenarios/studies/llama3-70b-1m-h100.yaml\n"
      "  ringsim run scenario.yaml --set workload.tokens=512Ki --set ring.layout=striped --format json\n"
      "  ringsim run scenario.yaml --trace timeline.json");
  command.callback([&program, options] { program.action = [&program, options] { run(*options, program); }; });
}

}  // namespace ringsim::cli
