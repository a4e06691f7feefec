#pragma once
// Two scenarios side by side, A and B, and what their difference comes from; a writer for each format.

#include "models/changed_input.hpp"
#include "models/scenario.hpp"
#include "reports/style.hpp"
#include "sim/attribution.hpp"
#include "sim/prediction.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ringsim::reports {

struct ComparedSide {
  std::string file;               // as given on the command line
  std::vector<std::string> sets;  // of this side
  Scenario scenario;
  sim::Prediction prediction;
};

struct ScenarioComparison {
  ComparedSide a, b;
  std::vector<ChangedInput> inputs;        // empty: the same
  std::optional<sim::Attribution> time;    // of the headline [s]; its changes are numbers of inputs
  std::optional<sim::Attribution> memory;  // of a GPU [B], with the same parts
  std::string not_explained;               // why there is no attribution
  std::vector<std::string> notes;
};

[[nodiscard]] std::string render_text(const ScenarioComparison& comparison, const Style& style);
[[nodiscard]] std::string render_json(const ScenarioComparison& comparison);
[[nodiscard]] std::string render_csv(const ScenarioComparison& comparison);
[[nodiscard]] std::string render_markdown(const ScenarioComparison& comparison);

}  // namespace ringsim::reports
