#pragma once
// The sub-commands. Each adds itself to the program; when the command line has been read, `action` is what was asked
// for.

#include "reports/style.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace ringsim::cli {

struct Program {
  CLI::App app;
  reports::ColorChoice color = reports::ColorChoice::automatic;
  std::function<void()> action;
  std::vector<std::string> command_line;  // as it was called: the program's name, then its arguments
};

void add_run(Program& program);
void add_b_min(Program& program);
void add_size(Program& program);
void add_sweep(Program& program);
void add_why(Program& program);
void add_compare(Program& program);
void add_show(Program& program);
void add_calibrate(Program& program);
void add_measure(Program& program);
void add_validate(Program& program);
void add_schema(Program& program);
void add_library(Program& program);
void add_man(Program& program);
void add_completion(Program& program);

}  // namespace ringsim::cli
