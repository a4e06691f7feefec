#include "reports/html/interactive.hpp"

#include "reports/charts/vega_lite.hpp"
#include "reports/html/interactive_parts.hpp"

#include <stdexcept>
#include <string_view>

namespace ringsim::reports {
namespace {

/// Beyond so many spans a drawing of one element a span is slow to open and to move.
constexpr std::size_t most_spans_as_elements = 5000;

const InteractiveParts& parts_or_throw() {
  const InteractiveParts* parts = interactive_parts();
  if (!parts) throw std::logic_error("interactive charts are not built into this program");
  return *parts;
}

void replace_each(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

/// Inside <script> an HTML parser looks for these three. In a bundle they can stand in strings and regular expressions only, where \x3C is
/// the same letter.
std::string script(std::string_view source) {
  std::string text(source);
  for (const std::string_view tag : {"</script", "<script", "<!--", "</SCRIPT", "<SCRIPT"}) {
    replace_each(text, tag, "\\x3C" + std::string(tag.substr(1)));
  }
  return "<script>" + text + "</script>\n";
}

}  // namespace

bool interactive_available() { return interactive_parts() != nullptr; }

std::string interactive_versions() {
  const InteractiveParts* parts = interactive_parts();
  return parts ? std::string(parts->versions) : std::string();
}

std::string interactive_missing() {
  return "interactive charts are not built into this program: it was built without its node packages. "
         "./dev setup installs them, ./dev build takes them in; without --interactive the charts of a report are "
         "static";
}

std::string interactive_head() {
  const InteractiveParts& parts = parts_or_throw();
  std::string text = "<style>" + std::string(parts.style) + "</style>\n";
  text += script("/*! " + std::string(parts.versions) + "\n\n" + std::string(parts.notices) + "*/\n");
  for (const std::string_view bundle : {parts.vega, parts.vega_lite, parts.vega_embed, parts.bootstrap})
    text += script(bundle);
  return text;
}

std::string interactive_figure(const std::string& id, const Chart& chart) {
  (void)parts_or_throw();
  const GanttChart* timeline = std::get_if<GanttChart>(&chart);
  const std::string renderer = timeline && timeline->spans.size() > most_spans_as_elements ? "canvas" : "svg";
  std::string json = vega_lite(chart).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  // In JSON "<" stands in strings only.
  replace_each(json, "<", "\\u003c");
  return "<div class=\"vega-view\" id=\"" + id +
         "-view\"></div>\n<script type=\"application/json\" class=\"vega-lite\" data-view=\"" + id +
         "-view\" data-renderer=\"" + renderer + "\">" + json + "</script>\n";
}

}  // namespace ringsim::reports
