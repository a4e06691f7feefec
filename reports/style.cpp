#include "reports/style.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace ringsim::reports {

std::string Style::mark(std::string_view code, std::string_view text) const {
  if (!color || text.empty()) return std::string(text);
  std::string marked = "\x1b[";
  marked.append(code).append("m").append(text).append("\x1b[0m");
  return marked;
}

bool use_color(ColorChoice choice, bool terminal, const char* no_color, const char* term) {
  if (choice != ColorChoice::automatic) return choice == ColorChoice::always;
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  return terminal && !refused && !dumb;
}

Style style_of(ColorChoice choice, std::FILE* stream) {
  const bool terminal = ::isatty(::fileno(stream)) == 1;
  return Style{use_color(choice, terminal, std::getenv("NO_COLOR"), std::getenv("TERM"))};
}

}  // namespace ringsim::reports
