#include "reports/charts/gantt_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ringsim::reports {
namespace {

/// ".8", "12", "4.5" of tenths.
void append_tenths(std::string& text, std::int64_t tenths) {
  if (tenths / 10 != 0) text += fmt::format_int(tenths / 10).str();
  if (tenths % 10 != 0) {
    text += '.';
    text += static_cast<char>('0' + tenths % 10);
  } else if (tenths == 0) {
    text += '0';
  }
}

std::int64_t tenths_of(double pixels) { return std::llround(pixels * 10); }

}  // namespace

std::string GanttPath::commands(double y) const {
  std::string text;
  std::int64_t at = 0;
  for (const Dash& dash : dashes) {
    if (text.empty()) {
      text = fmt::format("M{} {}", px(static_cast<double>(dash.from) / 10), px(y));
    } else {
      text += 'm';
      append_tenths(text, dash.from - at);
      text += " 0";
    }
    text += 'h';
    append_tenths(text, dash.to - dash.from);
    at = dash.to;
  }
  return text;
}

std::vector<GanttPath> gantt_paths(const GanttChart& chart, const PlotScale& x) {
  std::map<std::pair<std::size_t, Tone>, GanttPath> paths;
  for (const GanttSpan& span : chart.spans) {
    const double start = std::max(span.start_s, chart.start_s);
    const double end = std::min(span.end_s, chart.end_s);
    if (end < start) continue;
    GanttPath& path = paths[{span.row, span.tone}];
    path.row = span.row;
    path.tone = span.tone;
    ++path.spans;
    const std::int64_t from = tenths_of(x.at(start));
    const std::int64_t to = std::max(from + 1, tenths_of(x.at(end)));
    if (!path.dashes.empty() && from <= path.dashes.back().to) {
      path.dashes.back().to = std::max(path.dashes.back().to, to);
    } else {
      path.dashes.push_back({from, to});
    }
  }
  std::vector<GanttPath> result;
  result.reserve(paths.size());
  for (auto& [key, path] : paths) result.push_back(std::move(path));
  return result;
}

}  // namespace ringsim::reports
