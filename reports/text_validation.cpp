#include "reports/text_validation.hpp"

#include "reports/display.hpp"
#include "reports/text_layout.hpp"
#include "reports/text_measurement.hpp"
#include "reports/validation_parts.hpp"

namespace ringsim::reports {

std::string render_text(const calibrate::Comparison& c, const calibrate::Diagnosis& diagnosis, double tolerance,
                        const Style& style) {
  std::string text = style.bold(wrap(printable(validated_answer(c)), page_width, 0)) + "\n";
  text += verdict_line(tolerance_verdict(c, tolerance), style);
  const Verdict interval = interval_verdict(c);
  if (!interval.text.empty()) text += verdict_line(interval, style);

  text += heading("Setup", "", style);
  text += text_fields(validated_setup_fields(c), 2, style);
  text += heading("Quantities", "error: (predicted - measured) / measured", style);
  text += text_table(quantity_grid(c), 2, style);
  if (!c.groups.empty()) {
    text += heading("Operations", "totals over all ranks, and medians; transfers: in flight", style);
    text += text_table(compared_operation_grid(c), 2, style);
  }
  const Grid errors = operation_error_grid(c);
  if (!errors.rows.empty()) {
    text += heading("Errors of single operations", "without sign, but for the worst", style);
    text += text_table(errors, 2, style);
  }
  const std::vector<std::string> one_sided = one_sided_sentences(c);
  if (!one_sided.empty()) {
    text += heading("Not compared", "", style);
    for (const std::string& sentence : one_sided) text += "  - " + wrap(printable(sentence), page_width, 4) + "\n";
  }
  text += diagnosis_section(diagnosis, style);
  return text + warnings_section(c.warnings, style) + notes_section(c.notes, style);
}

}  // namespace ringsim::reports
