#pragma once
// What this program makes of a worker that failed.
//
// It has written its reason (cli/worker_files.hpp) and ended with another status than 0. One that was killed leaves no reason;
// its last words on standard error then have to do.

#include "cli/child_process.hpp"

#include <filesystem>
#include <string_view>

namespace ringsim::cli {

/// Throws Interrupted, Error where the job itself is wrong, MissingPart where the machine lacks something, and else BrokeOff. `whose` begins the sentence about a worker
/// without a reason: "the ranks broke off: their process".
[[noreturn]] void explain_failure(const ChildOutcome& outcome, const std::filesystem::path& reason,
                                  std::string_view whose);

/// A program in the folder of this one.
[[nodiscard]] std::filesystem::path beside_this_program(std::string_view name);

}  // namespace ringsim::cli
