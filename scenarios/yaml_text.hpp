#pragma once
// Text as YAML, for what this folder writes.

#include <string>
#include <string_view>

namespace ringsim::scenarios {

/// The text as a YAML scalar that reads back as the same text, in a block or between braces: in double quotes where YAML
/// might take it for something else.
[[nodiscard]] std::string yaml_text(const std::string& text);

/// Each line of the text as a comment; nothing for no text.
[[nodiscard]] std::string yaml_comment(std::string_view text);

}  // namespace ringsim::scenarios
