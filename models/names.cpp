#include "models/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <utility>

namespace ringsim {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

// Optimal string alignment: the three last rows of the table are enough.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0U : 1U)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::string_view nearest(std::string_view name, const std::vector<std::string_view>& known) {
  std::string_view best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const std::string_view candidate : known) {
    const std::size_t distance = edit_distance(name, candidate);
    const std::size_t allowed = std::max<std::size_t>(1, std::min(name.size(), candidate.size()) / 3);
    if (distance <= allowed && distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string name_hint(std::string_view name, const std::vector<std::string_view>& known, std::string_view otherwise) {
  const std::string_view near = nearest(name, known);
  if (!near.empty()) return fmt::format("did you mean {}?", near);
  // A name that only lacks its ending or beginning: "h100" for "h100-sxm".
  std::vector<std::string_view> longer;
  for (const std::string_view candidate : known) {
    const bool part = name.size() >= 3 && candidate.find(name) != std::string_view::npos;
    if (part || (candidate.size() > 3 && name.find(candidate) != std::string_view::npos)) longer.push_back(candidate);
  }
  if (!longer.empty()) return fmt::format("did you mean {}?", joined(longer, " or "));
  return fmt::format("{}: {}", otherwise, joined(known));
}

std::string joined(const std::vector<std::string_view>& names, std::string_view between) {
  std::string text;
  for (const std::string_view name : names) {
    if (!text.empty()) text += between;
    text += name;
  }
  return text;
}

}  // namespace ringsim
