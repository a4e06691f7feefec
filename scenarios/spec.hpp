#pragma once
// The scenario language as one table: every mapping with its keys, their kinds, defaults, legal values and what they
// mean. The reader (closed key sets, defaults, checks, hints) and the JSON Schema are both made from it, so they cannot
// disagree.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::scenarios {

enum class Kind {
  text,
  boolean,
  choice,  // one of `choices`
  count,   // whole number, bare
  number,  // bare
  ratio,   // 0.02 or 2%
  duration,
  bytes,
  bandwidth,
  flop_rate,
  power,
  mapping,   // keys of `mapping`
  choices,   // list of choices
  counts,    // list of counts
  names,     // list of names: letters, digits, - and _
  mappings,  // list of mappings
  table,     // keys chosen by the writer; values are `mapping`, or `rows` where that is null
};

/// Most ranks of a degree, and most nodes: 2^24, so that what a run keeps of each stays within a machine's memory.
inline constexpr double most_ranks = 16777216;

/// What a key is for.
enum class Role {
  value,      // part of the resolved scenario
  reference,  // names an entry of the library or a file; replaced by what it names
  note,       // description and sources: accepted, shown by `library`, no part of the resolved scenario
};

/// Something that a writer may well try and that is not there: what to answer.
struct Refused {
  std::string_view name;
  std::string_view message;
  std::string_view hint;
};

struct Mapping;

/// Another key of the same mapping, which stands before, has one of these values.
struct Condition {
  std::string_view key;
  std::vector<std::string_view> values;
};

struct Field {
  std::string_view key = {};
  Kind kind = Kind::text;
  std::string_view description = {};
  Role role = Role::value;
  bool required = false;  // after references are replaced
  std::string_view fallback =
      {};  // default, in the language; empty: none. "{}" for a mapping: the defaults of its keys
  std::vector<std::string_view> choices = {};
  std::vector<Refused> refused = {};  // values
  std::optional<double> minimum = {};
  std::optional<double> maximum = {};
  std::string_view beyond = {};  // why there is a maximum
  const Mapping& (*mapping)() = nullptr;
  std::vector<std::string_view> examples = {};
  std::optional<Condition> only = {};  // elsewhere the key is refused and has no default
  bool later = false;  // came when scenarios had hashes: its default (of a mapping: those of its keys) is not hashed
  Kind rows = Kind::text;  // of a table without `mapping`: its values
};

/// The legal values of a number, in SI units: the field's own bounds, else those of its kind. Every number is
/// bounded on both sides, so that no product of values runs out of what a double holds.
struct Limits {
  double least = 0;
  double most = 0;
};
/// Of a field that holds a number.
[[nodiscard]] Limits limits_of(const Field& field);

/// Folders of the library.
enum class LibraryKind { gpu, cluster, model, profile };
[[nodiscard]] std::string_view folder_of(LibraryKind kind);  // "gpus"
[[nodiscard]] std::string_view name_of(LibraryKind kind);    // "GPU"

struct Mapping {
  std::string_view name;  // unique; the definition's name in the schema
  std::string_view description;
  std::vector<Field> fields;                  // in the order of the language
  std::vector<Refused> refused = {};          // keys
  std::string_view shorthand = {};            // the key that a bare value stands for: "use" or "value"
  std::optional<LibraryKind> library = {};    // what `use` names
  std::vector<std::string_view> any_of = {};  // keys of which one at least must be there
  [[nodiscard]] const Field* find(std::string_view key) const;
  [[nodiscard]] std::vector<std::string_view> keys() const;
};

[[nodiscard]] const Mapping& scenario_spec();
[[nodiscard]] const Mapping& model_spec();
[[nodiscard]] const Mapping& cluster_spec();
[[nodiscard]] const Mapping& gpu_spec();
[[nodiscard]] const Mapping& node_spec();
[[nodiscard]] const Mapping& fabric_spec();
[[nodiscard]] const Mapping& profile_spec();
[[nodiscard]] const Mapping& workload_spec();
[[nodiscard]] const Mapping& parallel_spec();
[[nodiscard]] const Mapping& ring_spec();
[[nodiscard]] const Mapping& training_spec();
[[nodiscard]] const Mapping& serving_spec();
[[nodiscard]] const Mapping& noise_spec();
[[nodiscard]] const Mapping& price_spec();
[[nodiscard]] const Mapping& spec_of(LibraryKind kind);

/// The field at a dotted path below the scenario ("cluster.gpu.memory"), null pointer where the language has none.
/// List indices and the free keys of tables are stepped over.
[[nodiscard]] const Field* field_at(std::string_view path);

/// Whether the key at a dotted path, or a mapping above it, was given to the language later (Field::later).
[[nodiscard]] bool is_later(std::string_view path);

/// The field of a value of a table without a mapping.
[[nodiscard]] Field row_of(const Field& table);

/// "model.layers": a path and a key, without the dot where the path is empty.
[[nodiscard]] std::string path_to(std::string_view path, std::string_view key);

}  // namespace ringsim::scenarios
