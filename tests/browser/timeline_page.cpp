// A page with one timeline, larger than a run draws by itself: ringsim-timeline-page SPANS [--interactive]
#include "reports/html/page.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>

namespace {

using namespace ringsim::reports;

/// `count` spans on 32 ranks with two streams each: kernels of three kinds beside hops, with gaps.
GanttChart timeline(std::size_t count) {
  GanttChart chart{.words = {"Many spans", "Kernels and hops of 32 ranks."}, .rows = {}, .spans = {}, .key = {}};
  chart.key = {{Tone::attention, "attention"}, {Tone::merge, "merge"}, {Tone::dense, "dense"}, {Tone::transfer, "hop"}};
  constexpr std::size_t rows = 64;
  for (std::size_t row = 0; row < rows; ++row) {
    chart.rows.push_back({"rank " + std::to_string(row / 2), row % 2 == 0 ? "compute" : "send"});
  }
  std::size_t left = count;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t here = left / (rows - row);
    left -= here;
    double now_s = 0;
    for (std::size_t i = 0; i < here; ++i) {
      const double length_s = 1e-6 * static_cast<double>(50 + (i * 37 + row * 11) % 100);
      const Tone tone = row % 2 == 1 ? Tone::transfer
                        : i % 5 == 4 ? Tone::dense
                        : i % 5 == 3 ? Tone::merge
                                     : Tone::attention;
      chart.spans.push_back(
          {row, now_s, now_s + length_s, tone, "step " + std::to_string(i % 32) + ", layer " + std::to_string(i / 32)});
      now_s += length_s + 2e-6;
    }
    chart.end_s = std::max(chart.end_s, now_s);
  }
  return chart;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  HtmlPage page;
  page.title = "A large timeline";
  page.kind = "Test";
  page.answer = "A timeline of " + std::string(argv[1]) + " spans.";
  page.result_json = "{}";
  page.made_by = "ringsim-timeline-page";
  page.interactive = argc > 2 && std::string(argv[2]) == "--interactive";
  page.sections.push_back(
      {"timeline", "Timeline", "", {Figure{"spans", timeline(std::strtoul(argv[1], nullptr, 10))}}});
  std::cout << render_html(page);
}
