#pragma once
// Titles begin with a capital letter.

#include <string>

namespace ringsim::reports {

[[nodiscard]] inline std::string titled(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

/// "NAME: takes 3 s" -> "Takes 3 s": a page has the name above it.
[[nodiscard]] inline std::string without_name(const std::string& answer, const std::string& name) {
  const std::string start = name + ": ";
  return titled(answer.starts_with(start) ? answer.substr(start.size()) : answer);
}

}  // namespace ringsim::reports
