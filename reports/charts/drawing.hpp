#pragma once
// An SVG picture that grows from the top: elements are added, the height is known at the end. Coordinates are rounded to a tenth of a
// pixel, text is escaped here and nowhere else.

#include "reports/charts/chart.hpp"

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace ringsim::reports {

/// "12.3", "12", "0": tenths of a pixel.
[[nodiscard]] std::string px(double value);

enum class Anchor { start, middle, end };

struct TextLook {
  Anchor anchor = Anchor::start;
  std::string_view classes{};
  double turn = 0;  // [degrees], clockwise about the text's point
};

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
  [[nodiscard]] bool meets(const Box& other) const {
    return x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height;
  }
};

class Drawing {
 public:
  /// What is drawn begins at `top`.
  Drawing(std::string id, double width, double top) : id_(std::move(id)), width_(width), top_(top) {}

  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double top() const { return top_; }
  [[nodiscard]] const std::string& id() const { return id_; }

  /// A group that says nothing to those who cannot see it.
  void open_decoration(std::string_view classes);
  void open(std::string_view attributes);
  void close();

  /// `look` is attributes: 'class="mark" fill="..."', from fills.hpp. `tip` becomes a <title>, where it is not empty.
  void rect(const Box& box, std::string_view look, std::string_view tip = {});
  void path(std::string_view commands, std::string_view look, std::string_view tip = {});
  void text(double x, double y, std::string_view words, const TextLook& look = {});

  /// Attributes that fill with a tone: its colour, or its pattern where it has one. What is no mark of the chart has other classes.
  [[nodiscard]] std::string fill_of(Tone tone, std::string_view classes = "mark");
  /// The same for a stroke as thick as an area.
  [[nodiscard]] std::string stroke_of(Tone tone, std::string_view classes = "mark");
  /// Elements that stand in <defs>, such as clip paths.
  void define(const std::string& element) { definitions_ += element; }

  /// The whole picture; `style` is CSS of its own where it stands in no page, and then it has a ground.
  [[nodiscard]] std::string finish(const ChartWords& words, double height, std::string_view style) const;

 private:
  std::string look_of(Tone tone, std::string_view classes, char kind);

  std::string id_;
  double width_;
  double top_;
  std::string body_;
  std::string definitions_;
  std::set<Tone> patterns_;
};

}  // namespace ringsim::reports
