#include "reports/charts/drawing.hpp"

#include "reports/charts/fills.hpp"
#include "reports/markup.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ringsim::reports {
namespace {

std::string_view anchor_name(Anchor anchor) { return anchor == Anchor::middle ? "middle" : "end"; }

void finish_element(std::string& body, std::string_view name, std::string_view tip) {
  if (tip.empty()) {
    body += "/>\n";
  } else {
    body += fmt::format("><title>{}</title></{}>\n", escape_markup(tip), name);
  }
}

}  // namespace

std::string px(double value) {
  const double tenths = std::round(value * 10);
  if (tenths == 0) return "0";
  std::string text = fmt::format("{:.1f}", tenths / 10);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

void Drawing::open_decoration(std::string_view classes) {
  body_ += fmt::format("<g class=\"{}\" aria-hidden=\"true\">\n", classes);
}
void Drawing::open(std::string_view attributes) { body_ += fmt::format("<g {}>\n", attributes); }
void Drawing::close() { body_ += "</g>\n"; }

void Drawing::rect(const Box& box, std::string_view look, std::string_view tip) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}", px(box.x), px(box.y), px(box.width),
                       px(box.height), look);
  finish_element(body_, "rect", tip);
}

void Drawing::path(std::string_view commands, std::string_view look, std::string_view tip) {
  body_ += "<path d=\"";
  body_ += commands;
  body_ += fmt::format("\" {}", look);
  finish_element(body_, "path", tip);
}

void Drawing::text(double x, double y, std::string_view words, const TextLook& look) {
  if (words.empty()) return;
  body_ += look.turn == 0 ? fmt::format("<text x=\"{}\" y=\"{}\"", px(x), px(y))
                          : fmt::format("<text transform=\"translate({} {}) rotate({})\"", px(x), px(y), px(look.turn));
  if (look.anchor != Anchor::start) body_ += fmt::format(" text-anchor=\"{}\"", anchor_name(look.anchor));
  if (!look.classes.empty()) body_ += fmt::format(" class=\"{}\"", look.classes);
  body_ += fmt::format(">{}</text>\n", escape_markup(words));
}

std::string Drawing::fill_of(Tone tone, std::string_view classes) { return look_of(tone, classes, 'f'); }
std::string Drawing::stroke_of(Tone tone, std::string_view classes) { return look_of(tone, classes, 's'); }

std::string Drawing::look_of(Tone tone, std::string_view classes, char kind) {
  if (!has_pattern(tone)) return kind == 'f' ? plain_fill(tone, classes) : plain_stroke(tone, classes);
  const std::string_view name = tone_name(tone);
  patterns_.insert(tone);
  const std::string by_class = classes.empty() ? std::string() : fmt::format("class=\"{}\" ", classes);
  return kind == 'f' ? fmt::format("{}fill=\"url(#{}-{})\"", by_class, id_, name)
                     : fmt::format("{}fill=\"none\" stroke=\"url(#{}-{})\"", by_class, id_, name);
}

std::string Drawing::finish(const ChartWords& words, double height, std::string_view style) const {
  std::string text = fmt::format(
      "<svg{5} class=\"chart\" role=\"img\" aria-labelledby=\"{0}-title "
      "{0}-description\" "
      "viewBox=\"0 0 {1} {2}\" width=\"{1}\" height=\"{2}\">\n<title id=\"{0}-title\">{3}</title>\n"
      "<desc id=\"{0}-description\">{4}</desc>\n",
      id_, px(width_), px(std::ceil(height)), escape_markup(words.title), escape_markup(words.description),
      style.empty() ? "" : " xmlns=\"http://www.w3.org/2000/svg\"");
  if (!style.empty()) text += fmt::format("<style>\n{}</style>\n", style);
  std::string definitions = definitions_;
  for (const Tone tone : patterns_) definitions += pattern(id_, tone);
  if (!definitions.empty()) text += fmt::format("<defs>\n{}</defs>\n", definitions);
  if (!style.empty()) text += "<rect width=\"100%\" height=\"100%\" class=\"page\"/>\n";
  return text + body_ + "</svg>\n";
}

}  // namespace ringsim::reports
