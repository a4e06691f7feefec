#include "scenarios/format.hpp"

#include "scenarios/spec.hpp"
#include "scenarios/yaml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace ringsim::scenarios {
namespace {

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

// Whether the key names a row of a table of texts, and not the table itself.
bool is_row(std::string_view key, const Field& field) {
  return field.kind == Kind::table && field.rows == Kind::text && field_at(key.substr(0, key.rfind('.'))) == &field;
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
      const std::size_t column = 2 * i;
      const std::string indent = after_dash ? std::string() : std::string(column, ' ');
      const std::size_t width = after_dash ? 60 - std::min<std::size_t>(column, 60) : 60;  // the dash takes the rest
      after_dash = false;
      if (i + 1 == steps.size()) {
        const Field* field = field_at(value.key);
        const bool is_text =
            field != nullptr && (field->kind == Kind::text || field->kind == Kind::choice || is_row(value.key, *field));
        std::string line = fmt::format("{}{}: {}", indent, steps[i], is_text ? yaml_text(value.text) : value.text);
        if (origins == Origins::as_comments) line = fmt::format("{:<{}}  # {}", line, width, value.origin);
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
