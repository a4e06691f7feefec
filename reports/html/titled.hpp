#pragma once
// Titles begin with a capital letter.

#include <string>

namespace ringsim::reports {

[[nodiscard]] inline std::string titled(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

}  // namespace ringsim::reports
