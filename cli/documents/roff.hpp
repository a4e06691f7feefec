#pragma once
// Pages of man(7): text that looks to the reader as it was written, whatever letters it holds.

#include <string>
#include <string_view>

namespace ringsim::cli::documents {

/// Text as roff takes it: what has a meaning there is escaped, and letters beyond ASCII go by their number, which every formatter knows.
[[nodiscard]] std::string roff_text(std::string_view text);

/// The same of prose with `code` in backticks, which is set in bold.
[[nodiscard]] std::string roff_prose(std::string_view text);

[[nodiscard]] std::string bold(std::string_view text);
[[nodiscard]] std::string italic(std::string_view text);

/// A page, a request a line.
class RoffPage {
 public:
  RoffPage(std::string_view name, int section, std::string_view source, std::string_view manual);
  void section(std::string_view title);
  void subsection(std::string_view title);
  /// A paragraph of roff, which roff_prose() and its like have made.
  void paragraph(std::string_view roff);
  /// A term and what it means, both of roff.
  void item(std::string_view term, std::string_view roff);
  /// Lines as they are: commands, scenarios.
  void verbatim(std::string_view text);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void line(std::string_view roff);
  void start_paragraph();
  std::string text_;
  bool below_heading_ = false;  // a paragraph begins there anyway
};

}  // namespace ringsim::cli::documents
