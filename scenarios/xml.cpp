#include "scenarios/xml.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace ringsim::scenarios {
namespace {

constexpr std::size_t deepest = 64;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == ':';
}

class XmlReader {
 public:
  XmlReader(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  XmlElement document() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // byte order mark
    skip_to_element();
    if (at_ == text_.size()) fail(at_, "the document holds no element");
    XmlElement root = element(1);
    skip_to_element();
    if (at_ != text_.size()) fail(at_, "a second element follows the document's end");
    return root;
  }

 private:
  std::string place(std::size_t at) const {
    const std::string_view before = text_.substr(0, at);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n');
    return fmt::format("{}:{}:{}", file_, line, at - (start == std::string_view::npos ? 0 : start + 1) + 1);
  }
  [[noreturn]] void fail(std::size_t at, const std::string& what, const std::string& hint = {}) const {
    throw Error(what, place(at), hint);
  }

  bool follows(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void skip_past(std::string_view end, const char* what) {
    const std::size_t start = at_;
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) fail(start, fmt::format("{} does not end", what));
    at_ = found + end.size();
  }

  // Over text, comments, the prolog and the document type, to the next < of an element or its end.
  void skip_to_element() {
    while (true) {
      at_ = std::min(text_.find('<', at_), text_.size());
      if (follows("<!--")) {
        skip_past("-->", "a comment");
      } else if (follows("<?")) {
        skip_past("?>", "a processing instruction");
      } else if (follows("<![")) {
        fail(at_, "sections in <![ ]]> are not read");
      } else if (follows("<!")) {
        skip_past(">", "a declaration");
      } else {
        return;
      }
    }
  }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  std::string name(const char* of) {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    if (at_ == start) fail(start, fmt::format("{} has no name", of));
    return std::string(text_.substr(start, at_ - start));
  }

  XmlElement element(std::size_t level) {
    XmlElement result;
    const std::size_t start = at_;
    result.origin = place(start);
    if (level > deepest) fail(start, fmt::format("nested deeper than {} levels", deepest));
    ++at_;  // <
    result.name = name("an element");
    while (true) {
      skip_space();
      if (at_ == text_.size()) fail(start, fmt::format("the element {} does not end", result.name));
      if (follows("/>")) {
        at_ += 2;
        return result;
      }
      if (follows(">")) {
        ++at_;
        break;
      }
      attribute(result);
    }
    while (true) {
      skip_to_element();
      if (at_ == text_.size()) fail(start, fmt::format("the element {} is not closed", result.name));
      if (!follows("</")) {
        result.children.push_back(element(level + 1));
        continue;
      }
      const std::size_t end = at_;
      at_ += 2;
      const std::string closed = name("an end tag");
      skip_space();
      if (closed != result.name || !follows(">")) {
        fail(end, fmt::format("</{}> ends {}, which began at {}", closed, result.name, result.origin));
      }
      ++at_;
      return result;
    }
  }

  void attribute(XmlElement& element) {
    const std::size_t start = at_;
    std::string key = name("an attribute");
    skip_space();
    if (!follows("=")) fail(start, fmt::format("the attribute {} has no value", key), "name=\"value\"");
    ++at_;
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '"' && quote != '\'')
      fail(at_, fmt::format("the value of {} is not in quotes", key), "name=\"value\"");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail(start, fmt::format("the value of {} does not end", key));
    const std::string value = plain(at_ + 1, end);
    at_ = end + 1;
    if (element.attribute(key) != nullptr) fail(start, fmt::format("the attribute {} stands twice", key));
    element.attributes.emplace_back(std::move(key), value);
  }

  // The text between two places, entities replaced.
  std::string plain(std::size_t from, std::size_t to) const {
    std::string result;
    for (std::size_t i = from; i < to; ++i) {
      if (text_[i] == '<') fail(i, "a < inside of a value", "&lt;");
      if (text_[i] != '&') {
        result += text_[i];
        continue;
      }
      const std::size_t end = std::min(text_.find(';', i), to);
      result += entity(i, text_.substr(i + 1, end - i - 1));
      i = end;
    }
    return result;
  }

  char entity(std::size_t at, std::string_view name) const {
    static constexpr std::pair<std::string_view, char> known[] = {
        {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    for (const auto& [text, c] : known) {
      if (name == text) return c;
    }
    const bool hexadecimal = name.starts_with("#x");
    const std::string_view digits = name.substr(std::min<std::size_t>(hexadecimal ? 2 : 1, name.size()));
    std::uint32_t code = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
    const bool whole = parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size();
    if (!name.starts_with("#") || !whole || code < 32 || code > 126) {
      fail(at, fmt::format("&{}; is no known character", name));
    }
    return static_cast<char>(code);
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
};

}  // namespace

const std::string* XmlElement::attribute(std::string_view key) const {
  for (const auto& [own, value] : attributes) {
    if (own == key) return &value;
  }
  return nullptr;
}

XmlElement parse_xml(std::string_view text, std::string_view file) { return XmlReader(text, file).document(); }

}  // namespace ringsim::scenarios
