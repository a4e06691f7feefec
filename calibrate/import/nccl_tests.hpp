#pragma once
// Results of NVIDIA's nccl-tests, as text or as JSON (-J).
//
// sendrecv_perf is a ring: every rank sends `size` bytes to the next and receives as many from the one before, so that
// its out-of-place time is that of a ring hop. It is the mean over the iterations, by the slowest rank; with -I 1 the
// JSON holds every iteration, and the median and its interval are taken from them. Other tests (all_reduce, ...) say
// nothing about a hop and are skipped with a note. "Avg bus bandwidth" averages over all sizes and is not read.

#include "calibrate/import/import.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::calibrate {

[[nodiscard]] bool is_nccl_tests_text(std::string_view text);
[[nodiscard]] Points import_nccl_tests_text(const std::string& name, std::string_view text,
                                            const ImportOptions& options);

/// A number as it was printed: the last digit is rounded.
struct PrintedNumber {
  double value = 0;
  double half_unit = 0;  // half a unit of the last digit
};
/// Empty where the text is no finite number.
[[nodiscard]] std::optional<PrintedNumber> printed_number(std::string_view text);

/// The out-of-place half of a row.
struct NcclRow {
  std::string where;
  double size_bytes = 0;
  std::optional<PrintedNumber> time_us;  // absent: not measured, or "nan"
  std::optional<PrintedNumber> algorithm_gb_per_s;
  double wrong = 0;                // elements; 0 where the check was off
  std::vector<double> samples_us;  // of every iteration, where recorded
};

struct NcclRun {
  std::string file;
  std::string test;                                     // "sendrecv_perf"; empty where the file does not say
  std::map<std::int64_t, std::set<std::string>> hosts;  // of every group of ranks (one but for split communicators)
  std::int64_t ranks = 0;
  bool cpu_time = false;  // -C: the time to issue the operation
  Provenance provenance;
  std::vector<NcclRow> rows;
};

/// Points of a run: the checks and the choice of link class that text and JSON share. Throws Error for times of the CPU
/// (-C), a bandwidth that is not size / time, a test without a name, a link class that is needed and not given.
[[nodiscard]] Points points_of(const NcclRun& run, const ImportOptions& options);

}  // namespace ringsim::calibrate
