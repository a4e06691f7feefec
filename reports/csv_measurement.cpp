#include "reports/csv_measurement.hpp"

#include "reports/csv.hpp"
#include "reports/measurement_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace ringsim::reports {

std::string render_csv(const calibrate::Measurement& m, const calibrate::Diagnosis& diagnosis) {
  CsvRow row;
  row.add("scenario_name", m.scenario_name);
  row.add("scenario_hash", m.scenario_hash);
  row.add("environment_device", m.environment.device);
  row.add("environment_gpu", m.environment.gpu);
  row.add("environment_machine", m.environment.machine);
  row.add("environment_software", m.environment.software);
  row.add("environment_date", m.environment.date);
  row.add("environment_ringsim_version", m.environment.version);
  row.add("environment_ringsim_commit", m.environment.commit);
  calibrate::for_each_field(m.definition, [&row](const std::string& key, const char*, const auto& field) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, std::vector<std::optional<std::int64_t>>>) {
      const auto limited = [](const auto& window) { return window.has_value(); };
      row.add("definition_windowed_layers",
              static_cast<std::int64_t>(std::count_if(field.begin(), field.end(), limited)));
    } else {
      row.add("definition_" + key, field);
    }
  });
  const auto repeats = static_cast<std::int64_t>(m.makespans_s.size());
  row.add("repeats", repeats);
  row.add("warmup", m.warmup);
  const auto of_repeats = [&](double value) { return repeats > 0 ? std::optional(value) : std::nullopt; };
  row.add("makespan_s", of_repeats(m.makespan_s));
  row.add("median_low_s", of_repeats(m.median_low_s));
  row.add("median_high_s", of_repeats(m.median_high_s));

  const std::optional<sim::RunSummary> run = measured_run(m);
  const auto of_run = [&](double sim::RunSummary::* value) {
    return run ? std::optional((*run).*value) : std::nullopt;
  };
  row.add("compute_s", of_run(&sim::RunSummary::compute_s));
  row.add("exposed_communication_s", of_run(&sim::RunSummary::exposed_communication_s));
  row.add("bubble_s", of_run(&sim::RunSummary::bubble_s));
  row.add("slowest_rank", run ? std::optional(run->slowest_rank) : std::nullopt);
  row.add("overlap", run ? run->overlap : std::nullopt);
  row.add("overlap_achieved", diagnosis.overall ? diagnosis.overall->achieved() : std::nullopt);
  row.add("check_passed", m.check ? std::optional(m.check->passed) : std::nullopt);
  row.add("notes", fmt::format("{}", fmt::join(m.notes, "; ")));
  return row.text();
}

}  // namespace ringsim::reports
