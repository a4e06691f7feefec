#pragma once
// A report as one HTML file that opens offline: nothing is fetched, and nothing runs unless it is asked to be interactive. Every chart is
// there as a drawing for wide pages, one for narrow pages, and a table of its values behind a fold; the result itself, as `--format json` prints it, lies in
// <script type="application/json" id="result">, which no browser runs.
//
// Pages are data, as text reports are: a page of a command is made in a file of its own (run_page.cpp, ...), written by this one.

#include "reports/charts/chart.hpp"
#include "reports/table.hpp"
#include "reports/verdicts.hpp"

#include <string>
#include <variant>
#include <vector>

namespace ringsim::reports {

/// A number of the result, large at the top of the page: <data data-key="memory.total_bytes" value="24289943552">24.29 GB</data>.
struct KeyFigure {
  std::string label;
  std::string key;  // where the result in JSON has it, by dots
  double value = 0;
  std::string text;  // for people
  std::string note;  // small print; may be empty
};

struct Paragraph {
  std::string text;
};
struct Commands {
  std::vector<std::string> lines;  // for a shell
};
struct Bullets {
  std::vector<std::string> items;
};
struct Figure {
  std::string id;  // unique in the page; a letter, then letters, digits and "-"
  Chart chart;
};
using Block = std::variant<Paragraph, Commands, Bullets, Fields, Grid, Figure>;

struct HtmlSection {
  std::string id;  // of its heading, to link to
  std::string title;
  std::string note;  // beside the title
  std::vector<Block> blocks;
  std::string fold{};  // not empty: the blocks are behind a fold that says this
};

struct HtmlPage {
  std::string title;   // of the scenario, or of what was compared
  std::string kind;    // "Prediction", "Plans", "Sweep", "Predicted against measured"
  std::string answer;  // a sentence
  std::vector<Verdict> verdicts;
  std::vector<KeyFigure> figures;
  std::vector<HtmlSection> sections;
  std::string result_json;  // as `--format json` prints it; a list of lines where the result is rows
  std::string command;      // that made the page, for a shell
  std::string made_by;      // "ringsim 0.1.0 (commit 1234567)"
  bool interactive = false;
};

/// The same text for the same page. Throws std::logic_error for an interactive page where the program cannot write one.
[[nodiscard]] std::string render_html(const HtmlPage& page);

/// A section without blocks is left out: adds it where it has some.
void add_section(HtmlPage& page, HtmlSection section);

/// A section of warnings; none where there are none.
[[nodiscard]] HtmlSection warnings_of(const std::vector<std::string>& warnings);

}  // namespace ringsim::reports
