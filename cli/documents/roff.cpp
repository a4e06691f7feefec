#include "cli/documents/roff.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace ringsim::cli::documents {
namespace {

/// The code point of the UTF-8 letter at `at`, which is moved behind it.
std::uint32_t take_letter(std::string_view text, std::size_t& at) {
  const auto byte = static_cast<unsigned char>(text[at++]);
  if (byte < 0x80) return byte;
  const int more = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
  std::uint32_t letter = byte & (0x3fU >> more);
  for (int i = 0; i < more && at < text.size(); ++i)
    letter = (letter << 6U) | (static_cast<unsigned char>(text[at++]) & 0x3fU);
  return letter;
}

std::string macro_argument(std::string_view text) { return "\"" + std::string(text) + "\""; }

}  // namespace

std::string roff_text(std::string_view text) {
  std::string roff;
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t letter = take_letter(text, at);
    if (letter >= 0x80) {
      roff += fmt::format("\\[u{:04X}]", letter);
      continue;
    }
    switch (const char c = static_cast<char>(letter)) {
      case '\\':
        roff += "\\(rs";
        break;
      case '-':
        roff += "\\-";
        break;
      case '\'':
        roff += "\\(aq";
        break;
      case '"':
        roff += "\\(dq";
        break;
      case '^':
        roff += "\\(ha";
        break;
      case '~':
        roff += "\\(ti";
        break;
      case '`':
        roff += "\\(ga";
        break;
      default:
        roff += c;
    }
  }
  return roff;
}

std::string bold(std::string_view text) { return "\\fB" + roff_text(text) + "\\fR"; }

std::string italic(std::string_view text) { return "\\fI" + roff_text(text) + "\\fR"; }

std::string roff_prose(std::string_view text) {
  std::string roff;
  while (!text.empty()) {
    const std::size_t open = text.find('`');
    roff += roff_text(text.substr(0, open));
    if (open == std::string_view::npos) break;
    text.remove_prefix(open + 1);
    const std::size_t close = text.find('`');
    roff += bold(text.substr(0, close));
    if (close == std::string_view::npos) break;
    text.remove_prefix(close + 1);
  }
  return roff;
}

RoffPage::RoffPage(std::string_view name, int section, std::string_view source, std::string_view manual) {
  // Without a date: the same program prints the same page.
  line(fmt::format(".TH {} {} \"\" {} {}", macro_argument(roff_text(name)), section, macro_argument(roff_text(source)),
                   macro_argument(roff_text(manual))));
  line(".ad l");  // keys and options are long: justified lines would have holes
  line(".nh");
}

void RoffPage::line(std::string_view roff) {
  text_ += roff;
  text_ += '\n';
}

void RoffPage::start_paragraph() {
  if (!below_heading_) line(".PP");
  below_heading_ = false;
}

void RoffPage::section(std::string_view title) {
  line(".SH " + macro_argument(roff_text(title)));
  below_heading_ = true;
}

void RoffPage::subsection(std::string_view title) {
  line(".SS " + macro_argument(roff_prose(title)));
  below_heading_ = true;
}

// Text begins with \&: a line that begins with a dot or a quote would be a request.
void RoffPage::paragraph(std::string_view roff) {
  start_paragraph();
  line("\\&" + std::string(roff));
}

void RoffPage::item(std::string_view term, std::string_view roff) {
  below_heading_ = false;
  line(".TP");
  line("\\&" + std::string(term));
  line("\\&" + std::string(roff));
}

void RoffPage::verbatim(std::string_view text) {
  start_paragraph();
  line(".RS 4");
  line(".nf");
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    line("\\&" + roff_text(text.substr(0, end)));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  line(".fi");
  line(".RE");
}

}  // namespace ringsim::cli::documents
