#include "cli/suite.hpp"

#include "calibrate/suite/committed.hpp"
#include "calibrate/suite/suite.hpp"
#include "cli/failures.hpp"
#include "cli/output.hpp"
#include "cli/scenario_options.hpp"
#include "reports/html/suite_page.hpp"
#include "reports/suite_report.hpp"
#include "scenarios/published.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

namespace ringsim::cli {
namespace {

calibrate::SuiteInput input_of(std::string_view name, const std::vector<std::string>& sets) {
  const auto source = std::make_shared<const scenarios::PublishedSource>(scenarios::read_published(name));
  calibrate::SuiteInput input{source->about, calibrate::read_suite_rows(source->rows_file, source->rows), {}};
  calibrate::check_all_rows(input.about, input.rows, source->rows_file);
  input.scenario = [source, sets](const calibrate::SuiteRow& row) {
    std::vector<std::string> all = row.sets;
    all.insert(all.end(), sets.begin(), sets.end());
    return scenarios::published_scenario(*source, row.id, all);
  };
  return input;
}

void hold_against(const calibrate::SuiteResult& result, const std::string& file) {
  const std::vector<calibrate::GrownMedian> grown =
      calibrate::grown_medians(result, calibrate::read_medians(load_file(file), file));
  if (grown.empty()) return;
  std::string text;
  for (const calibrate::GrownMedian& set : grown) {
    text += fmt::format("{}{}: {:.2f} % instead of {:.2f} %", text.empty() ? "" : "; ", set.name, 100 * set.now,
                        100 * set.committed);
  }
  throw OutsideTolerance(fmt::format("the median error has grown by more than {:g} percentage point of {}",
                                     100 * calibrate::allowed_growth, text));
}

}  // namespace

void run_published_suite(const SuiteOptions& options, const Program& program) {
  std::vector<std::string> names = options.names;
  if (names.empty()) {
    for (const std::string_view name : scenarios::published_names()) names.emplace_back(name);
  }
  std::vector<calibrate::SuiteInput> inputs;
  for (const std::string& name : names) inputs.push_back(input_of(name, options.sets));
  std::optional<ResultFile> medians;
  if (!options.medians.empty()) medians.emplace(options.medians);
  std::optional<ResultFile> plot;
  if (!options.plot.empty()) plot.emplace(options.plot);
  ReportFile page(options.report, "");
  const calibrate::SuiteResult result = calibrate::run_suite(inputs);
  if (page) page.write(reports::suite_html(result, origin_of(program, options.report)));

  if (options.format == "json") {
    write_results(reports::render_suite_json(result));
  } else if (options.format == "csv") {
    write_results(reports::render_suite_csv(result));
  } else if (options.format == "markdown") {
    write_results(reports::render_suite_markdown(result));
  } else {
    write_results(reports::render_suite_text(result, options.rows, reports::style_of(program.color, stdout)));
  }
  const auto finish = [](std::optional<ResultFile>& file, const std::string& text) {
    if (!file) return;
    file->stream() << text;
    file->close();
  };
  finish(medians, calibrate::medians_json(result));
  finish(plot, reports::render_suite_svg(result));
  if (!options.against.empty()) hold_against(result, options.against);
}

}  // namespace ringsim::cli
