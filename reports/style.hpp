#pragma once
// Colour on terminals: when it is used, and which marks there are. Colour never carries meaning that the text lacks.

#include <cstdio>
#include <string>
#include <string_view>

namespace ringsim::reports {

enum class ColorChoice { automatic, always, never };

/// Marks for emphasis; plain text passes through unchanged where colour is off.
struct Style {
  bool color = false;

  [[nodiscard]] std::string bold(std::string_view text) const { return mark("1", text); }
  [[nodiscard]] std::string dim(std::string_view text) const { return mark("2", text); }
  [[nodiscard]] std::string good(std::string_view text) const { return mark("32", text); }
  [[nodiscard]] std::string bad(std::string_view text) const { return mark("31", text); }
  [[nodiscard]] std::string caution(std::string_view text) const { return mark("33", text); }
  /// In one of the terminal's own colours: 31 to 36.
  [[nodiscard]] std::string colored(int code, std::string_view text) const { return mark(std::to_string(code), text); }

 private:
  [[nodiscard]] std::string mark(std::string_view code, std::string_view text) const;
};

/// `choice` wins; else colour needs a terminal that is not "dumb", and NO_COLOR unset or empty (no-color.org).
/// The two environment values may be null, which means unset.
[[nodiscard]] bool use_color(ColorChoice choice, bool terminal, const char* no_color, const char* term);

/// use_color() with the environment of this process and `stream`.
[[nodiscard]] Style style_of(ColorChoice choice, std::FILE* stream);

}  // namespace ringsim::reports
