#include "reports/charts/gantt_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

constexpr auto tones = static_cast<std::size_t>(Tone::series_8) + 1;
constexpr std::size_t gap = tones;

/// How much of each tenth of a row every tone has, 0 to 1.
using RowShares = std::vector<std::array<double, tones>>;

void add_span(RowShares& shares, std::size_t tone, double from, double to) {
  const double last = static_cast<double>(shares.size());
  from = std::clamp(from, 0.0, last);
  to = std::clamp(to, from, last);
  for (auto at = static_cast<std::size_t>(from); at < shares.size(); ++at) {
    const double begin = std::max(from, static_cast<double>(at));
    const double end = std::min(to, static_cast<double>(at) + 1);
    if (end <= begin) break;
    shares[at][tone] += end - begin;
  }
}

/// Whose each tenth is: a tone, or a gap.
std::vector<std::size_t> owners_of(const RowShares& shares) {
  std::vector<std::size_t> owners(shares.size(), gap);
  std::array<double, tones + 1> due{};
  for (std::size_t at = 0; at < shares.size(); ++at) {
    double covered = 0;
    for (std::size_t tone = 0; tone < tones; ++tone) {
      due[tone] += shares[at][tone];
      covered += shares[at][tone];
    }
    due[gap] += 1 - std::min(1.0, covered);
    const bool no_gap = at == 0 || owners[at - 1] == gap || covered > 0.999;
    std::size_t& owner = owners[at];
    for (std::size_t tone = 0; tone < tones; ++tone) {
      // Only what is there: tenths that are still due to a tone from before are not drawn where it has ended.
      if (shares[at][tone] > 0 && ((owner == gap && no_gap) || due[tone] > due[owner])) owner = tone;
    }
    due[owner] -= 1;
    // Neither side runs up more than a tenth, so that a long span or a long gap begins and ends where it does.
    for (double& debt : due) debt = std::clamp(debt, -1.0, 1.0);
  }
  return owners;
}

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
  const double left = x.at(chart.start_s) * 10;
  const auto width = static_cast<std::size_t>(std::llround(x.at(chart.end_s) * 10 - left));
  const std::int64_t origin = std::llround(left);
  std::map<std::size_t, RowShares> rows;
  std::map<std::pair<std::size_t, Tone>, GanttPath> paths;
  std::map<std::pair<std::size_t, Tone>, std::int64_t> first;  // tenth of a row's first span of a tone
  for (const GanttSpan& span : chart.spans) {
    const double start = std::max(span.start_s, chart.start_s);
    const double end = std::min(span.end_s, chart.end_s);
    if (end < start) continue;
    const std::pair key{span.row, span.tone};
    GanttPath& path = paths[key];
    path.row = span.row;
    path.tone = span.tone;
    ++path.spans;
    const double from = x.at(start) * 10 - left;
    first.emplace(key, origin + static_cast<std::int64_t>(from));
    RowShares& shares = rows.try_emplace(span.row, width).first->second;
    add_span(shares, static_cast<std::size_t>(span.tone), from, x.at(end) * 10 - left);
  }
  for (const auto& [row, shares] : rows) {
    const std::vector<std::size_t> owners = owners_of(shares);
    for (std::size_t at = 0; at < owners.size(); ++at) {
      if (owners[at] == gap) continue;
      std::vector<Dash>& dashes = paths[{row, static_cast<Tone>(owners[at])}].dashes;
      const std::int64_t from = origin + static_cast<std::int64_t>(at);
      if (!dashes.empty() && dashes.back().to == from) {
        ++dashes.back().to;
      } else {
        dashes.push_back({from, from + 1});
      }
    }
  }
  std::vector<GanttPath> result;
  for (auto& [key, path] : paths) {
    if (path.dashes.empty()) path.dashes.push_back({first.at(key), first.at(key) + 1});
    result.push_back(std::move(path));
  }
  return result;
}

}  // namespace ringsim::reports
