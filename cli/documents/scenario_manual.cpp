// ringsim-scenario(5).

#include "cli/documents/manual.hpp"
#include "cli/documents/roff.hpp"
#include "scenarios/reference.hpp"
#include "version.hpp"

#include <string_view>

namespace ringsim::cli::documents {
namespace {

void add_section(RoffPage& page, const scenarios::ReferenceSection& section) {
  page.subsection(section.title);
  page.paragraph(roff_prose(section.description));
  for (const scenarios::ReferenceKey& key : section.keys) {
    std::string text = roff_prose(key.value);
    if (!key.section.empty()) text += "; see " + roff_prose(key.section);
    page.item(bold(key.key), text + ". " + roff_prose(key.meaning));
  }
}

}  // namespace

std::string scenario_manual() {
  RoffPage page("RINGSIM-SCENARIO", 5, "ringsim " + std::string(version), "File formats");
  page.section("NAME");
  page.paragraph(roff_text("ringsim-scenario - what ringsim predicts: a model, a workload, machines and a plan"));
  page.section("DESCRIPTION");
  page.paragraph(roff_prose(
      "A scenario is a YAML file of one mapping. The sets of keys are closed: a key that is not described here is an "
      "error, "
      "which names the nearest one. `ringsim show` prints a scenario with every default and library entry written out, "
      "`ringsim library` what can be named, and `--set a.b=value` changes a value by its dotted key."));
  page.section("VALUES");
  for (const scenarios::ReferenceUnits& units : scenarios::reference_units())
    page.item(bold(units.kind), roff_prose(units.text));
  page.section("KEYS");
  for (const scenarios::ReferenceSection& section : scenarios::reference_sections()) add_section(page, section);
  page.section("EXAMPLES");
  for (const scenarios::ReferenceExample& example : scenarios::reference_examples()) {
    page.paragraph(roff_prose(example.about));
    page.verbatim(example.text);
  }
  page.section("SEE ALSO");
  page.paragraph(bold("ringsim") + "(1)");
  return page.text();
}

}  // namespace ringsim::cli::documents
