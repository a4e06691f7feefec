#include "reports/calibration_report.hpp"

#include "reports/display.hpp"
#include "reports/humanise.hpp"
#include "reports/json_parts.hpp"
#include "reports/table.hpp"
#include "reports/text_layout.hpp"
#include "version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ringsim::reports {
namespace {

using calibrate::FitReport;
using calibrate::FittedParameter;

std::string parameter_text(const FittedParameter& p) {
  if (p.unit == "s") return human_time(p.value);
  if (p.unit == "FLOP/s") return human_rate(flop_per_second(p.value));
  if (p.unit == "B/s") return human_bandwidth(bytes_per_second(p.value));
  return human_number(p.value) + (p.unit.empty() ? "" : " " + p.unit);
}

std::string answer(const calibrate::FitResult& fit, const calibrate::Points& points) {
  std::size_t count = 0;
  for (const FitReport& report : fit.reports) count += report.residuals.size();
  const calibrate::Provenance& from = points.provenance;
  return fmt::format("Profile {} of {}, fitted to {} points measured on {}{}{}{}.", fit.profile.name, fit.profile.gpu,
                     human_count(static_cast<std::int64_t>(count)), from.machine.empty() ? from.device : from.machine,
                     from.ranks > 1 ? fmt::format(" with {} ranks busy", human_count(from.ranks)) : "",
                     from.date.empty() ? "" : " at ", from.date);
}

/// The group whose points are described worst, by what 90 % of them stay within.
Verdict worst_verdict(const std::vector<FitReport>& reports) {
  constexpr double close = 0.10;  // what validation allows by default
  const auto worst = std::max_element(reports.begin(), reports.end(), [](const FitReport& a, const FitReport& b) {
    return a.p90_residual < b.p90_residual;
  });
  if (worst == reports.end()) return {"Nothing was fitted.", false};
  return {fmt::format("90 % of the points of every group are described within {}; {} is the worst.",
                      human_percent(worst->p90_residual), worst->name),
          worst->p90_residual <= close};
}

Grid parameter_grid(const std::vector<FitReport>& reports) {
  Grid grid{{{"group", Align::left},
             {"parameter", Align::left},
             {"value", Align::right},
             {"±", Align::right},
             {"", Align::left}},
            {}};
  for (const FitReport& report : reports) {
    std::string group = report.name;
    for (const FittedParameter& p : report.parameters) {
      grid.rows.push_back({group, p.name, parameter_text(p), human_percent(p.relative_uncertainty),
                           p.fitted ? "" : "not determined by the points"});
      group.clear();
    }
  }
  return grid;
}

Grid residual_grid(const std::vector<FitReport>& reports) {
  Grid grid{{{"group", Align::left},
             {"points", Align::right},
             {"median", Align::right},
             {"90 %", Align::right},
             {"worst", Align::right},
             {"bias", Align::right},
             {"worst point", Align::left}},
            {}};
  for (const FitReport& r : reports) {
    if (r.residuals.empty()) continue;
    grid.rows.push_back({r.name, human_count(static_cast<std::int64_t>(r.residuals.size())),
                         human_percent(r.median_residual), human_percent(r.p90_residual),
                         human_percent(r.worst_residual), human_signed_percent(r.bias), r.worst_point});
  }
  return grid;
}

Fields range_fields(const std::vector<FitReport>& reports) {
  Fields fields;
  for (const FitReport& r : reports) {
    if (!r.range.empty()) fields.emplace_back(r.name, r.range);
  }
  return fields;
}

std::vector<std::string> notes_of(const calibrate::FitResult& fit, const calibrate::Points& points) {
  std::vector<std::string> notes;
  for (const auto& [reason, count] : points.provenance.discarded) {
    notes.push_back(
        fmt::format("{} {} discarded: {}", human_count(count), count == 1 ? "sample was" : "samples were", reason));
  }
  notes.insert(notes.end(), points.notes.begin(), points.notes.end());
  notes.insert(notes.end(), fit.notes.begin(), fit.notes.end());
  return notes;
}

Json report_json(const FitReport& r) {
  Json parameters = Json::array();
  for (const FittedParameter& p : r.parameters) {
    parameters.push_back({{"name", p.name},
                          {"value", p.value},
                          {"unit", p.unit},
                          {"relative_uncertainty", p.relative_uncertainty},
                          {"fitted", p.fitted}});
  }
  Json residuals = Json::array();
  for (const calibrate::Residual& one : r.residuals) {
    residuals.push_back({{"point", one.point}, {"relative", one.relative}});
  }
  return {{"name", r.name},
          {"range", r.range},
          {"parameters", std::move(parameters)},
          {"median_residual", r.median_residual},
          {"p90_residual", r.p90_residual},
          {"worst_residual", r.worst_residual},
          {"worst_point", r.worst_point},
          {"bias", r.bias},
          {"residuals", std::move(residuals)}};
}

}  // namespace

std::string render_text(const calibrate::FitResult& fit, const calibrate::Points& points, const Style& style) {
  std::string text = style.bold(wrap(printable(answer(fit, points)), page_width, 0)) + "\n";
  text += verdict_line(worst_verdict(fit.reports), style);
  text += heading("Parameters", "±: 95 % uncertainty", style);
  text += text_table(parameter_grid(fit.reports), 2, style);
  text += heading("Residuals", "|predicted / measured - 1|; bias: the median with its sign", style);
  text += text_table(residual_grid(fit.reports), 2, style);
  text += heading("Range", "of the points; a prediction beyond it extrapolates", style);
  text += text_fields(range_fields(fit.reports), 2, style);
  if (!fit.nominal.empty()) {
    text += heading("Nominal bandwidth", "that a cluster must state for these efficiencies to hold", style);
    Fields fields;
    for (const auto& [link, bandwidth] : fit.nominal) fields.emplace_back(link, human_bandwidth(bandwidth));
    text += text_fields(fields, 2, style);
  }
  return text + notes_section(notes_of(fit, points), style);
}

std::string render_json(const calibrate::FitResult& fit, const calibrate::Points& points) {
  const calibrate::Provenance& from = points.provenance;
  Json json = {{"kind", "ringsim-calibration"},
               {"schema_version", json_schema_version},
               {"ringsim_version", std::string(version)},
               {"profile", {{"name", fit.profile.name}, {"gpu", fit.profile.gpu}}}};
  json["measured"] = {{"device", from.device},
                      {"machine", from.machine},
                      {"ranks", from.ranks},
                      {"software", from.software},
                      {"date", from.date},
                      {"ringsim_commit", from.commit},
                      {"discarded", Json(from.discarded)}};
  json["fits"] = Json::array();
  for (const FitReport& report : fit.reports) json["fits"].push_back(report_json(report));
  json["nominal_bytes_per_s"] = Json::object();
  for (const auto& [link, bandwidth] : fit.nominal) json["nominal_bytes_per_s"][link] = in_bytes_per_second(bandwidth);
  std::vector<std::string> notes = points.notes;
  notes.insert(notes.end(), fit.notes.begin(), fit.notes.end());
  json["notes"] = notes;
  return json_text(json);
}

}  // namespace ringsim::reports
