#pragma once
// Texts beside points, where they hide least: each tries the places around its point, and takes the one that meets no other text and fewest
// marks and lines.

#include "reports/charts/drawing.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringsim::reports {

class LabelPlacer {
 public:
  explicit LabelPlacer(const Box& bounds) : bounds_(bounds) {}

  /// What texts should not hide: points, and stretches of lines between them.
  void avoid_point(double x, double y) { points_.push_back({x, y}); }
  void avoid_line(double x1, double y1, double x2, double y2);
  /// What they must not hide.
  void take(const Box& box) { taken_.push_back(box); }

  /// Draws `text` beside (x, y). Where every place is taken: not at all, unless it `must` be there.
  bool draw(Drawing& drawing, double x, double y, std::string_view text, bool must);

 private:
  struct Spot {
    double x = 0, y = 0;
  };
  Box bounds_;
  std::vector<Spot> points_;
  std::vector<Box> taken_;
};

}  // namespace ringsim::reports
