#include "reports/charts/svg.hpp"
#include "reports/suite_charts.hpp"
#include "reports/suite_report.hpp"

namespace ringsim::reports {

std::string render_suite_svg(const calibrate::SuiteResult& result) {
  return svg_file(suite_scatter(result), {"accuracy", 720});
}

}  // namespace ringsim::reports
