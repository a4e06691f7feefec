#pragma once
// The sections that a run has beyond a ring of attention: traffic, pipeline, serving, documents, spending. Text and Markdown lay
// out the same ones.

#include "models/scenario.hpp"
#include "reports/table.hpp"
#include "sim/prediction.hpp"

#include <string>
#include <vector>

namespace ringsim::reports {

/// A heading with a note behind it, then what there is of a table and of fields.
struct Section {
  std::string title;
  std::string note;
  Grid grid;
  Fields fields;
};

/// Those that have something to say, in reading order; of a ring of attention alone none.
[[nodiscard]] std::vector<Section> model_sections(const sim::Prediction& prediction, const Scenario& scenario);

}  // namespace ringsim::reports
