#include "scenarios/format.hpp"

#include "scenarios/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace ringsim::scenarios {
namespace {

bool is_plain_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_./+%@ ").find(c) != std::string_view::npos;
}

// Text that YAML might take for something else goes in double quotes.
std::string quoted_where_needed(const std::string& text) {
  const bool first_is_letter =
      !text.empty() &&
      ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z') || (text[0] >= '0' && text[0] <= '9'));
  const bool word = text == "null" || text == "Null" || text == "NULL" || text == "true" || text == "false";
  if (first_is_letter && !word && text.back() != ' ' && std::all_of(text.begin(), text.end(), is_plain_character))
    return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> steps;
  while (true) {
    const std::size_t dot = path.find('.');
    steps.push_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return steps;
    path.remove_prefix(dot + 1);
  }
}

bool is_index(std::string_view step) {
  return !step.empty() && std::all_of(step.begin(), step.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string format_scenario(const Scenario& scenario, Origins origins) {
  std::string text;
  std::vector<std::string_view> before;
  for (const ResolvedValue& value : scenario.resolved) {
    const std::vector<std::string_view> steps = split(value.key);
    std::size_t shared = 0;
    while (shared < before.size() && shared + 1 < steps.size() && before[shared] == steps[shared]) ++shared;
    // Open the mappings and list items that this value needs and the one before did not have. The first key of a list
    // item stands on the line of its dash.
    bool after_dash = false;
    for (std::size_t i = shared; i < steps.size(); ++i) {
      const std::string indent = after_dash ? std::string() : std::string(2 * i, ' ');
      after_dash = false;
      if (i + 1 == steps.size()) {
        const Field* field = field_at(value.key);
        const bool is_text = field != nullptr && (field->kind == Kind::text || field->kind == Kind::choice);
        std::string line =
            fmt::format("{}{}: {}", indent, steps[i], is_text ? quoted_where_needed(value.text) : value.text);
        if (origins == Origins::as_comments) line = fmt::format("{:<60}  # {}", line, value.origin);
        text += line + "\n";
      } else if (is_index(steps[i]) &&
                 field_at(fmt::format(
                     "{}", fmt::join(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(i), "."))) != nullptr &&
                 field_at(
                     fmt::format("{}", fmt::join(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(i), ".")))
                         ->kind == Kind::mappings) {
        text += fmt::format("{}- ", indent);
        after_dash = true;
      } else {
        text += fmt::format("{}{}:\n", indent, steps[i]);
      }
    }
    before = steps;
  }
  return text;
}

}  // namespace ringsim::scenarios
