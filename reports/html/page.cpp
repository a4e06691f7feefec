#include "reports/html/page.hpp"

#include "reports/charts/chart_table.hpp"
#include "reports/charts/svg.hpp"
#include "reports/display.hpp"
#include "reports/html/interactive.hpp"
#include "reports/html/page_style.hpp"
#include "reports/humanise.hpp"
#include "reports/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace ringsim::reports {
namespace {

constexpr double wide_px = 900, narrow_px = 340;

std::string text_of(std::string_view text) { return escape_markup(printable(text)); }

/// JSON may stand in a script element once no "<" is in it; there is one only in strings, where this is the same character.
std::string json_in_script(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

std::string data(double value, std::string_view text) {
  return fmt::format("<data value=\"{}\">{}</data>", exact(value), text_of(text));
}

/// Reports in text indent what is part of the row above by two spaces a level.
std::string_view indent_class(std::string_view text) {
  const std::size_t spaces = std::min(text.find_first_not_of(' '), text.size());
  return spaces >= 4 ? " class=\"in2\"" : spaces >= 2 ? " class=\"in1\"" : "";
}

// A row begins with what it is about.
std::string cell(bool head, bool column, std::string_view align, const std::string& content) {
  if (!head) return fmt::format("<td{}>{}</td>", align, content);
  return fmt::format("<th scope=\"{}\"{}>{}</th>", column ? "col" : "row", align, content);
}

std::string grid_html(const Grid& grid) {
  std::string text = "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"table\"><table>\n";
  const auto align = [&](std::size_t i) {
    return std::string_view(grid.columns[i].align == Align::right && i > 0 ? " class=\"right\"" : "");
  };
  bool headers = false;
  for (const Column& column : grid.columns) headers = headers || !column.header.empty();
  if (headers) {
    text += "<thead><tr>";
    for (std::size_t i = 0; i < grid.columns.size(); ++i) {
      // A column of remarks has no name: an empty header cell would be announced as one.
      text +=
          grid.columns[i].header.empty() ? "<td></td>" : cell(true, true, align(i), text_of(grid.columns[i].header));
    }
    text += "</tr></thead>\n";
  }
  text += "<tbody>\n";
  for (const auto& row : grid.rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < grid.columns.size(); ++i) {
      const std::string content = i < row.size() ? row[i] : "";
      text += cell(i == 0, false, i == 0 ? indent_class(content) : align(i), text_of(content));
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string chart_table_html(const ChartTable& table, const std::string& title) {
  std::string text = fmt::format(
      "<details><summary>Values</summary>\n<div class=\"scroll tall\" tabindex=\"0\" role=\"group\" "
      "aria-label=\"{}: values\"><table>\n<thead><tr>",
      text_of(title));
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    text += cell(true, true, i > 0 ? " class=\"right\"" : "", text_of(table.header[i]));
  }
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const ChartCell& c = row[i];
      text += cell(i == 0, false, i > 0 && c.value ? " class=\"right\"" : "",
                   (c.value ? data(*c.value, c.text) : text_of(c.text)) + text_of(c.remark));
    }
    text += "</tr>\n";
  }
  text += "</tbody></table></div>\n";
  if (!table.left_out.empty()) text += "<p>" + text_of(table.left_out) + "</p>\n";
  return text + "</details>\n";
}

std::string figure_html(const Figure& figure, bool interactive) {
  const ChartWords& words = words_of(figure.chart);
  std::string text =
      fmt::format("<figure class=\"chart\" id=\"{}\">\n<figcaption>{}</figcaption>\n", figure.id, text_of(words.title));
  if (interactive) text += interactive_figure(figure.id, figure.chart);
  text += fmt::format("<div class=\"wide\">{}</div>\n<div class=\"narrow\">{}</div>\n",
                      svg(figure.chart, {figure.id + "-wide", wide_px}),
                      svg(figure.chart, {figure.id + "-narrow", narrow_px}));
  return text + chart_table_html(table_of(figure.chart), words.title) + "</figure>\n";
}

struct BlockWriter {
  bool interactive = false;
  std::string operator()(const Paragraph& p) const { return "<p>" + text_of(p.text) + "</p>\n"; }
  std::string operator()(const Commands& commands) const {
    std::string text = "<pre tabindex=\"0\"><code>";
    for (const std::string& line : commands.lines) text += text_of(line) + "\n";
    return text + "</code></pre>\n";
  }
  std::string operator()(const Bullets& bullets) const {
    std::string text = "<ul class=\"warnings\">\n";
    for (const std::string& item : bullets.items) text += "<li>" + text_of(item) + "</li>\n";
    return text + "</ul>\n";
  }
  std::string operator()(const Fields& fields) const {
    std::string text = "<dl class=\"fields\">\n";
    for (const auto& [label, value] : fields) {
      text += fmt::format("<dt{}>{}</dt><dd>{}</dd>\n", indent_class(label), text_of(label), text_of(value));
    }
    return text + "</dl>\n";
  }
  std::string operator()(const Grid& grid) const { return grid_html(grid); }
  std::string operator()(const Figure& figure) const { return figure_html(figure, interactive); }
};

std::string section_html(const HtmlSection& section, bool interactive) {
  std::string text =
      fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}{2}</h2>\n", section.id, text_of(section.title),
                  section.note.empty() ? "" : " <small>" + text_of(section.note) + "</small>");
  if (!section.fold.empty()) text += "<details><summary>" + text_of(section.fold) + "</summary>\n";
  for (const Block& block : section.blocks) text += std::visit(BlockWriter{interactive}, block);
  if (!section.fold.empty()) text += "</details>\n";
  return text + "</section>\n";
}

std::string header_html(const HtmlPage& page) {
  std::string text = fmt::format("<header>\n<p class=\"kind\">{}</p>\n<h1>{}</h1>\n<p class=\"answer\">{}</p>\n",
                                 text_of(page.kind), text_of(page.title), text_of(page.answer));
  if (!page.verdicts.empty()) {
    text += "<ul class=\"verdicts\">\n";
    for (const Verdict& verdict : page.verdicts) {
      text += fmt::format("<li class=\"{}\">{}</li>\n", verdict.good ? "good" : "bad", text_of(verdict.text));
    }
    text += "</ul>\n";
  }
  if (!page.figures.empty()) {
    text += "<dl class=\"figures\">\n";
    for (const KeyFigure& figure : page.figures) {
      text += fmt::format("<div><dt>{}</dt><dd><data data-key=\"{}\" value=\"{}\">{}</data>{}</dd></div>\n",
                          text_of(figure.label), text_of(figure.key), exact(figure.value), text_of(figure.text),
                          figure.note.empty() ? "" : "<small>" + text_of(figure.note) + "</small>");
    }
    text += "</dl>\n";
  }
  if (page.sections.size() > 2) {
    text += "<nav aria-label=\"Sections\"><ul>\n";
    for (const HtmlSection& section : page.sections) {
      text += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, text_of(section.title));
    }
    text += "</ul></nav>\n";
  }
  return text + "</header>\n";
}

}  // namespace

std::string render_html(const HtmlPage& page) {
  if (page.interactive && !interactive_available()) throw std::logic_error("render_html: no interactive charts here");
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n"
      "<meta name=\"generator\" content=\"{}\">\n<style>{}{}</style>\n",
      text_of(page.title + " - " + page.kind), text_of(page.made_by), page_style(), chart_style());
  if (page.interactive) text += interactive_head();
  text += "</head>\n<body>\n" + header_html(page) + "<main>\n";
  for (const HtmlSection& section : page.sections) text += section_html(section, page.interactive);
  text += fmt::format("</main>\n<footer>\n<p>Made by {} with</p>\n{}</footer>\n", text_of(page.made_by),
                      BlockWriter{}(Commands{{page.command}}));
  text +=
      fmt::format("<script type=\"application/json\" id=\"result\">{}</script>\n", json_in_script(page.result_json));
  return text + "</body>\n</html>\n";
}

void add_section(HtmlPage& page, HtmlSection section) {
  if (!section.blocks.empty()) page.sections.push_back(std::move(section));
}

HtmlSection warnings_of(const std::vector<std::string>& warnings) {
  HtmlSection section{"warnings", "Warnings", "", {}};
  if (!warnings.empty()) section.blocks.emplace_back(Bullets{warnings});
  return section;
}

}  // namespace ringsim::reports
