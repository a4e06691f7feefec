#include "cli/documents/scenario_markdown.hpp"

#include "scenarios/library.hpp"
#include "scenarios/reference.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <string_view>

namespace ringsim::cli::documents {
namespace {

using scenarios::ReferenceExample;
using scenarios::ReferenceKey;
using scenarios::ReferenceSection;

constexpr std::size_t width = 130;

/// How a heading is linked to on a page of its own: lower case, no punctuation, - for blanks.
std::string anchor(std::string_view title) {
  std::string link;
  for (const char c : title) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      link += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (c == '-' || c == '_') {
      link += c;
    } else if (c == ' ') {
      link += '-';
    }
  }
  return link;
}

std::string link_to(std::string_view title) { return fmt::format("[{}](#{})", title, anchor(title)); }

/// Prose as Markdown: what would be an emphasis, a tag or a link there is none here. Code stays as it is.
std::string escaped(std::string_view prose) {
  std::string text;
  bool code = false;
  for (const char c : prose) {
    if (c == '`') code = !code;
    if (!code && (c == '*' || c == '<' || c == '|' || c == '[' || c == '_')) text += '\\';
    text += c;
  }
  return text;
}

/// The length of the first word; code is not broken.
std::size_t first_word(std::string_view text) {
  bool code = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') code = !code;
    if (text[i] == ' ' && !code) return i;
  }
  return std::string_view::npos;
}

/// Words to lines, further ones indented.
void wrap(std::string& page, std::string_view text, std::string_view first, std::string_view indent) {
  std::string line(first);
  bool empty = true;
  while (!text.empty()) {
    const std::size_t blank = first_word(text);
    const std::string_view word = text.substr(0, blank);
    text = blank == std::string_view::npos ? std::string_view() : text.substr(blank + 1);
    if (!empty && line.size() + 1 + word.size() > width) {
      page += line + "\n";
      line = indent;
      empty = true;
    }
    if (!empty) line += ' ';
    line += word;
    empty = false;
  }
  page += line + "\n";
}

void add_key(std::string& page, const ReferenceKey& key) {
  std::string text = fmt::format("**`{}`**: {}", key.key, escaped(key.value));
  if (!key.section.empty()) text += "; see " + link_to(key.section);
  wrap(page, text + ". " + escaped(key.meaning), "- ", "  ");
}

void add_section(std::string& page, const ReferenceSection& section) {
  page += fmt::format("\n## {}\n\n", section.title);
  wrap(page, escaped(section.description), "", "");
  if (section.title.front() != '`' && section.places.size() > 1) {
    std::string places;
    for (const std::string& place : section.places) places += fmt::format("{}`{}`", places.empty() ? "" : ", ", place);
    page += '\n';
    wrap(page, "Stands at " + places + ".", "", "");
  }
  page += '\n';
  for (const ReferenceKey& key : section.keys) add_key(page, key);
  if (section.refused.empty()) return;
  page += "\nNames that others have for it, and what to write here:\n\n";
  for (const scenarios::Refused& refused : section.refused) {
    const bool code = refused.hint.find(':') != std::string_view::npos;  // of the language; else prose
    wrap(page,
         fmt::format("`{0}`: {1}: {3}{2}{3}.", refused.name, escaped(refused.message), refused.hint, code ? "`" : ""),
         "- ", "  ");
  }
}

void add_examples(std::string& page, std::string_view key) {
  for (const ReferenceExample& example : scenarios::reference_examples()) {
    if (example.key != key) continue;
    page += '\n';
    wrap(page, escaped(example.about), "", "");
    page += fmt::format("\n```yaml\n{}```\n", example.text);
  }
}

constexpr std::string_view introduction =
    R"(# The scenario language

<!-- Written by `ringsim schema --format markdown` from the table of the language; a test holds this file to it. -->

A scenario is a YAML file of one mapping: what is computed, on which machines, and how the one is spread over the other. `name`,
`model`, `workload.tokens` and `cluster` are required, everything else has a default.

- `ringsim show SCENARIO` prints a scenario with every default and library entry written out, and where each value comes from.
- `--set a.b.c=value` changes a value by its dotted key; later ones win, and lists are set as a whole.
- Sets of keys are closed: an unknown key, a number without its unit or an impossible degree is an error that says where, why and
  what would be legal. Nothing is rounded or ignored.
- Names of the library, `config.json` files and files of other tools are replaced by what they stand for; keys beside them override it.
- Editors complete and check scenarios by `ringsim schema > scenario.schema.json` and this first line of a scenario:
  `# yaml-language-server: $schema=scenario.schema.json`.

The same as a manual page: `man ringsim-scenario`.
)";

void add_contents(std::string& page, const std::vector<ReferenceSection>& sections) {
  page +=
      "\n## Contents\n\n- [How values are written](#how-values-are-written)\n- [Names of the "
      "library](#names-of-the-library)\n";
  for (const ReferenceSection& section : sections) {
    const std::string& place = section.places.front();
    std::size_t depth = 0;
    if (section.title.front() == '`') {
      for (const char c : place) depth += c == '.' ? 1 : 0;
    }
    page += fmt::format("{}- {}\n", std::string(2 * depth, ' '), link_to(section.title));
  }
}

void add_library(std::string& page) {
  page += "\n## Names of the library\n\n`ringsim library` says what they are and where their numbers come from.\n\n";
  using scenarios::LibraryKind;
  for (const LibraryKind kind : {LibraryKind::model, LibraryKind::cluster, LibraryKind::gpu, LibraryKind::profile}) {
    std::string names;
    for (const std::string_view name : scenarios::library_names(kind))
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", name);
    wrap(page, fmt::format("{}: {}.", scenarios::folder_of(kind), names), "- ", "  ");
  }
}

}  // namespace

std::string scenario_markdown() {
  const std::vector<ReferenceSection> sections = scenarios::reference_sections();
  std::string page(introduction);
  add_contents(page, sections);
  page += "\n## How values are written\n\n";
  for (const scenarios::ReferenceUnits& units : scenarios::reference_units())
    wrap(page, fmt::format("**{}**: {}", units.kind, escaped(units.text)), "- ", "  ");
  add_library(page);
  for (const ReferenceSection& section : sections) {
    add_section(page, section);
    if (section.places == std::vector<std::string>{""}) {
      add_examples(page, "name");
    } else if (section.places.front().find('.') == std::string::npos) {
      add_examples(page, section.places.front());
    }
  }
  return page;
}

}  // namespace ringsim::cli::documents
