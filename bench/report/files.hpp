#pragma once
// Whole files as text.

#include <string>
#include <string_view>

namespace ringsim::bench {

/// Throws Error where it cannot be read, with `hint`.
[[nodiscard]] std::string text_of_file(const std::string& path, std::string_view hint);

/// Writes beside the file and then puts that in its place: a run that is cut off leaves the old one. Throws Error.
void replace_file(const std::string& path, std::string_view text);

}  // namespace ringsim::bench
