#pragma once
// The page of `run`: the answer, what it waits for, where time and memory go, what other sizes and networks would do, and everything that
// it rests on.

#include "models/scenario.hpp"
#include "reports/html/page.hpp"
#include "reports/html/scenario_section.hpp"
#include "sim/curves/bandwidth.hpp"
#include "sim/curves/scaling.hpp"
#include "sim/prediction.hpp"
#include "sim/spans.hpp"
#include "sim/timeline_window.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ringsim::reports {

/// Parts of the run that a page draws, and what they are called: how it begins, and what each pass looks like once it has settled.
struct NamedWindow {
  std::string name;
  sim::TimelineWindow window;
};
[[nodiscard]] std::vector<NamedWindow> page_windows(const Scenario& scenario);

struct NamedTimeline {
  std::string name;
  sim::Timeline timeline;
};

struct RunPage {
  const sim::Prediction& prediction;
  const Scenario& scenario;
  std::vector<NamedTimeline> timelines;
  std::optional<sim::ScalingCurve> scaling{};
  std::optional<sim::BandwidthCurve> bandwidth{};
};

[[nodiscard]] HtmlPage run_page(const RunPage& run, const PageOrigin& origin);

}  // namespace ringsim::reports
