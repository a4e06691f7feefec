#pragma once
// `size --solve`: the answers to inverse questions, as text, JSON, CSV or Markdown.

#include "models/scenario.hpp"
#include "reports/answer_page.hpp"
#include "reports/style.hpp"
#include "sim/planner/solve.hpp"

#include <string>
#include <variant>
#include <vector>

namespace ringsim::reports {

struct SolveReport {
  const Scenario& scenario;
  const sim::SolveOptions& options;
  std::variant<sim::BandwidthAnswer, sim::ContextAnswer, sim::RingAnswer, sim::BreakEven> found;
  std::string path;
  std::vector<std::string> sets;  // of the caller
  std::string against;            // break-even: what the second plan is called
};

/// Whether there is a value that holds.
[[nodiscard]] bool solved(const SolveReport& report);

[[nodiscard]] AnswerPage solve_page(const SolveReport& report);

[[nodiscard]] std::string render_solve_text(const SolveReport& report, const Style& style);
[[nodiscard]] std::string render_solve_json(const SolveReport& report);
[[nodiscard]] std::string render_solve_csv(const SolveReport& report);
[[nodiscard]] std::string render_solve_markdown(const SolveReport& report);

}  // namespace ringsim::reports
