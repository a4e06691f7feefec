// `ringsim bmin`: from which block on a ring hop hides behind the computation of a step.

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/scenario_options.hpp"
#include "reports/b_min_report.hpp"
#include "sim/predict.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace ringsim::cli {
namespace {

// B_min is of a steady step of attention: what is random, or begins later, is no part of it, nor is the rest of the model.
Scenario steady(Scenario scenario) {
  scenario.workload.scope = Scope::attention;
  Noise& noise = scenario.noise;
  noise.compute = noise.links = Jitter{};
  noise.failures.clear();
  std::erase_if(noise.slow_links, [](const SlowLink& slow) { return slow.from > Duration{}; });
  return scenario;
}

void b_min(const ScenarioOptions& options, reports::ColorChoice color) {
  const Scenario scenario = steady(load_scenario(options));
  sim::PredictOptions how;
  how.engine = sim::EngineChoice::recurrence;  // hops that share a link have equal shares of it in a steady step
  how.simulated_b_min = true;
  how.seed = options.seed;
  const sim::PredictResult result = sim::predict(scenario, how);
  if (!result.prediction.no_b_min.empty()) {
    throw Error("B_min does not apply: " + result.prediction.no_b_min, "bmin",
                "a prefill or training step whose K/V go round a ring one way, in one pass");
  }
  const std::vector<sim::LayoutMinima> layouts = sim::layout_minima(scenario);
  const reports::BlockMinimumReport report{result.prediction, scenario, layouts};

  if (options.format == "json") return write_results(reports::render_b_min_json(report));
  if (options.format == "csv") return write_results(reports::render_b_min_csv(report));
  if (options.format == "markdown") return write_results(reports::render_b_min_markdown(report));
  write_results(reports::render_b_min_text(report, reports::style_of(color, stdout)));
}

}  // namespace

void add_b_min(Program& program) {
  auto options = std::make_shared<ScenarioOptions>();
  CLI::App& command = *program.app.add_subcommand("bmin", "The smallest block of tokens that hides a ring hop");
  add_scenario_options(command, *options);
  command.footer(
      "Three values for each pass, in tokens a rank, never rounded down:\n"
      "  datasheet   the closed form with peak rate and nominal bandwidth\n"
      "  calibrated  with the profile's cost curves\n"
      "  simulated   the steady step of the engine is at most 1 % above its computation\n"
      "Random times, failures and links that slow down later are left out; flows that share a link have equal shares.\n"
      "\n"
      "Example:\n"
      "  ringsim bmin scenarios/studies/llama3-70b-1m-h100.yaml --set ring.layout=contiguous");
  command.callback([&program, options] { program.action = [&program, options] { b_min(*options, program.color); }; });
}

}  // namespace ringsim::cli
