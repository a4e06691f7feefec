// `ringsim validate`: predict what was measured, and compare operation by operation.

#include "calibrate/compare/comparison.hpp"
#include "calibrate/diagnose.hpp"
#include "calibrate/import/measured.hpp"
#include "calibrate/measurement_json.hpp"
#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/failures.hpp"
#include "cli/output.hpp"
#include "cli/report_option.hpp"
#include "cli/scenario_options.hpp"
#include "cli/suite.hpp"
#include "cli/trace_options.hpp"
#include "models/error.hpp"
#include "reports/csv_validation.hpp"
#include "reports/html/validation_page.hpp"
#include "reports/json_validation.hpp"
#include "reports/markdown_validation.hpp"
#include "reports/text_validation.hpp"
#include "reports/trace_events.hpp"
#include "scenarios/reader.hpp"
#include "scenarios/units.hpp"
#include "sim/predict.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace ringsim::cli {
namespace {

struct Options {
  std::string scenario;  // empty: the one that the measurement holds
  std::vector<std::string> sets;
  std::vector<std::string> measured;
  std::vector<std::string> patterns;  // "REGEX=KIND"
  std::string profile;
  std::string tolerance = "10%";
  TraceOptions trace;
  SuiteOptions suite;
  ReportOption report;
  std::string format = "text";
};

/// What was measured and what is to be predicted for it.
struct Case {
  calibrate::Measurement measurement;
  Scenario scenario;
};

std::vector<std::string> sets_of(const Options& options) {
  std::vector<std::string> sets = options.sets;
  if (options.profile.empty()) return sets;
  // A file on the command line is meant from here, a file in a scenario from where the scenario is.
  const std::filesystem::path file = options.profile;
  const bool is_file = file.extension() == ".yaml" || file.extension() == ".yml";
  if (is_file) (void)load_file(options.profile);  // what is not there is named as it was written
  sets.push_back("profile=" + (is_file ? std::filesystem::absolute(file).string() : options.profile));
  return sets;
}

Case own_measurement(const Options& options, const std::string& text) {
  const std::string& file = options.measured.front();
  if (options.measured.size() > 1) throw UsageError("one measurement of ringsim at a time: --measured FILE");
  calibrate::Measurement m = calibrate::read_measurement(text, file);
  if (!options.scenario.empty()) {
    return {std::move(m), load_scenario(options.scenario, sets_of(options))};
  }
  Scenario scenario = scenarios::read_scenario_text(m.scenario_yaml, file + ", scenario", {}, sets_of(options));
  return {std::move(m), std::move(scenario)};
}

/// Runs of other programs do not say which scenario they are.
Case foreign_measurement(const Options& options, std::string first) {
  if (options.scenario.empty()) {
    const std::string& file = options.measured.front();
    throw Error("not a measurement that ringsim measure has written", file,
                "for a run of another program name the scenario too: ringsim validate SCENARIO --measured " + file);
  }
  Scenario scenario = load_scenario(options.scenario, sets_of(options));
  std::vector<std::string> texts{std::move(first)};
  for (std::size_t i = 1; i < options.measured.size(); ++i) texts.push_back(load_file(options.measured[i]));
  std::vector<calibrate::NamedText> files;
  for (std::size_t i = 0; i < texts.size(); ++i) files.push_back({options.measured[i], texts[i]});
  std::vector<calibrate::NamePattern> patterns;
  for (const std::string& pattern : options.patterns) patterns.push_back(calibrate::parse_name_pattern(pattern));
  calibrate::Measurement m = calibrate::import_measurement(scenario, files, patterns);
  return {std::move(m), std::move(scenario)};
}

void validate_suite(const Options& options, const Program& program) {
  if (!options.trace.file.empty()) throw UsageError("--trace is of one measurement: --measured FILE, not --suite");
  if (!options.scenario.empty() || !options.measured.empty()) {
    throw UsageError("--suite has its own scenarios and measurements: no SCENARIO and no --measured beside it");
  }
  SuiteOptions suite = options.suite;
  suite.sets = sets_of(options);
  suite.format = options.format;
  suite.report = options.report;
  run_published_suite(suite, program);
}

void refuse_options_of_suites(const SuiteOptions& suite) {
  if (!suite.names.empty() || suite.rows || !suite.against.empty() || !suite.medians.empty() || !suite.plot.empty()) {
    throw UsageError("--set-name, --rows, --against, --medians and --plot belong to --suite published");
  }
}

/// What was predicted and what was measured, rank by rank side by side.
void write_both(TraceFile& file, const calibrate::Measurement& measured, const sim::PredictResult& predicted) {
  const std::vector<reports::TracePart> parts = {{"predicted", &predicted.timeline}, {"measured", &measured.timeline}};
  reports::write_trace(file.stream(),
                       {predicted.prediction.scenario_name, predicted.prediction.scenario_hash,
                        predicted.prediction.engine + ", and measured on " + measured.environment.device},
                       parts);
  file.close();
}

void check_trace(const Options& options, const calibrate::Measurement& measured) {
  for (const std::string& file : options.measured) {
    std::error_code not_there;
    if (std::filesystem::equivalent(file, options.trace.file, not_there)) {
      throw UsageError("--trace would overwrite the measurement " + file);
    }
  }
  if (!measured.timeline.spans.empty()) return;
  throw Error("it has sums over operations, and when each of them ran is not known: no timeline can be drawn",
              options.measured.front(), "a measurement of ringsim measure or a profiler's trace, or no --trace");
}

void validate(const Options& options, const Program& program) {
  if (!options.suite.suite.empty()) return validate_suite(options, program);
  refuse_options_of_suites(options.suite);
  if (options.measured.empty()) {
    throw UsageError("what was measured is missing: --measured FILE, or --suite published");
  }
  const double tolerance = scenarios::parse_ratio(options.tolerance);
  std::string text = load_file(options.measured.front());
  const Case both =
      calibrate::is_measurement(text) ? own_measurement(options, text) : foreign_measurement(options, std::move(text));
  std::optional<TraceFile> trace;
  if (!options.trace.file.empty()) {
    check_trace(options, both.measurement);
    trace.emplace(options.trace.file);
  }
  ReportFile page(options.report, options.measured.front());
  sim::PredictOptions how;
  how.collect_timeline = true;
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  how.window = {all, all, all};
  const sim::PredictResult predicted = sim::predict(both.scenario, how);
  const calibrate::Comparison comparison = calibrate::compare(both.scenario, predicted, both.measurement);
  const calibrate::Diagnosis diagnosis = calibrate::diagnose(both.measurement);
  if (trace) write_both(*trace, both.measurement, predicted);
  if (page) {
    page.write(reports::validation_page(
        {both.scenario, comparison, diagnosis, both.measurement, predicted.timeline, tolerance},
        origin_of(program, options.report)));
  }

  if (options.format == "json") {
    write_results(reports::render_json(comparison, diagnosis, tolerance));
  } else if (options.format == "csv") {
    write_results(reports::render_csv(comparison));
  } else if (options.format == "markdown") {
    write_results(reports::render_markdown(comparison, diagnosis, tolerance));
  } else {
    write_results(reports::render_text(comparison, diagnosis, tolerance, reports::style_of(program.color, stdout)));
  }
  if (!comparison.within(tolerance)) {
    throw OutsideTolerance(
        fmt::format("the prediction of the {} is off by more than {}", comparison.judged().name(), options.tolerance));
  }
}

void add_suite_options(CLI::App& command, SuiteOptions& suite) {
  command.add_option("--suite", suite.suite, "Predict the measurements that ship with the program: published")
      ->type_name("SUITE")
      ->check(one_of({"published"}));
  command.add_option("--set-name", suite.names, "Of the suite, these sets of measurements alone; repeatable")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command.add_flag("--rows", suite.rows, "Of the suite, print every row, too");
  command
      .add_option("--against", suite.against,
                  "End with status 6 where a set's median error is more than a percentage point above that in FILE")
      ->type_name("FILE")
      ->check(file_name());
  command.add_option("--medians", suite.medians, "Write the sets' median errors, for --against")
      ->type_name("FILE")
      ->check(file_name());
  command.add_option("--plot", suite.plot, "Write predicted against measured as a picture")
      ->type_name("FILE.svg")
      ->check(file_name());
}

}  // namespace

void add_validate(Program& program) {
  auto options = std::make_shared<Options>();
  CLI::App& command = *program.app.add_subcommand("validate", "Predicted against measured, operation by operation");
  command.add_option("SCENARIO", options->scenario, "What was run; needed for runs of other programs")
      ->type_name("")
      ->check(file_name());
  command
      .add_option(
          "--measured", options->measured,
          "What ringsim measure wrote, PyTorch profiler traces (a file a rank), or an Nsight Systems kernel table")
      ->type_name("FILE")
      ->check(file_name());
  command.add_option("--profile", options->profile, "Predict with this profile instead of the scenario's")
      ->type_name("PROFILE")
      ->check(file_name());
  command.add_option("--set", options->sets, "Change a value of the scenario; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--pattern", options->patterns,
                  "Kernels whose name matches REGEX are of this KIND; repeatable, before the built-in patterns")
      ->type_name("REGEX=KIND")
      ->allow_extra_args(false);
  command
      .add_option("--tolerance", options->tolerance,
                  "End with status 6 where the makespan is off by more (default 10%)")
      ->type_name("SHARE");
  add_trace_file_option(command, options->trace,
                        "Write both timelines, rank by rank, for ui.perfetto.dev; .gz compresses it");
  add_suite_options(command, options->suite);
  add_report_option(command, options->report);
  add_format_option(command, options->format);
  command.footer(
      "Examples:\n"
      "  ringsim validate --measured measured.json --profile host.yaml --tolerance 10%\n"
      "  ringsim validate scenario.yaml --measured rank0.json rank1.json\n"
      "  ringsim validate --suite published --set-name meta-t4 --rows");
  command.callback([&program, options] { program.action = [&program, options] { validate(*options, program); }; });
}

}  // namespace ringsim::cli
