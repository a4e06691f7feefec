#pragma once
// The table of docs/PERFORMANCE.md.

#include "bench/report/run_file.hpp"

#include <string>
#include <string_view>

namespace ringsim::bench {

/// A row a benchmark that has counted a ratio: what it does in a second, how many times that is what each peer does in the same run,
/// and the peer's own rate. Then a line on machine and date. Markdown; ends with a line break. Throws Error where no benchmark has
/// counted a ratio.
[[nodiscard]] std::string table_of(const Run& run, const std::string& path);

/// `page` with the table between the two comments that mark its place. Throws Error where they are not there, once and in order.
[[nodiscard]] std::string with_table(std::string_view page, std::string_view table, const std::string& path);

}  // namespace ringsim::bench
