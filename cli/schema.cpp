// `ringsim schema`: the JSON Schema of the scenario, for editors.

#include "scenarios/schema.hpp"

#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace ringsim::cli {

void add_schema(Program& program) {
  CLI::App& command = *program.app.add_subcommand("schema", "The JSON Schema of a scenario, for editors");
  command.footer(
      "Example:\n"
      "  ringsim schema > scenario.schema.json\n"
      "and as the first line of a scenario:\n"
      "  # yaml-language-server: $schema=scenario.schema.json");
  command.callback([&program] {
    program.action = [] {
      std::string schema = scenarios::json_schema();
      if (!schema.ends_with('\n')) schema += '\n';
      write_results(schema);
    };
  });
}

}  // namespace ringsim::cli
