#pragma once
// Many spans as few paths: a row's spans of one tone are a dashed line as thick as the row, its dashes in whole tenths of a pixel. Each tenth
// has one tone. Where it holds spans of several, or a part of one, tenths go to tones and to gaps in turn, so that over a stretch each has
// its share of the time (error diffusion in one dimension: R. W. Floyd and L. Steinberg, "An Adaptive Algorithm for Spatial Greyscale",
// Proc. SID 17(2), 1976). A span after a gap is always to be seen, and so is each tone that a row has.

#include "reports/charts/axes.hpp"
#include "reports/charts/chart.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::reports {

struct Dash {
  std::int64_t from = 0, to = 0;  // [0.1 px], to > from
};

struct GanttPath {
  std::size_t row = 0;
  Tone tone = Tone::attention;
  std::int64_t spans = 0;      // that it stands for
  std::vector<Dash> dashes{};  // by start, apart from each other

  /// "M12.3 40h4.5m.8 0h2": at height `y`.
  [[nodiscard]] std::string commands(double y) const;
};

/// By row, then by tone.
[[nodiscard]] std::vector<GanttPath> gantt_paths(const GanttChart& chart, const PlotScale& x);

}  // namespace ringsim::reports
