// `ringsim completion`: what a shell needs to complete command lines of this program.

#include "cli/documents/completion.hpp"

#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"

#include <memory>
#include <string>

namespace ringsim::cli {

void add_completion(Program& program) {
  auto shell = std::make_shared<std::string>();
  CLI::App& command =
      *program.app.add_subcommand("completion", "A script by which a shell completes commands, options and keys");
  command.add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->type_name("")
      ->check(one_of({"bash", "zsh", "fish"}));
  command.footer(
      "Installing the program installs them, too. For this session, and for good:\n"
      "  source <(ringsim completion bash)\n"
      "  ringsim completion bash > ~/.local/share/bash-completion/completions/ringsim\n"
      "  ringsim completion zsh > \"${fpath[1]}/_ringsim\"\n"
      "  ringsim completion fish > ~/.config/fish/completions/ringsim.fish");
  command.callback([&program, shell] {
    program.action = [&program, shell] {
      const documents::CommandLine line = documents::command_line(program.app);
      write_results(*shell == "bash"  ? documents::bash_completion(line)
                    : *shell == "zsh" ? documents::zsh_completion(line)
                                      : documents::fish_completion(line));
    };
  });
}

}  // namespace ringsim::cli
