#pragma once
// What the exit status of the program means. Scripts depend on it: a number is never given a second meaning.

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

}  // namespace ringsim::cli
