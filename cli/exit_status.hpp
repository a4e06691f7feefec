#pragma once
// What the exit status of the program means. Scripts depend on it: a number is never given a second meaning.

#include <array>
#include <string_view>

namespace ringsim::cli {

enum ExitStatus : int {
  fine = 0,               // a plan that does not fit in memory warns
  usage = 2,              // a command line that makes no sense
  bad_input = 3,          // a scenario, a library entry, --set
  nothing_feasible = 4,   // no plan fits, or meets its limits
  missing_part = 5,       // a device, or a library that this program was built without
  outside_tolerance = 6,  // predicted and measured, or computed and reference, differ by more than they may
  broke_off = 7,          // the run, or writing its results
  internal_error = 70,    // a bug
  interrupted = 130,      // by SIGINT or SIGTERM
};

struct ExitMeaning {
  ExitStatus status = fine;
  std::string_view meaning;
};

/// For users: --help and the manual print it.
inline constexpr std::array exit_meanings = {
    ExitMeaning{fine, "fine (a plan that does not fit in memory warns)"},
    ExitMeaning{usage, "the command line makes no sense"},
    ExitMeaning{bad_input, "bad input: a scenario file, or --set"},
    ExitMeaning{nothing_feasible, "nothing is feasible: no plan fits, or meets its limits"},
    ExitMeaning{missing_part, "an engine, device or library that is not built in"},
    ExitMeaning{outside_tolerance, "outside the tolerance that was asked for"},
    ExitMeaning{broke_off, "the run broke off, or its results could not be written"},
    ExitMeaning{internal_error, "a bug in ringsim"},
    ExitMeaning{interrupted, "interrupted"},
};

}  // namespace ringsim::cli
