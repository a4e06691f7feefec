#pragma once
// Who measured what a value was fitted to, for Calibrated::source.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ringsim::calibrate {

/// "fit to 12 rows of A; B": the publications that the points name, at most three by name; `otherwise` where they name none.
template <class Point>
[[nodiscard]] std::string source_of(const std::vector<Point>& points, const std::string& otherwise) {
  std::vector<std::string> origins;
  for (const Point& p : points) {
    if (!p.origin.empty() && std::find(origins.begin(), origins.end(), p.origin) == origins.end())
      origins.push_back(p.origin);
  }
  if (origins.empty()) return otherwise;
  constexpr std::size_t named = 3;
  std::string text = fmt::format("fit to {} {} of ", points.size(), points.size() == 1 ? "row" : "rows");
  for (std::size_t i = 0; i < std::min(named, origins.size()); ++i) text += (i == 0 ? "" : "; ") + origins[i];
  if (origins.size() > named) text += fmt::format(" and {} more", origins.size() - named);
  return text;
}

}  // namespace ringsim::calibrate
