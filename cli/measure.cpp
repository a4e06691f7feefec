// `ringsim measure`: run a scenario's program for real on this machine.

#include "calibrate/diagnose.hpp"
#include "calibrate/measure_job.hpp"
#include "calibrate/measured_run.hpp"
#include "calibrate/this_machine.hpp"
#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/commit.hpp"
#include "cli/executed.hpp"
#include "cli/failures.hpp"
#include "cli/output.hpp"
#include "cli/ranks.hpp"
#include "cli/scenario_options.hpp"
#include "cli/trace_options.hpp"
#include "reports/csv_measurement.hpp"
#include "reports/json_measurement.hpp"
#include "reports/markdown_measurement.hpp"
#include "reports/text_measurement.hpp"
#include "reports/trace_events.hpp"
#include "scenarios/format.hpp"
#include "scenarios/units.hpp"
#include "sim/schedules/ring.hpp"
#include "sim/timeline.hpp"

#include <memory>
#include <optional>
#include <string>

namespace ringsim::cli {
namespace {

struct Options {
  ScenarioOptions scenario;
  std::string device = "host";
  GpuOptions gpu;
  bool check = false;
  std::int64_t warmup = 2;
  std::int64_t repeats = 15;
  std::string max_time = "60 s";
  std::string output;
  TraceOptions trace;
};

void measure(const Options& options, reports::ColorChoice color) {
  check_trace_options(options.trace);
  const double max_seconds = in_seconds(scenarios::parse_duration(options.max_time));
  const Scenario scenario = load_scenario(options.scenario);
  check_executable_on(options.device, scenario);
  const bool answers = !mpirun_place() || mpirun_place()->rank == 0;  // of the processes of an mpirun, one writes
  std::optional<ResultFile> output;
  std::optional<TraceFile> trace;
  sim::TimelineWindow traced = sim::whole_run();
  if (!options.trace.file.empty()) traced = trace_window_of(options.trace, sim::extent_of(scenario), traced);
  if (answers && !options.output.empty()) output.emplace(options.output);
  if (answers && !options.trace.file.empty()) trace.emplace(options.trace.file);
  std::optional<ResultFile> activity;
  if (answers && !options.gpu.activity.empty()) activity.emplace(options.gpu.activity);

  const calibrate::MeasureJob job{scenarios::format_scenario(scenario),
                                  options.warmup,
                                  options.repeats,
                                  max_seconds,
                                  options.check,
                                  options.scenario.seed};
  auto answer = options.device == "cuda" ? execute_on_gpus(scenario, job, options.gpu) : execute_on_host(scenario, job);
  if (!answer) return;
  if (activity) {
    activity->stream() << answer->activity_csv;
    activity->close();
  }
  calibrate::Environment environment;
  environment.device = options.device;
  environment.machine = answer->machine;
  environment.software = calibrate::compiler_name() + ", " + answer->software;
  environment.date = calibrate::utc_now();
  environment.commit = commit();
  calibrate::MeasuredRepeats repeats{std::move(answer->recordings), options.warmup, {}};
  if (options.check) repeats.check = calibrate::check_outcome(scenario.workload.dtype, answer->check_error);
  calibrate::Measurement m =
      calibrate::measurement_of(scenario, sim::ring_program_of(scenario), repeats, std::move(environment));
  m.notes.insert(m.notes.end(), answer->notes.begin(), answer->notes.end());
  m.scenario_yaml = job.scenario_yaml;

  if (output) {
    output->stream() << reports::render_json(m);
    output->close();
  }
  if (trace) {
    reports::write_trace(trace->stream(), {m.scenario_name, m.scenario_hash, "measured on " + options.device},
                         sim::part_of(m.timeline, traced));
    trace->close();
  }
  const calibrate::Diagnosis diagnosis = calibrate::diagnose(m);
  const std::string& format = options.scenario.format;
  if (format == "json") {
    write_results(reports::render_json(m));
  } else if (format == "csv") {
    write_results(reports::render_csv(m, diagnosis));
  } else if (format == "markdown") {
    write_results(reports::render_markdown(m, diagnosis));
  } else {
    write_results(reports::render_text(m, diagnosis, reports::style_of(color, stdout)));
  }
  if (m.check && !m.check->passed)
    throw OutsideTolerance("the results differ from plain attention by more than rounding");
}

}  // namespace

void add_measure(Program& program) {
  auto options = std::make_shared<Options>();
  CLI::App& command = *program.app.add_subcommand("measure", "Run a scenario for real: attention, transfers, times");
  add_scenario_options(command, options->scenario, "Of the random inputs");
  command.add_option("--device", options->device, "What computes: host or cuda (default host)")
      ->type_name("DEVICE")
      ->check(one_of({"host", "cuda"}));
  command.add_flag("--check", options->check, "Compare outputs and gradients with attention of the whole sequence");
  command.add_option("--repeats", options->repeats, "Runs that count, at most (default 15); the median is reported")
      ->type_name("R")
      ->check(CLI::Range(std::int64_t{3}, std::int64_t{10000}).description(""));
  command.add_option("--warmup", options->warmup, "Runs before them (default 2)")
      ->type_name("R")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1000}).description(""));
  command.add_option("--max-time", options->max_time, "No further run after this time (default 60 s)")
      ->type_name("TIME");
  command.add_option("--output", options->output, "Write the measurement, every operation of it")
      ->type_name("FILE.json")
      ->check(file_name());
  add_gpu_options(command, options->gpu);
  add_trace_file_option(command, options->trace, "Write a timeline that ui.perfetto.dev opens; .gz compresses it");
  add_trace_range_options(command, options->trace, false);
  command.footer(
      "host: ranks are processes of this machine, started by Open MPI, one for each rank of the ring. cuda: a GPU a "
      "rank, in one\n"
      "process or, under mpirun, one for each; or one GPU that plays the ranks one after the other (--link-rate).\n"
      "\n"
      "Examples:\n"
      "  ringsim measure scenarios/studies/host-two-ranks.yaml --output measured.json\n"
      "  ringsim measure scenarios/studies/host-two-ranks.yaml --check --set ring.layout=striped\n"
      "  mpirun -n 4 ringsim measure scenario.yaml --set parallel.ring=4 --set cluster.gpus_per_node=4\n"
      "  ringsim measure ring-of-8.yaml --device cuda --link-rate '450 GB/s'");
  command.callback([&program, &command, options] {
    program.action = [&program, &command, options] {
      check_gpu_options(command, options->device);
      measure(*options, program.color);
    };
  });
}

}  // namespace ringsim::cli
