#include "reports/csv_validation.hpp"

#include "reports/csv.hpp"
#include "reports/json_validation.hpp"

namespace ringsim::reports {
namespace {

/// What a row of any section has; what it has not stays empty.
struct Line {
  std::string section, name, of, unit = "s", error_of = "measured";
  std::optional<double> measured, predicted, error;
  std::optional<std::int64_t> measured_count, predicted_count;
  std::optional<double> measured_median_s, predicted_median_s, median_error;
  std::optional<double> absolute_median, absolute_p90, worst;
  std::optional<std::int64_t> worst_rank, worst_layer, worst_step;

  [[nodiscard]] CsvRow row() const {
    CsvRow row;
    row.add("section", section);
    row.add("name", name);
    row.add("of", of);
    row.add("unit", unit);
    row.add("measured", measured);
    row.add("predicted", predicted);
    row.add("error", error);
    row.add("error_of", error ? error_of : "");
    row.add("measured_count", measured_count);
    row.add("predicted_count", predicted_count);
    row.add("measured_median_s", measured_median_s);
    row.add("predicted_median_s", predicted_median_s);
    row.add("median_error", median_error);
    row.add("absolute_error_median", absolute_median);
    row.add("absolute_error_p90", absolute_p90);
    row.add("worst_error", worst);
    row.add("worst_rank", worst_rank);
    row.add("worst_layer", worst_layer);
    row.add("worst_step", worst_step);
    return row;
  }
};

Line line_of(const calibrate::ComparedQuantity& q) {
  Line line{"quantity", q.key, q.whose};
  line.unit = q.error_of == calibrate::ErrorOf::difference ? "share" : "s";
  line.error_of = name_of(q.error_of);
  line.measured = q.measured;
  line.predicted = q.predicted;
  line.error = q.error;
  return line;
}

Line line_of(const calibrate::OperationGroup& g) {
  Line line{"operation", g.name, "all ranks"};
  line.measured = g.measured_s;
  line.predicted = g.predicted_s;
  line.error = g.error;
  line.measured_count = g.measured_count;
  line.predicted_count = g.predicted_count;
  line.measured_median_s = g.measured_median_s;
  line.predicted_median_s = g.predicted_median_s;
  line.median_error = g.median_error;
  if (g.spread && g.spread->worst.error) {
    line.absolute_median = g.spread->median;
    line.absolute_p90 = g.spread->p90;
    line.worst = g.spread->worst.error;
    line.worst_rank = g.spread->worst.rank;
    line.worst_layer = g.spread->worst.layer;
    line.worst_step = g.spread->worst.step;
  }
  return line;
}

Line line_of(const calibrate::OneSided& one) {
  Line line{"one-sided", one.name, "all ranks"};
  (one.measured ? line.measured : line.predicted) = one.total_s;
  (one.measured ? line.measured_count : line.predicted_count) = one.count;
  return line;
}

}  // namespace

std::string render_csv(const calibrate::Comparison& c) {
  std::string text = Line{}.row().header();
  for (const auto& quantity : c.quantities) text += line_of(quantity).row().row();
  for (const auto& group : c.groups) text += line_of(group).row().row();
  for (const auto& one : c.one_sided) text += line_of(one).row().row();
  return text;
}

}  // namespace ringsim::reports
