// `ringsim why`: the critical path of a run, and what a change of each parameter would do.

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/scenario_options.hpp"
#include "reports/why_report.hpp"
#include "sim/critical/explain.hpp"

#include <memory>

namespace ringsim::cli {
namespace {

void why(const ScenarioOptions& options, reports::ColorChoice color) {
  const Scenario scenario = load_scenario(options);
  const sim::Explanation explanation = sim::explain(scenario, {options.seed, true});
  const reports::WhyReport report{explanation, scenario};
  if (options.format == "json") return write_results(reports::render_why_json(report));
  if (options.format == "csv") return write_results(reports::render_why_csv(report));
  if (options.format == "markdown") return write_results(reports::render_why_markdown(report));
  write_results(reports::render_why_text(report, reports::style_of(color, stdout)));
}

}  // namespace

void add_why(Program& program) {
  auto options = std::make_shared<ScenarioOptions>();
  CLI::App& command = *program.app.add_subcommand(
      "why", "What a run waits for, and what would make it faster: critical path, what to buy");
  add_scenario_options(command, *options, "Of the random times of a scenario that has some");
  command.footer(
      "The run of the recurrence, gone through backwards: of the ring that ends last, flows that share a link having "
      "equal shares.\n"
      "How much bandwidth is enough, and how long a context: ringsim size --solve bandwidth, --solve tokens.\n"
      "\n"
      "Examples:\n"
      "  ringsim why scenarios/studies/infiniband-bound-ring.yaml\n"
      "  ringsim why scenario.yaml --set 'noise.stragglers=[{rank: 5, slowdown: 1.2}]'\n"
      "  ringsim why scenario.yaml --format json");
  command.callback([&program, options] { program.action = [&program, options] { why(*options, program.color); }; });
}

}  // namespace ringsim::cli
