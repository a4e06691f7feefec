#include "reports/charts/labels.hpp"

#include "reports/charts/text_widths.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace ringsim::reports {

void LabelPlacer::avoid_line(double x1, double y1, double x2, double y2) {
  constexpr double pitch = 6;
  const int parts = std::clamp(static_cast<int>(std::hypot(x2 - x1, y2 - y1) / pitch), 1, 400);
  for (int i = 0; i <= parts; ++i) points_.push_back({x1 + (x2 - x1) * i / parts, y1 + (y2 - y1) * i / parts});
}

bool LabelPlacer::draw(Drawing& drawing, double x, double y, std::string_view text, bool must) {
  constexpr double height = 14, aside = 8, ascent = 11;
  const std::string shown = shortened(text, std::min(170.0, 0.5 * bounds_.width));
  const double width = text_width(shown);
  // Right and left of the point, then above and below it.
  const std::array<Spot, 8> places = {{{x + aside, y - height - 1},
                                       {x + aside, y - height / 2},
                                       {x + aside, y + 2},
                                       {x - aside - width, y - height - 1},
                                       {x - aside - width, y - height / 2},
                                       {x - aside - width, y + 2},
                                       {x - width / 2, y - height - 7},
                                       {x - width / 2, y + 8}}};
  double least = HUGE_VAL;
  Box best;
  bool free = false;
  for (const Spot& place : places) {
    Box box{place.x, place.y, width, height};
    // Within the bounds.
    const double moved_x = std::clamp(box.x, bounds_.x, std::max(bounds_.x, bounds_.x + bounds_.width - width));
    const double moved_y = std::clamp(box.y, bounds_.y, std::max(bounds_.y, bounds_.y + bounds_.height - height));
    double cost = 3 * (std::abs(moved_x - box.x) + std::abs(moved_y - box.y));
    box.x = moved_x;
    box.y = moved_y;
    const auto on_taken = std::ranges::count_if(taken_, [&](const Box& other) { return other.meets(box); });
    cost += 1000.0 * static_cast<double>(on_taken);
    for (const Spot& point : points_) {
      if (box.meets({point.x - 2, point.y - 2, 4, 4})) cost += 10;
    }
    if (cost < least) {
      least = cost;
      best = box;
      free = on_taken == 0;
    }
  }
  if (shown.empty() || (!free && !must)) return false;
  take(best);
  drawing.text(best.x, best.y + ascent, shown, {.classes = "halo"});
  return true;
}

}  // namespace ringsim::reports
