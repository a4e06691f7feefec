#include "reports/text_gantt.hpp"

#include "reports/display.hpp"
#include "reports/humanise.hpp"
#include "reports/table.hpp"
#include "reports/text_layout.hpp"
#include "reports/text_raster.hpp"
#include "reports/trace_threads.hpp"
#include "reports/window_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

namespace ringsim::reports {
namespace {

using sim::SpanKind;

/// How operations of a kind are drawn.
struct Sign {
  std::string_view letter;
  std::string_view block;
  std::string_view meaning;
  int color;  // SGR parameter
};

constexpr std::array<Sign, 6> signs = {{{"A", "█", "attention", 34},
                                        {"B", "█", "attention backward", 34},
                                        {"M", "▓", "merge", 36},
                                        {"D", "▒", "dense work", 32},
                                        {"C", "░", "collective or send", 35},
                                        {"S", "━", "hop", 33}}};

std::size_t sign_of(const sim::Span& span) {
  switch (span.kind) {
    case SpanKind::attention:
      return span.name.ends_with("backward") ? 1 : 0;
    case SpanKind::merge:
      return 2;
    case SpanKind::dense:
      return 3;
    case SpanKind::collective:
      return 4;
    case SpanKind::transfer:
      break;
  }
  return 5;
}

struct Unit {
  const char* name;
  double seconds;
};

/// Ticks on round times, each with its number, behind their unit.
std::string axis(double total_s, std::size_t labels, std::size_t columns) {
  constexpr std::array<Unit, 4> units = {{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}};
  const Unit unit =
      *std::find_if(units.begin(), units.end() - 1, [&](const Unit& u) { return total_s >= 2 * u.seconds; });
  const double all = total_s / unit.seconds;
  constexpr double ticks = 6;
  const double magnitude = std::pow(10.0, std::floor(std::log10(all / ticks)));
  double step = magnitude;
  for (const double factor : {2.0, 5.0, 10.0}) {
    if (all / step > ticks) step = factor * magnitude;
  }
  std::string line;
  for (int i = 0; i * step <= all; ++i) {
    const auto column = static_cast<std::size_t>(i * step / all * static_cast<double>(columns));
    const std::string label = fmt::format("{:.6g}", i * step);
    if (column < line.size() || column + label.size() > columns) continue;
    line += std::string(column - line.size(), ' ') + label + " ";
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return pad_left(unit.name, labels - 2) + "  " + line;
}

/// "rank 3"; of a pipeline with its stage.
std::string rank_label(const sim::Timeline& timeline, std::int64_t rank) {
  const bool stages = timeline.of.stages > 1 && timeline.ranks > 0;
  return stages ? fmt::format("rank {} (stage {})", rank, rank / timeline.ranks) : fmt::format("rank {}", rank);
}

std::string line_of(const RasterRow& row, const Style& style) {
  std::string line;
  std::string run;  // of one colour
  int color = 0;
  const auto flush = [&](int next) {
    line += color == 0 ? run : style.colored(color, run);
    run.clear();
    color = next;
  };
  for (const RasterCell& cell : row.cells) {
    const Sign* sign = cell.span == nullptr ? nullptr : &signs[sign_of(*cell.span)];
    const int wanted = sign == nullptr ? 0 : sign->color;
    if (wanted != color) flush(wanted);
    if (sign == nullptr) {
      run += ' ';
    } else if (cell.begins) {
      run += sign->letter;
    } else {
      const bool posted = cell.span->kind == SpanKind::transfer && !cell.in_flight;
      run += posted ? std::string_view("┄") : sign->block;
    }
  }
  flush(0);
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string legend(const TextRaster& raster, const Style& style) {
  std::set<std::size_t> used;
  bool posted = false;
  for (const RasterRow& row : raster.rows) {
    for (const RasterCell& cell : row.cells) {
      if (cell.span == nullptr) continue;
      used.insert(sign_of(*cell.span));
      posted = posted || (cell.span->kind == SpanKind::transfer && !cell.in_flight && !cell.begins);
    }
  }
  std::string line;
  for (const std::size_t i : used) {
    if (!line.empty()) line += "   ";
    line += style.colored(signs[i].color, std::string(signs[i].letter) + std::string(signs[i].block)) + " " +
            std::string(signs[i].meaning);
  }
  if (posted) line += "   " + style.colored(signs.back().color, "┄") + " posted, not in flight";
  return line;
}

std::string note(const TextRaster& raster) {
  std::string text = fmt::format("Time 0 is {} after the start. A column is {} and shows what takes most of it",
                                 human_time(raster.start_s), human_time(raster.column_s));
  if (raster.start_s == 0) text.erase(0, text.find("A column"));
  if (raster.hidden > 0) {
    text += fmt::format("; {} {} too short to be seen", human_count(raster.hidden),
                        raster.hidden == 1 ? "operation is" : "operations are");
  }
  text += '.';
  if (raster.ranks_left_out > 0) {
    text += fmt::format(" {} further {} of the window {} left out.", human_count(raster.ranks_left_out),
                        raster.ranks_left_out == 1 ? "rank" : "ranks", raster.ranks_left_out == 1 ? "is" : "are");
  }
  return text;
}

std::string lines_of(const sim::Timeline& timeline, const Style& style, const TextGanttSize& size) {
  if (timeline.spans.empty()) return "Nothing of the run lies in it.\n";
  std::size_t ranks = 0;
  std::size_t streams = 0;
  const std::vector<int> threads = threads_of(timeline.spans);
  for (std::size_t i = 0; i < timeline.spans.size(); ++i) {
    ranks = std::max(ranks, rank_label(timeline, timeline.spans[i].rank).size());
    streams = std::max(streams, name_of_thread(threads[i]).size());
  }
  const std::size_t labels = ranks + 2 + streams + 2;
  const std::size_t columns = size.width > labels + 20 ? size.width - labels : 20;
  const TextRaster raster = text_raster(timeline, columns, size.ranks);
  if (raster.rows.empty()) return "All of its operations take no time.\n";
  std::string text;
  std::int64_t before = -1;
  for (const RasterRow& row : raster.rows) {
    const std::string rank = row.rank == before ? "" : rank_label(timeline, row.rank);
    before = row.rank;
    text +=
        pad_right(rank, ranks) + "  " + style.dim(pad_right(row.thread, streams)) + "  " + line_of(row, style) + "\n";
  }
  text += style.dim(axis(raster.column_s * static_cast<double>(columns), labels, columns)) + "\n";
  text += legend(raster, style) + "\n";
  return text + wrap(note(raster), size.width, 0) + "\n";
}

}  // namespace

std::string text_gantt(const sim::Timeline& timeline, const std::string& title, const Style& style,
                       const TextGanttSize& size) {
  const std::string window = window_text(timeline);
  const bool fits = title.size() + window.size() + 3 <= size.width;
  return heading(title, fits ? window : "", style) + (fits ? "" : paragraph(window + ".", 0)) +
         lines_of(timeline, style, size);
}

std::string markdown_gantt(const sim::Timeline& timeline, const std::string& title, const TextGanttSize& size) {
  return markdown_section(title + ": " + window_text(timeline)) + "```text\n" + lines_of(timeline, {}, size) + "```\n";
}

}  // namespace ringsim::reports
