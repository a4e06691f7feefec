#pragma once
// Pieces of layout that the text reports share.

#include "reports/style.hpp"
#include "reports/verdicts.hpp"
#include "sim/summarize.hpp"

#include <string>
#include <vector>

namespace ringsim::reports {

/// A blank line and a heading; `note` explains it.
[[nodiscard]] std::string heading(const std::string& title, const std::string& note, const Style& style);

/// A wrapped paragraph, indented.
[[nodiscard]] std::string paragraph(const std::string& text, std::size_t indent);

[[nodiscard]] std::string verdict_line(const Verdict& verdict, const Style& style);

/// The warnings as a list under a heading; nothing where there are none.
[[nodiscard]] std::string warnings_section(const std::vector<std::string>& warnings, const Style& style);

/// What need not worry anybody, likewise.
[[nodiscard]] std::string notes_section(const std::vector<std::string>& notes, const Style& style);

/// A blank line and small print; nothing where there is none.
[[nodiscard]] std::string footnotes(const std::vector<std::string>& notes, const Style& style);

/// The slowest rank's time as a bar of `width` columns: compute █, exposed communication ▒, bubble ░, with a legend.
[[nodiscard]] std::string share_bar(const sim::RunSummary& run, std::size_t width, const Style& style);

}  // namespace ringsim::reports
