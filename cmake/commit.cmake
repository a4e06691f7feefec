# Run at build time: writes OUTPUT with the commit of SOURCE, and touches it only when that has changed.
find_program(GIT git)
set(commit "")
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[#include "cli/commit.hpp"

namespace ringsim::cli {

std::string_view commit() { return "@commit@"; }

}  // namespace ringsim::cli
]] @ONLY)
