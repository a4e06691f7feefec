// `ringsim show`: the resolved scenario and where each of its values comes from.

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/scenario_options.hpp"
#include "reports/show_report.hpp"
#include "scenarios/format.hpp"

#include <memory>

namespace ringsim::cli {
namespace {

void show(const ScenarioOptions& options) {
  const Scenario scenario = load_scenario(options);
  if (options.format == "json") return write_results(reports::render_show_json(scenario));
  if (options.format == "csv") return write_results(reports::render_show_csv(scenario));
  if (options.format == "markdown") return write_results(reports::render_show_markdown(scenario));
  write_results(scenarios::format_scenario(scenario, scenarios::Origins::as_comments));
}

}  // namespace

void add_show(Program& program) {
  auto options = std::make_shared<ScenarioOptions>();
  CLI::App& command = *program.app.add_subcommand("show", "The resolved scenario, and where each value comes from");
  add_scenario_options(command, *options);
  command.footer(
      "The text is itself a scenario: every default and library entry is written out.\n"
      "\n"
      "Example:\n"
      "  ringsim show scenarios/studies/llama3-70b-1m-h100.yaml --set cluster.nodes=16");
  command.callback([&program, options] { program.action = [options] { show(*options); }; });
}

}  // namespace ringsim::cli
