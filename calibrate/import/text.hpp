#pragma once
// What readers of text files share: words, numbers, places, and files that are no text at all.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::calibrate {

/// Without blanks, tabs and line ends at either side.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// Split at blanks and tabs.
[[nodiscard]] std::vector<std::string_view> words(std::string_view line);
[[nodiscard]] std::string lower_case(std::string_view text);
/// Takes the next line off `text`, without its end (LF or CRLF).
[[nodiscard]] std::string_view take_line(std::string_view& text);
/// Without a UTF-8 byte order mark.
[[nodiscard]] std::string_view without_mark(std::string_view text);

/// The whole of `text` as a finite number; empty for anything else ("nan", "1,5", "3 us").
[[nodiscard]] std::optional<double> finite_number(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> whole_number(std::string_view text);

/// "file:12".
[[nodiscard]] std::string place(std::string_view file, std::size_t line);
/// The first line that is not blank, shortened and in quotes, for messages about files of an unknown kind.
[[nodiscard]] std::string beginning_of(std::string_view text);

/// Throws Error for a compressed file or a database, telling how to turn it into text, and for an empty file.
void refuse_what_is_no_text(std::string_view file, std::string_view text);

}  // namespace ringsim::calibrate
