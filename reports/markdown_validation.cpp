#include "reports/markdown_validation.hpp"

#include "reports/markdown_measurement.hpp"
#include "reports/table.hpp"
#include "reports/validation_parts.hpp"

namespace ringsim::reports {

std::string render_markdown(const calibrate::Comparison& c, const calibrate::Diagnosis& diagnosis, double tolerance) {
  std::string text = "## " + markdown_escape(c.scenario_name) + "\n\n";
  text += "**" + markdown_escape(validated_answer(c)) + "**\n\n";
  std::vector<std::string> verdicts = {tolerance_verdict(c, tolerance).text};
  if (!interval_verdict(c).text.empty()) verdicts.push_back(interval_verdict(c).text);
  text += markdown_list(verdicts);

  text += markdown_section("Setup") + markdown_fields(validated_setup_fields(c));
  text += markdown_section("Quantities") + markdown_table(quantity_grid(c));
  if (!c.groups.empty()) text += markdown_section("Operations") + markdown_table(compared_operation_grid(c));
  const Grid errors = operation_error_grid(c);
  if (!errors.rows.empty()) text += markdown_section("Errors of single operations") + markdown_table(errors);
  const std::vector<std::string> one_sided = one_sided_sentences(c);
  if (!one_sided.empty()) text += markdown_section("Not compared") + markdown_list(one_sided);
  text += markdown_diagnosis(diagnosis);
  if (!c.warnings.empty()) text += markdown_section("Warnings") + markdown_list(c.warnings);
  if (!c.notes.empty()) text += markdown_section("Notes") + markdown_list(c.notes);
  return text;
}

}  // namespace ringsim::reports
