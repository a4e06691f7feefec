#pragma once
// The scenario language as a reader meets it: every mapping once, with the places where it stands, every key with what may be written
// there, and every dotted path that --set takes. All of it is made from the table of the language (spec.hpp); the reference pages and
// the completion of --set are written from it, so they cannot fall behind.
//
// Texts are prose in which `code` stands in backticks and has no other markup.

#include "scenarios/spec.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringsim::scenarios {

struct ReferenceKey {
  std::string key;
  std::string value;    // "one of `kv`, `q`, `auto`; default `kv`"
  std::string meaning;  // sentences
  std::string section;  // title of the section of its mapping; empty: it has none
};

struct ReferenceSection {
  std::string title;  // "`cluster.intra_node`, `cluster.inter_node`"; of a mapping of many places what it is
  std::vector<std::string> places;  // "noise.stragglers[]" is an item of a list, "profile.links.*" a row of a table
  std::string description;          // sentences: what it is, and what else may be written for it
  std::vector<ReferenceKey> keys;
  std::vector<Refused> refused;  // keys that a writer may well try
};

/// In the order of the language; what stands at many places comes last.
[[nodiscard]] std::vector<ReferenceSection> reference_sections();

/// How values are written: a kind of value, and its units.
struct ReferenceUnits {
  std::string kind;
  std::string text;
};
[[nodiscard]] std::vector<ReferenceUnits> reference_units();

/// A key as --set names it, and the words that complete its value: choices, true and false, names of the library.
struct DottedKey {
  std::string path;
  bool has_keys = false;  // "cluster": further keys stand below it
  bool has_value = true;  // "workload" is a mapping that nothing but its keys can be written for
  std::vector<std::string> words;
};
/// In the order of the language, without notes.
[[nodiscard]] std::vector<DottedKey> dotted_keys();

/// A whole scenario that shows what a key of the scenario is for.
struct ReferenceExample {
  std::string_view key;
  std::string_view about;  // one sentence
  std::string_view text;
};
/// One at least for every key of a scenario, in their order.
[[nodiscard]] const std::vector<ReferenceExample>& reference_examples();

}  // namespace ringsim::scenarios
