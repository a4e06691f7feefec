#include "calibrate/import/text.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>

namespace ringsim::calibrate {
namespace {

constexpr std::string_view blanks = " \t\r\n";

template <class Number>
std::optional<Number> whole_text(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> found;
  for (std::size_t begin = line.find_first_not_of(blanks); begin != std::string_view::npos;
       begin = line.find_first_not_of(blanks)) {
    line.remove_prefix(begin);
    const std::string_view word = line.substr(0, line.find_first_of(blanks));
    found.push_back(word);
    line.remove_prefix(word.size());
  }
  return found;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return lower;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view without_mark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

std::optional<double> finite_number(std::string_view text) {
  const auto value = whole_text<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> whole_number(std::string_view text) { return whole_text<std::int64_t>(text); }

std::string place(std::string_view file, std::size_t line) { return fmt::format("{}:{}", file, line); }

std::string beginning_of(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string_view line;
  while (!text.empty() && line.empty()) line = trimmed(take_line(text));
  std::string shown;
  for (const char c : line.substr(0, longest)) shown += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  return fmt::format("\"{}{}\"", shown, line.size() > longest ? "..." : "");
}

void refuse_what_is_no_text(std::string_view file, std::string_view text) {
  const auto refuse = [file](std::string_view what, std::string_view hint) {
    throw Error(std::string(what), std::string(file), std::string(hint));
  };
  if (text.starts_with("\x1F\x8B"))
    refuse("the file is compressed (gzip)", "unpack it with gunzip and give the result");
  if (text.starts_with("\x28\xB5\x2F\xFD")) {
    refuse("the file is compressed (zstd)", "unpack it with unzstd and give the result");
  }
  if (text.starts_with("SQLite format 3")) {
    refuse("the file is an SQLite database, not a text",
           "export it: nsys stats --report cuda_gpu_kern_sum --format csv FILE");
  }
  if (text.find('\0') != std::string_view::npos) {
    refuse("the file is binary, not a text",
           "a report of Nsight Systems is exported by nsys stats --report cuda_gpu_kern_sum --format csv FILE");
  }
  if (trimmed(without_mark(text)).empty()) refuse("the file is empty", {});
}

}  // namespace ringsim::calibrate
