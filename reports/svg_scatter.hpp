#pragma once
// A scatter plot as a self-contained SVG, both axes logarithmic, with the diagonal and a band around it: predicted against
// measured. Readable on light and on dark pages; series differ in colour and in mark, so that colours need not be told apart
// (palette: Paul Tol, "Colour Schemes", SRON/EPS/TN/09-002, bright and vibrant).

#include <string>
#include <utility>
#include <vector>

namespace ringsim::reports {

struct ScatterSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  // (x, y), both above 0
};

struct Scatter {
  std::string title;    // for those who cannot see it
  std::string x_label;  // with the unit
  std::string y_label;
  double band = 0.1;  // y within (1 ± band) · x; 0: none
  std::vector<ScatterSeries> series;
};

/// The same text for the same plot, whatever the machine: coordinates are rounded to a tenth of a pixel.
[[nodiscard]] std::string render_svg(const Scatter& plot);

}  // namespace ringsim::reports
