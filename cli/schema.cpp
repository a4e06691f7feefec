// `ringsim schema`: the language of scenarios, for editors as JSON Schema, for readers in Markdown.

#include "scenarios/schema.hpp"

#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/documents/scenario_markdown.hpp"
#include "cli/output.hpp"

#include <memory>
#include <string>

namespace ringsim::cli {

void add_schema(Program& program) {
  auto format = std::make_shared<std::string>("json");
  CLI::App& command = *program.app.add_subcommand("schema", "The JSON Schema of a scenario, for editors");
  command.add_option("--format", *format, "json (a JSON Schema) or markdown (the reference of all keys; default json)")
      ->type_name("FORMAT")
      ->check(one_of({"json", "markdown"}));
  command.footer(
      "Example:\n"
      "  ringsim schema > scenario.schema.json\n"
      "and as the first line of a scenario:\n"
      "  # yaml-language-server: $schema=scenario.schema.json\n"
      "The language as a text: ringsim schema --format markdown, or man ringsim-scenario.");
  command.callback([&program, format] {
    program.action = [format] {
      std::string schema = *format == "json" ? scenarios::json_schema() : documents::scenario_markdown();
      if (!schema.ends_with('\n')) schema += '\n';
      write_results(schema);
    };
  });
}

}  // namespace ringsim::cli
