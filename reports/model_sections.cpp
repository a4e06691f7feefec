#include "reports/model_sections.hpp"

#include "reports/beyond_ring.hpp"
#include "reports/humanise.hpp"
#include "reports/serving_parts.hpp"
#include "reports/spending_parts.hpp"
#include "reports/stage_parts.hpp"
#include "reports/traffic_parts.hpp"

#include <fmt/format.h>

#include <utility>

namespace ringsim::reports {

std::vector<Section> model_sections(const sim::Prediction& p, const Scenario& s) {
  std::vector<Section> sections;
  if (!beyond_ring(p, s)) return sections;
  if (!p.traffic.empty()) {
    sections.push_back({"Traffic", "of a rank over the whole run, most bytes first; time hidden or not",
                        traffic_grid(p), traffic_fields(p)});
  }
  if (p.stages > 1) {
    Grid grid = stage_grid(p);
    const bool all = grid.rows.size() == static_cast<std::size_t>(p.stages) || grid.rows.empty();
    const std::string note =
        all ? human_count(p.stages) + " stages, the slowest rank of each"
            : fmt::format("{} of {} stages, the slowest rank of each", grid.rows.size(), human_count(p.stages));
    sections.push_back({"Pipeline", note, std::move(grid), stage_fields(p, s)});
  }
  if (p.serving) sections.push_back({"Serving", "", {}, serving_fields(*p.serving)});
  if (p.documents) sections.push_back({"Documents", "packed into the sequences", {}, document_fields(*p.documents)});
  if (!p.no_b_min.empty() && p.scope == "attention" && p.ring_size > 1) {
    sections.push_back({"B_min", "", {}, {{"does not apply", p.no_b_min}}});
  }
  sections.push_back({"Spending", p.scope == "attention" ? "of attention alone" : "", {}, spending_fields(p, s)});
  return sections;
}

}  // namespace ringsim::reports
