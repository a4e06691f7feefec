#include "reports/validation_parts.hpp"

#include "reports/humanise.hpp"
#include "reports/measurement_parts.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ringsim::reports {
namespace {

using calibrate::ComparedQuantity;
using calibrate::Comparison;
using calibrate::ErrorOf;

std::string value_text(const ComparedQuantity& q, double value) {
  return q.error_of == ErrorOf::difference ? human_percent(value) : human_time(value);
}

std::string error_text(const ComparedQuantity& q) {
  if (!q.error) return "undefined";
  // Of two percentages the difference is in points.
  if (q.error_of == ErrorOf::difference) return fmt::format("{:+.1f} points", 100.0 * *q.error);
  return human_signed_percent(*q.error);
}

std::string signed_text(const std::optional<double>& error) { return error ? human_signed_percent(*error) : ""; }

std::string time_text(const std::optional<double>& time) { return time ? human_time(*time) : ""; }

std::string judged_name(const Comparison& c) {
  return c.judged().whose == "run" ? c.judged().name() : fmt::format("{}, {}", c.judged().name(), c.judged().whose);
}

std::string place_text(std::int64_t rank, std::int64_t layer, std::int64_t step) {
  return fmt::format("rank {}, layer {}, step {}", human_count(rank), human_count(layer), human_count(step));
}

}  // namespace

std::string validated_answer(const Comparison& c) {
  const ComparedQuantity& q = c.judged();
  std::string text = fmt::format("{}: {} predicted {}, measured {}", c.scenario_name, judged_name(c),
                                 human_time(q.predicted), human_time(q.measured));
  if (!q.error) return text + ".";
  if (*q.error == 0.0) return text + ": no difference.";
  return fmt::format("{}: the prediction is {} too {}.", text, human_percent(std::abs(*q.error)),
                     *q.error > 0.0 ? "long" : "short");
}

Verdict tolerance_verdict(const Comparison& c, double tolerance) {
  const ComparedQuantity& q = c.judged();
  if (!q.error) return {fmt::format("Not judged: the {} was measured to be 0.", judged_name(c)), false};
  const bool good = c.within(tolerance);
  return {fmt::format("{} tolerance: the {} is off by {}, {} allowed.", good ? "Within" : "Outside", judged_name(c),
                      human_signed_percent(*q.error), human_percent(tolerance)),
          good};
}

Verdict interval_verdict(const Comparison& c) {
  const std::optional<bool> inside = c.in_predicted_interval();
  if (!inside) return {"", true};
  return {fmt::format("The measured makespan lies {} the predicted interval, {} to {}.", *inside ? "in" : "outside of",
                      human_time(*c.predicted_low_s), human_time(*c.predicted_high_s)),
          *inside};
}

Fields validated_setup_fields(const Comparison& c) {
  Fields fields = {{"measured on", device_text(c.environment)}};
  const auto add = [&fields](const char* label, const std::string& text) {
    if (!text.empty()) fields.emplace_back(label, text);
  };
  add("software", c.environment.software);
  add("date", c.environment.date);
  add("ringsim", version_text(c.environment));
  if (c.measured_scenario_name != c.scenario_name) add("measured as", c.measured_scenario_name);
  if (c.measured_low_s && c.measured_high_s) {
    add("repeats", c.repeats == 1 ? "one: how far repeats differ is not known"
                                  : fmt::format("{}; the median makespan is known to lie between {} and {}",
                                                human_count(c.repeats), human_time(*c.measured_low_s),
                                                human_time(*c.measured_high_s)));
  }
  add("predicted by", fmt::format("{} with the profile {}{}", c.engine, c.profile_name,
                                  c.profile_calibrated ? " (calibrated)" : " (UNCALIBRATED)"));
  add("operations", c.one_by_one ? "compared one by one, by rank, name, layer and step" : "compared by kind");
  return fields;
}

Grid quantity_grid(const Comparison& c) {
  Grid grid{{{"", Align::left}, {"measured", Align::right}, {"predicted", Align::right}, {"error", Align::right}}, {}};
  std::string whose = "run";
  for (const ComparedQuantity& q : c.quantities) {
    if (q.whose != whose) {
      whose = q.whose;
      std::string title = whose == "slowest rank" ? "of the slowest rank" : whose;
      if (whose == "slowest rank") {
        title += c.measured_slowest_rank == c.predicted_slowest_rank
                     ? fmt::format(", {}", human_count(c.measured_slowest_rank))
                     : fmt::format(", {} measured, {} predicted", human_count(c.measured_slowest_rank),
                                   human_count(c.predicted_slowest_rank));
      }
      grid.rows.push_back({title});
    }
    grid.rows.push_back({(whose == "run" ? "" : "  ") + q.name(), value_text(q, q.measured), value_text(q, q.predicted),
                         error_text(q)});
  }
  return grid;
}

Grid compared_operation_grid(const Comparison& c) {
  Grid grid{{{"operation", Align::left},
             {"count", Align::right},
             {"measured", Align::right},
             {"predicted", Align::right},
             {"error", Align::right},
             {"median", Align::right},
             {"predicted", Align::right},
             {"error", Align::right}},
            {}};
  for (const calibrate::OperationGroup& g : c.groups) {
    const std::string count =
        g.measured_count == g.predicted_count
            ? human_count(g.measured_count)
            : fmt::format("{} / {}", human_count(g.measured_count), human_count(g.predicted_count));
    grid.rows.push_back({g.name, count, human_time(g.measured_s), human_time(g.predicted_s), signed_text(g.error),
                         time_text(g.measured_median_s), time_text(g.predicted_median_s), signed_text(g.median_error)});
  }
  return grid;
}

Grid operation_error_grid(const Comparison& c) {
  Grid grid{{{"operation", Align::left},
             {"median", Align::right},
             {"90 %", Align::right},
             {"worst", Align::right},
             {"measured", Align::right},
             {"predicted", Align::right},
             {"at", Align::left}},
            {}};
  for (const calibrate::OperationGroup& g : c.groups) {
    if (!g.spread || !g.spread->worst.error) continue;
    const calibrate::OperationError& worst = g.spread->worst;
    grid.rows.push_back({g.name, human_percent(g.spread->median), human_percent(g.spread->p90),
                         signed_text(worst.error), human_time(worst.measured_s), human_time(worst.predicted_s),
                         place_text(worst.rank, worst.layer, worst.step)});
  }
  return grid;
}

std::vector<std::string> one_sided_sentences(const Comparison& c) {
  std::vector<std::string> sentences;
  for (const calibrate::OneSided& one : c.one_sided) {
    sentences.push_back(fmt::format("{} only: {} × {}, {} in all{}", one.measured ? "measured" : "predicted",
                                    human_count(one.count), one.name, human_time(one.total_s),
                                    one.layer < 0 ? "" : ", first at " + place_text(one.rank, one.layer, one.step)));
  }
  for (const calibrate::OperationGroup& g : c.groups) {
    if (g.spread && g.spread->without_time > 0) {
      sentences.push_back(
          fmt::format("{} × {} took no measurable time: they count in the totals, not in the errors of "
                      "single operations",
                      human_count(g.spread->without_time), g.name));
    }
  }
  return sentences;
}

}  // namespace ringsim::reports
