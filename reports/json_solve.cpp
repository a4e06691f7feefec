#include "reports/csv.hpp"
#include "reports/json_parts.hpp"
#include "reports/solve_report.hpp"
#include "sim/planner/evaluate.hpp"
#include "version.hpp"

#include <algorithm>
#include <vector>

namespace ringsim::reports {
namespace {

using sim::SolvePoint;

Json point_json(const char* key, const SolvePoint& p, bool whole) {
  const bool known = p.why_not.empty();
  Json json = {{key, whole ? Json(static_cast<std::int64_t>(p.x)) : Json(p.x)},
               {"time_s", known ? Json(p.time_s) : Json(nullptr)},
               {"exposed_share", known ? Json(p.exposed_share) : Json(nullptr)},
               {"fits", known ? Json(p.fits) : Json(nullptr)},
               {"holds", p.holds},
               {"gpus", p.gpus}};
  if (!known) json["illegal"] = p.why_not;
  return json;
}

Json points_json(const char* key, const std::vector<SolvePoint>& points, bool whole) {
  Json list = Json::array();
  for (const SolvePoint& p : points) list.push_back(point_json(key, p, whole));
  return list;
}

void add(Json& json, const sim::BandwidthAnswer& a) {
  json["solve"] = "bandwidth";
  json["link_class"] = a.link_class;
  json["now"] = point_json("bandwidth_bytes_per_s", a.now, false);
  json["bandwidth_bytes_per_s"] = or_null(a.answer_bytes_per_s);
  json["not_enough_bytes_per_s"] = or_null(a.fails_bytes_per_s);
  json["at_answer"] = point_json("bandwidth_bytes_per_s", a.at_answer, false);
  json["monotone"] = a.monotone;
  json["points"] = points_json("bandwidth_bytes_per_s", a.points, false);
}

void add(Json& json, const sim::ContextAnswer& a) {
  json["solve"] = "tokens";
  json["unit_tokens"] = a.unit;
  json["fits_tokens"] = or_null(a.fits);
  json["longest_tokens"] = or_null(a.longest);
  json["limited_by"] = a.limited_by;
  json["too_long_tokens"] = or_null(a.fails);
  json["at_longest"] = a.longest ? point_json("tokens", a.at_longest, true) : Json(nullptr);
  json["hidden_from_tokens"] = or_null(a.hidden_from);
  json["exposed_at_tokens"] = or_null(a.exposed_at);
  json["monotone"] = a.monotone;
  json["points"] = points_json("tokens", a.points, true);
}

void add(Json& json, const sim::RingAnswer& a) {
  json["solve"] = "ring";
  json["largest_hidden"] = or_null(a.largest_hidden);
  json["monotone"] = !a.hidden_again;
  json["smallest_within_limit"] = or_null(a.smallest_meeting);
  json["fastest"] = or_null(a.fastest);
  json["points"] = points_json("ring", a.points, true);
}

void add(Json& json, const sim::BreakEven& a) {
  json["solve"] = "break-even";
  json["unit_tokens"] = a.unit;
  json["from_tokens"] = a.shortest;
  json["to_tokens"] = a.longest;
  json["crossings"] = Json::array();
  for (const sim::BreakEven::Crossing& c : a.crossings) {
    json["crossings"].push_back({{"before_tokens", c.before},
                                 {"from_tokens", c.from},
                                 {"faster_from_there", c.first_is_faster ? "first" : "second"},
                                 {"first_s", c.first_s},
                                 {"second_s", c.second_s}});
  }
  json["monotone"] = a.crossings.size() < 2;
  json["points"] = Json::array();
  for (const sim::BreakEven::Point& p : a.points) {
    json["points"].push_back({{"tokens", p.tokens}, {"first_s", p.first_s}, {"second_s", p.second_s}});
  }
}

std::string csv_of(const char* key, const std::vector<SolvePoint>& points, bool whole) {
  std::string text;
  for (const SolvePoint& p : points) {
    CsvRow row;
    whole ? row.add(key, static_cast<std::int64_t>(p.x)) : row.add(key, p.x);
    const bool known = p.why_not.empty();
    row.add("time_s", known ? std::optional(p.time_s) : std::nullopt);
    row.add("exposed_share", known ? std::optional(p.exposed_share) : std::nullopt);
    row.add("fits", known ? std::optional(p.fits) : std::nullopt);
    row.add("holds", p.holds);
    row.add("gpus", p.gpus);
    row.add("illegal", p.why_not);
    text += (text.empty() ? row.header() : "") + row.row();
  }
  return text;
}

std::string csv_of(const sim::BandwidthAnswer& a) { return csv_of("bandwidth_bytes_per_s", a.points, false); }
std::string csv_of(const sim::ContextAnswer& a) {
  std::vector<SolvePoint> points = a.points;
  if (a.longest) points.push_back(a.at_longest);
  if (a.hidden_from) points.push_back(a.at_hidden);
  std::sort(points.begin(), points.end(),
            [](const SolvePoint& one, const SolvePoint& other) { return one.x < other.x; });
  return csv_of("tokens", points, true);
}
std::string csv_of(const sim::RingAnswer& a) { return csv_of("ring", a.points, true); }
std::string csv_of(const sim::BreakEven& a) {
  std::string text;
  for (const sim::BreakEven::Point& p : a.points) {
    CsvRow row;
    row.add("tokens", p.tokens);
    row.add("first_s", p.first_s);
    row.add("second_s", p.second_s);
    text += (text.empty() ? row.header() : "") + row.row();
  }
  return text;
}

}  // namespace

std::string render_solve_json(const SolveReport& report) {
  Json json = {{"schema_version", json_schema_version},
               {"ringsim_version", version},
               {"scenario", {{"name", report.scenario.name}, {"hash", report.scenario.hash}}},
               {"engine", "recurrence"},
               {"time_is", sim::time_name(report.scenario)},
               {"max_exposed", or_null(report.options.most_exposed)},
               {"limit_s", or_null(report.options.most_time_s)},
               {"feasible", solved(report)},
               {"answer", solve_page(report).answer}};
  std::visit([&](const auto& answer) { add(json, answer); }, report.found);
  json["next"] = solve_page(report).next;
  return json_text(json);
}

std::string render_solve_csv(const SolveReport& report) {
  return std::visit([](const auto& answer) { return csv_of(answer); }, report.found);
}

}  // namespace ringsim::reports
