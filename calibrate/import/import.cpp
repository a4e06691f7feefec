#include "calibrate/import/import.hpp"

#include "calibrate/import/json_text.hpp"
#include "calibrate/import/kernel_row.hpp"
#include "calibrate/import/kernel_summary.hpp"
#include "calibrate/import/kernel_times_csv.hpp"
#include "calibrate/import/nccl_tests.hpp"
#include "calibrate/import/nccl_tests_json.hpp"
#include "calibrate/import/nvbench.hpp"
#include "calibrate/import/text.hpp"
#include "calibrate/samples.hpp"
#include "models/error.hpp"
#include "models/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ringsim::calibrate {
namespace {

constexpr std::string_view known_formats =
    "samples of ringsim calibrate, nccl-tests (its output, or JSON of -J), nvbench JSON, or a CSV of kernel times "
    "(docs/IMPORT.md)";

void check(const ImportOptions& options) {
  for (const auto& [name, column] : options.names) {
    if (column == "ignore" || !column_of(column).empty()) continue;
    throw Error(fmt::format("{} is mapped to {}, which is no column", name, column), "names of the import",
                name_hint(column, known_columns(), "known columns"));
  }
  for (const auto& [column, value] : options.constants) {
    const auto known = std::find(known_columns().begin(), known_columns().end(), column);
    if (column == "collective" || known != known_columns().end()) continue;
    throw Error(fmt::format("{} is no column that could have the value {}", column, value), "constants of the import",
                name_hint(column, known_columns(), "known columns"));
  }
}

[[noreturn]] void fail_as_trace(const std::string& name) {
  throw Error("a trace or summary of a run, not of benchmarks: its kernels have no shapes to fit costs to", name,
              "compare a run with its prediction by ringsim validate; for costs give " + std::string(known_formats));
}

/// A JSON file of a kind of its own is added here.
Points import_json(const std::string& name, std::string_view text, const ImportOptions& options) {
  const nlohmann::json root = parse_json_text(name, text);
  if (root.is_object() && root.value("kind", nlohmann::json()) == "ringsim-samples") {
    return points_of(read_samples(text, name));
  }
  if (is_nccl_tests_json(root)) return import_nccl_tests_json(name, root, options);
  if (is_nvbench(root)) return import_nvbench(name, root, options);
  const bool events = root.is_array() && !root.empty() && root.front().is_object() && root.front().contains("ph");
  if (events || (root.is_object() && root.contains("traceEvents"))) fail_as_trace(name);
  std::string seen = root.is_array() ? "an array" : "no keys";
  if (root.is_object() && !root.empty()) {
    std::vector<std::string_view> keys;
    for (const auto& item : root.items()) keys.push_back(item.key());
    keys.resize(std::min<std::size_t>(keys.size(), 6));
    seen = "an object with " + joined(keys);
  }
  throw Error(fmt::format("the JSON is of no kind that is known: {}", seen), name, std::string(known_formats));
}

/// The distinct texts that are not empty, joined.
std::string joined_distinct(const std::vector<Points>& parts, std::string Provenance::* field) {
  std::vector<std::string_view> distinct;
  for (const Points& part : parts) {
    const std::string& text = part.provenance.*field;
    if (!text.empty() && std::find(distinct.begin(), distinct.end(), text) == distinct.end()) distinct.push_back(text);
  }
  return joined(distinct, "; ");
}

template <class Point>
void append(std::vector<Point>& to, const std::vector<Point>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

Points import_points(const std::string& name, std::string_view text, const ImportOptions& options) {
  check(options);
  refuse_what_is_no_text(name, text);
  const std::string_view content = trimmed(without_mark(text));
  // A tagged line of a launcher ("[1,0]<stdout>:") begins like an array.
  if (is_nccl_tests_text(text)) return import_nccl_tests_text(name, text, options);
  if (content.front() == '{' || content.front() == '[') return import_json(name, text, options);
  if (is_kernel_times_csv(text, options)) return import_kernel_times_csv(name, text, options);
  if (is_kernel_summary(text)) fail_as_trace(name);
  throw Error(fmt::format("the file is of no kind that is known; it begins with {}", beginning_of(content)), name,
              std::string(known_formats));
}

Points merge(const std::vector<Points>& parts) {
  Points all;
  for (const Points& part : parts) {
    append(all.attention, part.attention);
    append(all.merge, part.merge);
    append(all.transfer, part.transfer);
    append(all.gemm, part.gemm);
    append(all.stream, part.stream);
    append(all.interference, part.interference);
    append(all.launch, part.launch);
    append(all.collective, part.collective);
    append(all.variants, part.variants);
    append(all.copy, part.copy);
    append(all.overhead, part.overhead);
    for (const std::string& note : part.notes) {
      if (std::find(all.notes.begin(), all.notes.end(), note) == all.notes.end()) all.notes.push_back(note);
    }
    all.provenance.ranks = std::max(all.provenance.ranks, part.provenance.ranks);
    all.provenance.multiprocessors = std::max(all.provenance.multiprocessors, part.provenance.multiprocessors);
    for (const auto& [reason, samples] : part.provenance.discarded) all.provenance.discarded[reason] += samples;
  }
  Provenance& provenance = all.provenance;
  provenance.device = joined_distinct(parts, &Provenance::device);
  provenance.machine = joined_distinct(parts, &Provenance::machine);
  provenance.software = joined_distinct(parts, &Provenance::software);
  provenance.date = joined_distinct(parts, &Provenance::date);
  provenance.commit = joined_distinct(parts, &Provenance::commit);
  const auto differs = [&](const Points& part) {
    return !part.provenance.machine.empty() && part.provenance.machine != provenance.machine;
  };
  if (std::any_of(parts.begin(), parts.end(), differs)) {
    all.notes.push_back("the points come from different machines: " + provenance.machine);
  }
  return all;
}

}  // namespace ringsim::calibrate
