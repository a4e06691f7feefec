// `ringsim compare`: two scenarios side by side, and what their difference comes from.

#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/compared_mixes.hpp"
#include "cli/failures.hpp"
#include "cli/flow_process.hpp"
#include "cli/output.hpp"
#include "cli/scenario_options.hpp"
#include "models/error.hpp"
#include "reports/compare_figures.hpp"
#include "reports/compare_report.hpp"
#include "reports/humanise.hpp"
#include "scenarios/difference.hpp"
#include "sim/predict.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ringsim::cli {
namespace {

struct CompareOptions {
  ScenarioOptions a;  // its sets are of both
  std::string b;
  std::vector<std::string> sets_of_a, sets_of_b;
  std::string engine = "auto";
};

// The flow engine starts a process for every run.
constexpr std::size_t few_flow_runs = 3;

sim::EngineChoice chosen_engine(const std::string& name) {
  for (const sim::EngineChoice engine :
       {sim::EngineChoice::closed_form, sim::EngineChoice::recurrence, sim::EngineChoice::flow}) {
    if (name == name_of(engine)) return engine;
  }
  return sim::EngineChoice::automatic;
}

scenarios::WrittenScenario read_side(const std::string& path, const std::vector<std::string>& sets) {
  return scenarios::written_text(load_file(path), path, std::filesystem::path(path).parent_path().string(), sets);
}

// One engine for both where one is exact for both: where a side needs the flow engine, that is exact for the other, too.
// Returns the engine for mixes.
sim::EngineChoice predict_both(reports::ScenarioComparison& c, sim::PredictOptions how) {
  c.a.prediction = sim::predict(c.a.scenario, how).prediction;
  c.b.prediction = sim::predict(c.b.scenario, how).prediction;
  if (c.a.prediction.engine == c.b.prediction.engine) return chosen_engine(c.a.prediction.engine);
  reports::ComparedSide& other = c.a.prediction.engine == "flow" ? c.b : c.a;
  const char* which = &other == &c.a ? "A" : "B";
  try {
    how.engine = sim::EngineChoice::flow;
    sim::Prediction again = sim::predict(other.scenario, how).prediction;
    other.prediction = std::move(again);
    c.notes.push_back(fmt::format("both are run by the flow engine, though the recurrence is exact for {}", which));
    return sim::EngineChoice::flow;
  } catch (const Error& error) {
    c.notes.push_back(fmt::format("A is run by the engine {}, B by {}: the flow engine cannot run {} ({})",
                                  c.a.prediction.engine, c.b.prediction.engine, which, error.message()));
    return sim::EngineChoice::automatic;
  }
}

void explain(reports::ScenarioComparison& c, const scenarios::Difference& difference, sim::PredictOptions how) {
  c.inputs = difference.inputs();
  if (c.inputs.empty()) return;
  c.not_explained = reports::why_other_times(c.a.prediction, c.b.prediction);
  if (!c.not_explained.empty()) return;
  const std::size_t few = how.engine == sim::EngineChoice::flow ? few_flow_runs : sim::most_in_every_order;
  ComparedMixes mixes(difference, std::move(how), c.a.prediction, c.b.prediction);
  const std::vector<sim::JoinedChanges> parts =
      sim::joined_changes(c.inputs.size(), [&](sim::Mix mix) { return mixes.obstacle(mix); }, few);
  c.time = sim::attribute(parts, [&](sim::Mix mix) { return mixes.seconds(mix); }, few);
  c.memory = sim::attribute(parts, [&](sim::Mix mix) { return mixes.memory_bytes(mix); }, few);
}

void add_notes(reports::ScenarioComparison& c) {
  const sim::Prediction& a = c.a.prediction;
  const sim::Prediction& b = c.b.prediction;
  if (a.profile_calibrated != b.profile_calibrated) {
    c.notes.push_back(
        fmt::format("{} has calibrated costs and {} the peaks of a data sheet, without any overhead: part of "
                    "the difference is what peaks leave out",
                    a.profile_calibrated ? "A" : "B", a.profile_calibrated ? "B" : "A"));
  }
  const auto work = [](const Scenario& s) {
    return fmt::format("{} sequence{} of {} tokens", reports::human_count(s.workload.batch),
                       s.workload.batch == 1 ? "" : "s", reports::human_count(s.workload.tokens));
  };
  if (work(c.a.scenario) != work(c.b.scenario)) {
    c.notes.push_back(fmt::format("A works on {}, B on {}: times, GPU-hours and cost are of these, rates are not",
                                  work(c.a.scenario), work(c.b.scenario)));
  }
  if (c.a.scenario.noise.random() || c.b.scenario.noise.random()) {
    c.notes.push_back(
        fmt::format("times are random: one draw of seed {} for A, B and all mixes; run --replicas tells how "
                    "far draws lie apart",
                    a.seed));
  }
  if (a.profile_name != b.profile_name && a.makespan_low_s && b.makespan_low_s && a.makespan_high_s &&
      b.makespan_high_s && reports::why_other_times(a, b).empty() && *a.makespan_low_s <= *b.makespan_high_s &&
      *b.makespan_low_s <= *a.makespan_high_s) {
    c.notes.push_back("the error bars of the two profiles overlap: which of A and B is faster is not certain");
  }
}

void compare(const CompareOptions& options, reports::ColorChoice color) {
  if (options.b.empty() && options.sets_of_b.empty()) {
    throw UsageError("compare needs a second scenario, or --set-b KEY=VALUE for a second one that differs by it");
  }
  sim::PredictOptions how;
  how.engine = chosen_engine(options.engine);
  how.seed = options.a.seed;
  if (flow_worker_is_there()) how.flow = run_flow_worker;
  if (how.engine == sim::EngineChoice::flow && !how.flow) {
    throw MissingPart(
        "the flow engine is not beside this program (SimGrid: no); build with SimGrid (Debian package libsimgrid-dev), "
        "or use --engine recurrence");
  }
  const std::string& file_b = options.b.empty() ? options.a.path : options.b;
  reports::ScenarioComparison c;
  c.a.sets = c.b.sets = options.a.sets;
  c.a.sets.insert(c.a.sets.end(), options.sets_of_a.begin(), options.sets_of_a.end());
  c.b.sets.insert(c.b.sets.end(), options.sets_of_b.begin(), options.sets_of_b.end());
  const scenarios::Difference difference(read_side(options.a.path, c.a.sets), read_side(file_b, c.b.sets));
  c.a.file = options.a.path;
  c.b.file = file_b;
  c.a.scenario = difference.a();
  c.b.scenario = difference.b();
  sim::PredictOptions of_mixes = how;
  of_mixes.engine = predict_both(c, how);
  explain(c, difference, std::move(of_mixes));
  add_notes(c);

  const std::string& format = options.a.format;
  if (format == "json") return write_results(reports::render_json(c));
  if (format == "csv") return write_results(reports::render_csv(c));
  if (format == "markdown") return write_results(reports::render_markdown(c));
  write_results(reports::render_text(c, reports::style_of(color, stdout)));
}

}  // namespace

void add_compare(Program& program) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App& command =
      *program.app.add_subcommand("compare", "Two scenarios side by side, and what the difference comes from");
  add_scenario_options(command, options->a);
  command.get_option("SCENARIO")->description("Scenario file A (YAML)");
  command.add_option("SCENARIO_B", options->b, "Scenario file B; left out: A, changed by --set-b")
      ->type_name("")
      ->check(file_name());
  command.get_option("--set")->description("Change a value of both scenarios, such as workload.tokens=1Mi; repeatable");
  command.add_option("--set-a", options->sets_of_a, "Change a value of A alone; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--set-b", options->sets_of_b, "Change a value of B alone; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--engine", options->engine, "auto, closed-form, recurrence or flow, for both (default auto)")
      ->type_name("ENGINE")
      ->check(one_of({"auto", "closed-form", "recurrence", "flow"}));
  command.footer(
      "Examples:\n"
      "  ringsim compare a.yaml b.yaml\n"
      "  ringsim compare scenario.yaml --set-b 'cluster.inter_node.bandwidth=200 Gb/s'\n"
      "  ringsim compare scenario.yaml --set-a cluster.use=dgx-a100 --set-b cluster.use=dgx-h100 --format json");
  command.callback([&program, options] { program.action = [&program, options] { compare(*options, program.color); }; });
}

}  // namespace ringsim::cli
