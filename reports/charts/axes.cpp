#include "reports/charts/axes.hpp"

#include "reports/charts/fills.hpp"
#include "reports/charts/text_widths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::reports {

PlotScale::PlotScale(Scale kind, double low, double high, double from, double to)
    : kind_(kind), low_(low), high_(high), from_(from), to_(to) {}

double PlotScale::at(double value) const {
  if (!(high_ > low_)) return (from_ + to_) / 2;
  const double part =
      kind_ == Scale::linear ? (value - low_) / (high_ - low_) : std::log(value / low_) / std::log(high_ / low_);
  return from_ + part * (to_ - from_);
}

std::vector<Tick> ticks_side_by_side(const PlotScale& x, double room,
                                     const std::function<std::vector<Tick>(std::size_t)>& ticks) {
  constexpr double apart = 10, least_pitch = 36;
  std::vector<Tick> result;
  for (auto most = static_cast<std::size_t>(std::max(2.0, room / least_pitch)); most >= 2; --most) {
    result = ticks(most);
    bool fit = true;
    for (std::size_t i = 1; i < result.size() && fit; ++i) {
      const double widths = (text_width(result[i - 1].text) + text_width(result[i].text)) / 2;
      fit = x.at(result[i].value) - x.at(result[i - 1].value) >= widths + apart;
    }
    if (fit) break;
  }
  return result;
}

double draw_x_axis(Drawing& drawing, const PlotScale& x, const std::vector<Tick>& ticks, const Box& plot,
                   std::string_view name) {
  const double bottom = plot.y + plot.height;
  drawing.open_decoration("axis");
  std::string lines;
  for (const Tick& tick : ticks)
    lines += fmt::format("M{} {}v{}", px(x.at(tick.value)), px(plot.y), px(plot.height + 4));
  if (!lines.empty()) drawing.path(lines, "class=\"grid\"");
  drawing.path(fmt::format("M{} {}h{}", px(plot.x), px(bottom), px(plot.width)), "class=\"frame\"");
  for (const Tick& tick : ticks) {
    drawing.text(x.at(tick.value), bottom + 16, tick.text, {.anchor = Anchor::middle, .classes = "quiet"});
  }
  drawing.close();
  const double half = text_width(name) / 2;
  const double middle = std::clamp(plot.x + plot.width / 2, std::min(half, drawing.width() / 2),
                                   std::max(drawing.width() - half, drawing.width() / 2));
  drawing.text(middle, bottom + 34, shortened(name, drawing.width()), {.anchor = Anchor::middle});
  return bottom + 42;
}

void draw_y_axis(Drawing& drawing, const PlotScale& y, const std::vector<Tick>& ticks, const Box& plot) {
  drawing.open_decoration("axis");
  std::string lines;
  for (const Tick& tick : ticks) lines += fmt::format("M{} {}h{}", px(plot.x), px(y.at(tick.value)), px(plot.width));
  if (!lines.empty()) drawing.path(lines, "class=\"grid\"");
  for (const Tick& tick : ticks) {
    drawing.text(plot.x - 7, y.at(tick.value) + 4, tick.text, {.anchor = Anchor::end, .classes = "quiet"});
  }
  drawing.path(fmt::format("M{} {}v{}", px(plot.x), px(plot.y), px(plot.height)), "class=\"frame\"");
  drawing.close();
}

std::size_t place_in_lanes(std::vector<LaneLabel>& labels, double left, double right) {
  constexpr double gap = 10, beside = 4;
  std::ranges::stable_sort(labels, std::greater<>(), &LaneLabel::x);
  const auto end_of = [](const LaneLabel& label) { return label.left + text_width(label.text); };
  const auto covers = [&](const LaneLabel& label, const LaneLabel& other) {
    return other.x > label.left - 3 && other.x < end_of(label) + 3;
  };
  // To the right of their lines; from the right end on, to the left, and so those that would then cross one another.
  bool leftwards = false;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    LaneLabel& label = labels[i];
    label.text = shortened(label.text, right - left);
    const double width = text_width(label.text);
    label.left = label.x + beside;
    const bool crosses = leftwards && i > 0 && covers(label, labels[i - 1]);
    leftwards = (label.x + beside + width > right || crosses) && label.x - beside - width >= left;
    if (leftwards) label.left = label.x - beside - width;
    label.left = std::clamp(label.left, left, std::max(left, right - width));
    label.lane = 0;
  }
  // A label stands above the lines that it stretches over, and not on another one.
  bool moved = true;
  for (std::size_t round = 0; moved && round < labels.size() + 1; ++round) {
    moved = false;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      for (std::size_t k = 0; k < labels.size(); ++k) {
        if (i == k) continue;
        LaneLabel& label = labels[i];
        const LaneLabel& other = labels[k];
        const bool meets = label.left < end_of(other) + gap && other.left < end_of(label) + gap;
        const bool below = covers(label, other) && label.lane <= other.lane;
        if (below || (meets && label.lane == other.lane && (i > k || covers(label, other)))) {
          label.lane = other.lane + 1;
          moved = true;
        }
      }
    }
  }
  std::size_t lanes = 0;
  for (const LaneLabel& label : labels) lanes = std::max(lanes, label.lane + 1);
  return lanes;
}

void draw_lanes(Drawing& drawing, const std::vector<LaneLabel>& labels, const Box& plot) {
  for (const LaneLabel& label : labels) {
    const double top = plot.y - lane_height * static_cast<double>(label.lane) - 13;
    drawing.path(fmt::format("M{} {}V{}", px(label.x), px(top), px(plot.y + plot.height)),
                 plain_stroke(label.tone, "mark") + " stroke-width=\"1.5\"", label.text);
  }
  for (const LaneLabel& label : labels) {
    drawing.text(label.left, plot.y - lane_height * static_cast<double>(label.lane) - 4, label.text,
                 {.classes = "halo"});
  }
}

double draw_nothing(Drawing& drawing, double top) {
  drawing.rect({0.5, top + 0.5, drawing.width() - 1, 59}, "class=\"frame\"");
  drawing.text(drawing.width() / 2, top + 34, "Nothing to show.", {.anchor = Anchor::middle, .classes = "quiet"});
  return top + 60;
}

}  // namespace ringsim::reports
