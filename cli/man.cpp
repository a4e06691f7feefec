// `ringsim man`: the manual pages, as man(1) reads them.

#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/documents/command_line.hpp"
#include "cli/documents/manual.hpp"
#include "cli/output.hpp"

#include <memory>
#include <string>

namespace ringsim::cli {

void add_man(Program& program) {
  auto page = std::make_shared<std::string>("ringsim");
  CLI::App& command = *program.app.add_subcommand("man", "The manual pages, in roff");
  command.add_option("PAGE", *page, "ringsim or scenario (default ringsim): ringsim(1), ringsim-scenario(5)")
      ->type_name("")
      ->check(one_of({"ringsim", "scenario"}));
  command.footer(
      "Examples:\n"
      "  ringsim man | man -l -\n"
      "  ringsim man scenario | man -l -");
  command.callback([&program, page] {
    program.action = [&program, page] {
      write_results(*page == "scenario" ? documents::scenario_manual()
                                        : documents::program_manual(documents::command_line(program.app)));
    };
  });
}

}  // namespace ringsim::cli
