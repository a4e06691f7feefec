#pragma once
// Charts as SVG, drawn for a width in CSS pixels. Text is text, lines are crisp, colours are CSS variables that chart_style() sets for light
// and dark pages and for print; nothing in it runs or is fetched.
//
//   <svg role="img" aria-labelledby="ID-title ID-description" viewBox="0 0 WIDTH HEIGHT" class="chart">
//     <title id="ID-title"> <desc id="ID-description"> ...
//
// The title is to be seen in a file of its own only: a page writes it itself. Labels of the lines of bars and of at_y are followed by
// their value. Lines and marks are plain; areas of exposed communication and of bubbles have patterns beside their colour.
// Marks have the class `mark`, so that a page can be asked how many there are.

#include "reports/charts/chart.hpp"

#include <string>

namespace ringsim::reports {

struct SvgOptions {
  std::string id;      // unique in the page; a letter, then letters, digits and "-"
  double width = 720;  // from 320
};

/// To stand in an HTML page that has chart_style() in its <style>. The same text for the same chart, whatever the machine.
[[nodiscard]] std::string svg(const Chart& chart, const SvgOptions& options);

/// A file of its own: with the style in it.
[[nodiscard]] std::string svg_file(const Chart& chart, const SvgOptions& options);

/// CSS of all charts: their colours on light and dark pages and in print.
[[nodiscard]] std::string chart_style();

}  // namespace ringsim::reports
