#pragma once
// `size`: the plans that a search found, as text, JSON, CSV or Markdown. Text and Markdown lay out the same sections.

#include "models/scenario.hpp"
#include "reports/answer_page.hpp"
#include "reports/style.hpp"
#include "sim/planner/neighbours.hpp"
#include "sim/planner/search.hpp"

#include <string>
#include <vector>

namespace ringsim::reports {

struct SizeReport {
  const Scenario& scenario;  // as read, with the context that was asked for
  const sim::SearchOptions& options;
  const sim::SearchResult& result;
  std::vector<sim::Neighbour> neighbours;  // of the best plan
  std::string path;                        // of the scenario
  std::vector<std::string> sets;           // --set options of the caller, which a plan's own follow
};

/// The answer in a sentence.
[[nodiscard]] std::string size_answer(const SizeReport& report);
/// With the sections that text and Markdown lay out.
[[nodiscard]] AnswerPage size_page(const SizeReport& report);
/// What to do next: the command that runs the best plan, or what would make one feasible.
[[nodiscard]] std::vector<std::string> size_next(const SizeReport& report);
/// Why a neighbour is not chosen: "needs 95.30 GB of 80.00 GB, most of it activations".
[[nodiscard]] std::string neighbour_reason(const sim::Neighbour& neighbour, const SizeReport& report);
/// "ringsim run PATH --set ...", quoted for a shell.
[[nodiscard]] std::string run_command(const std::string& path, const std::vector<std::string>& sets,
                                      const sim::PlanFigures& plan);

[[nodiscard]] std::string render_size_text(const SizeReport& report, const Style& style);
[[nodiscard]] std::string render_size_json(const SizeReport& report);
[[nodiscard]] std::string render_size_csv(const SizeReport& report);
[[nodiscard]] std::string render_size_markdown(const SizeReport& report);

}  // namespace ringsim::reports
