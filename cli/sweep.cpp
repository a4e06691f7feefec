// `ringsim sweep`: predict all points of a product of values, on all cores or under mpirun.

#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/commit.hpp"
#include "cli/failures.hpp"
#include "cli/output.hpp"
#include "cli/progress_bar.hpp"
#include "cli/ranks.hpp"
#include "cli/report_option.hpp"
#include "cli/scenario_options.hpp"
#include "cli/sweep/evaluator.hpp"
#include "cli/sweep/file.hpp"
#include "cli/sweep/job.hpp"
#include "cli/sweep/rate.hpp"
#include "cli/sweep/threads.hpp"
#include "reports/html/sweep_page.hpp"
#include "reports/html/sweep_table.hpp"
#include "reports/humanise.hpp"
#include "version.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace ringsim::cli {
namespace {

struct SweepOptions {
  ScenarioOptions scenario;
  std::string engine = "auto";
  std::string output;
  std::vector<std::string> columns;
  unsigned threads = 0;  // 0: as many as there are cores
  ReportOption report;
};

volatile std::sig_atomic_t stop_asked = 0;
extern "C" void ask_to_stop(int) { stop_asked = 1; }

/// SIGINT and SIGTERM ask for an end behind the blocks at work while it exists.
class StopOnSignals {
 public:
  StopOnSignals() {
    struct sigaction action{};
    action.sa_handler = ask_to_stop;
    ::sigaction(SIGINT, &action, &interrupt_);
    ::sigaction(SIGTERM, &action, &terminate_);
  }
  StopOnSignals(const StopOnSignals&) = delete;
  StopOnSignals& operator=(const StopOnSignals&) = delete;
  StopOnSignals(StopOnSignals&&) = delete;
  StopOnSignals& operator=(StopOnSignals&&) = delete;
  ~StopOnSignals() {
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGTERM, &terminate_, nullptr);
  }

 private:
  struct sigaction interrupt_{};
  struct sigaction terminate_{};
};

// Rows as JSON Lines or CSV: by the ending of the file, on standard output by --format.
bool json_lines_of(const SweepOptions& options) {
  const std::string& format = options.scenario.format;
  if (format == "markdown") throw UsageError("a sweep is written as CSV or JSON Lines: --format csv or json");
  if (options.output.empty()) return format == "json";
  const std::string ending = std::filesystem::path(options.output).extension().string();
  if (ending != ".csv" && ending != ".jsonl") {
    throw UsageError("--output " + options.output +
                     ": its ending says what is written: .csv, or .jsonl for JSON Lines");
  }
  const bool json = ending == ".jsonl";
  if ((format == "json" && !json) || (format == "csv" && json)) {
    throw UsageError("--format " + format + " and --output " + options.output + " do not go together");
  }
  return json;
}

SweepJob job_of(const SweepOptions& options) {
  SweepJob job;
  job.json_lines = json_lines_of(options);
  const std::string& path = options.scenario.path;
  job.name = path;
  job.text = load_file(path);
  job.directory = std::filesystem::path(path).parent_path().string();
  job.sets = options.scenario.sets;
  job.engine = options.engine;
  job.seed = options.scenario.seed;
  job.columns = options.columns;
  job.output = options.output;
  job.made_by = fmt::format("ringsim {} {}", version, commit());
  return job;
}

void refuse_own_input(const SweepOptions& options) {
  std::error_code not_there;
  if (!options.output.empty() && std::filesystem::equivalent(options.scenario.path, options.output, not_there)) {
    throw UsageError("--output would overwrite the scenario " + options.scenario.path);
  }
}

// What became of a sweep into a file, for people.
std::string summary_of(const SweepJob& job, std::int64_t points, std::int64_t before, std::int64_t failed) {
  std::string text = fmt::format("{}: {} point{}", job.output, reports::human_count(points), points == 1 ? "" : "s");
  if (before == points) return text + ", all of which were there already\n";
  if (before > 0) text += fmt::format(", {} of them from before", reports::human_count(before));
  if (failed > 0) {
    text +=
        fmt::format("; {} could not be predicted: the columns error and hint say why", reports::human_count(failed));
  }
  return text + "\n  next: ringsim why SCENARIO --set ... for the point that you like best\n";
}

// A page about the rows, as they are in the file or were printed.
class SweepReport {
 public:
  /// Throws UsageError where the sweep is more than a page can hold.
  SweepReport(const SweepOptions& options, const Program& program, const SweepJob& job)
      : file_(options.report, options.scenario.path), origin_(origin_of(program, options.report)), job_(job) {}
  [[nodiscard]] explicit operator bool() const { return static_cast<bool>(file_); }
  void check_size(const Evaluator& evaluator) {
    axes_ = evaluator.axes();
    name_ = evaluator.scenario_name();
    if (!file_ || evaluator.points() <= reports::sweep_points_drawn) return;
    throw UsageError(
        fmt::format("--report draws up to {} points, and these are {}: fewer values, or --output without it",
                    reports::human_count(reports::sweep_points_drawn), reports::human_count(evaluator.points())));
  }
  /// Keeps what is printed.
  void keep(std::string_view rows) {
    if (file_) printed_ += rows;
  }
  void write() {
    if (!file_) return;
    const std::string text = job_.output.empty() ? printed_ : load_file(job_.output);
    const std::string& source = job_.output.empty() ? job_.name : job_.output;
    const reports::SweepTable table = reports::read_sweep(text, job_.json_lines, axes_, source);
    file_.write(reports::sweep_page({name_, table}, origin_));
  }

 private:
  ReportFile file_;
  reports::PageOrigin origin_;
  const SweepJob& job_;
  std::size_t axes_ = 0;
  std::string name_;  // of the scenario
  std::string printed_;
};

void run_here(const SweepJob& job, unsigned threads, SweepReport& report) {
  Evaluator first(job);  // finds what is wrong with the sweep before anything is written
  report.check_size(first);
  std::optional<SweepFile> file;
  SweepRun run;
  run.points = first.points();
  run.threads = threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
  run.stop = &stop_asked;
  const StopOnSignals signals;
  if (!job.output.empty()) {
    file.emplace(job, first);
    run.first = file->done();
    run.write = [&file](std::string_view rows) { file->write(rows); };
  } else {
    write_results(first.header());
    report.keep(first.header());
    run.write = [&report](std::string_view rows) {
      write_results(rows);
      report.keep(rows);
    };
  }
  SweepOutcome outcome;
  {
    ProgressBar bar;
    SweepRate rate(run.first, run.points);
    run.progress = [&](std::int64_t done) {
      const auto shown = rate.line(done);
      if (shown) bar.show(shown->first, shown->second);
    };
    if (run.first < run.points) outcome = run_on_threads(job, run);
  }
  if (outcome.stopped) throw Interrupted();
  report.write();
  if (!job.output.empty()) write_results(summary_of(job, run.points, run.first, outcome.failed));
}

void run_under_mpirun(SweepJob job, const MpirunPlace& place, SweepReport& report) {
  if (place.rank == 0) report.check_size(Evaluator(job));  // says best what is wrong with the sweep
  job.show_progress = place.rank == 0;
  job.launcher = ::getppid();
  RankJob ranks{to_json(job), place.size, 1};
  ProgressBar bar;
  std::optional<SweepRate> rate;
  const auto on_line = [&](std::string_view line) {
    if (line.starts_with("row ")) {
      const std::string_view row = line.substr(4);
      if (std::fwrite(row.data(), 1, row.size(), stdout) != row.size()) write_results("");
      std::fputc('\n', stdout);
      report.keep(row);
      report.keep("\n");
      return;
    }
    std::int64_t done = 0;
    std::int64_t points = 0;
    if (std::sscanf(std::string(line).c_str(), "progress %ld %ld", &done, &points) != 2) return;
    if (!rate) rate.emplace(done, points);
    if (const auto shown = rate->line(done)) bar.show(shown->first, shown->second);
  };
  const std::optional<std::string> answer = run_on_ranks(ranks, on_line);
  if (!answer) return;
  std::int64_t points = 0;
  std::int64_t before = 0;
  std::int64_t failed = 0;
  if (std::sscanf(answer->c_str(), "%ld %ld %ld", &points, &before, &failed) != 3) {
    throw BrokeOff("the ranks ended without a result");
  }
  report.write();
  write_results(job.output.empty() ? std::string() : summary_of(job, points, before, failed));
}

void sweep(const SweepOptions& options, const Program& program) {
  refuse_own_input(options);
  const SweepJob job = job_of(options);
  const auto place = mpirun_place();
  // Of the processes of an mpirun, one writes.
  SweepOptions options_of_page = options;
  if (place && place->rank != 0) options_of_page.report = {};
  SweepReport report(options_of_page, program, job);
  if (place) return run_under_mpirun(job, *place, report);
  run_here(job, options.threads, report);
}

}  // namespace

void add_sweep(Program& program) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App& command = *program.app.add_subcommand("sweep", "Predict all points of a product of values, into a table");
  add_scenario_options(command, options->scenario, "Of random times: every point draws by it");
  command.get_option("--set")->description(
      "Change a value of the scenario; several values are an axis: KEY=a,b,c, KEY=8..512*2, KEY=1..64+3; repeatable");
  command.add_option("--engine", options->engine, "auto, closed-form or recurrence (default auto)")
      ->type_name("ENGINE")
      ->check(one_of({"auto", "closed-form", "recurrence"}, {"flow"}));
  command
      .add_option("--output", options->output, "Write rows to FILE, CSV or JSON Lines by its ending, and continue it")
      ->type_name("FILE.csv|FILE.jsonl")
      ->check(file_name());
  command.add_option("--columns", options->columns, "Figures of a row, such as makespan_s,cost")
      ->type_name("A,B,C")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option("--threads", options->threads,
                  "Threads (default: as many as there are cores); under mpirun one a rank")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  add_report_option(command, options->report);
  command.footer(
      "The product of all axes is predicted, the last axis varying fastest. A point that cannot be is a row with its "
      "error.\n"
      "A sweep that was ended, killed too, goes on where its file ends when it is started again.\n"
      "Examples:\n"
      "  ringsim sweep scenario.yaml --set parallel.ring=2..64*2 --set ring.layout=zigzag,striped\n"
      "  ringsim sweep scenario.yaml --set 'cluster.inter_node.bandwidth=100 Gb/s..800 Gb/s*2' \\\n"
      "    --set workload.tokens=128Ki..4Mi*2 --engine closed-form --output bandwidth.csv\n"
      "  mpirun -n 8 ringsim sweep scenario.yaml --set cluster.nodes=1..64 --output nodes.jsonl");
  command.callback([&program, options] { program.action = [&program, options] { sweep(*options, program); }; });
}

}  // namespace ringsim::cli
