#pragma once
// A sweep as a job: what the threads of this program, and the ranks of an MPI run, are told.

#include "reports/sweep_rows.hpp"
#include "sim/engine_choice.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::cli {

struct SweepJob {
  std::string name;       // of the scenario file, for messages
  std::string text;       // of the scenario file
  std::string directory;  // where files are that it names
  std::vector<std::string> sets;
  std::string engine = "auto";
  std::uint64_t seed = 0;
  std::vector<std::string> columns;  // figures; empty: the usual ones
  bool json_lines = false;
  std::string output;          // empty: standard output
  std::string made_by;         // version and commit of this program
  bool show_progress = false;  // ranks: tell the parent how far they are
  std::int64_t launcher = 0;   // ranks: the process that started this program, which they do not outlive; 0: any
};

[[nodiscard]] std::string to_json(const SweepJob& job);
[[nodiscard]] SweepJob sweep_job_of(std::string_view text);

[[nodiscard]] sim::EngineChoice engine_of(const SweepJob& job);

}  // namespace ringsim::cli
