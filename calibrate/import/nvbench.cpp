#include "calibrate/import/nvbench.hpp"

#include "calibrate/import/json_text.hpp"
#include "calibrate/import/kernel_row.hpp"
#include "calibrate/import/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace ringsim::calibrate {
namespace {

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [text](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

struct BenchmarkKernel {
  std::string kernel;  // empty: not known
  std::string pass;    // empty: the name does not say it
};

BenchmarkKernel kernel_of(std::string_view benchmark) {
  const std::string name = lower_case(benchmark);
  // Of files that ringsim has written (calibrate/export/nvbench.hpp).
  if (name == "ringsim.stream") return {"copy", ""};
  if (name == "ringsim.launch") return {"launch", ""};
  if (contains_any(name, {"attn", "attention", "flash", "fmha"})) {
    return {"attention", contains_any(name, {"bwd", "backward"})  ? "backward"
                         : contains_any(name, {"fwd", "forward"}) ? "forward"
                                                                  : ""};
  }
  if (contains_any(name, {"gemm", "matmul"})) return {"gemm", ""};
  if (contains_any(name, {"merge"})) return {"merge", ""};
  return {};
}

/// The column that an axis stands for; empty where it is none.
std::string column_of_axis(const std::string& axis, const std::string& kernel, const ImportOptions& options) {
  const auto given = options.names.find(axis);
  if (given != options.names.end()) return std::string(column_of(given->second));
  const std::string name = lower_case(axis);
  static const std::map<std::string_view, std::string_view> general = {
      {"b", "batch"},      {"h", "query_heads"},    {"hq", "query_heads"},        {"num_heads", "query_heads"},
      {"hk", "kv_heads"},  {"hkv", "kv_heads"},     {"num_kv_heads", "kv_heads"}, {"d", "head_dim"},
      {"dim", "head_dim"}, {"headdim", "head_dim"}, {"dv", "value_dim"},          {"t", "dtype"},
      {"type", "dtype"},   {"direction", "pass"},   {"is_causal", "causal"}};
  static const std::map<std::string_view, std::string_view> attention = {{"m", "rows_tokens"},
                                                                         {"q", "rows_tokens"},
                                                                         {"sq", "rows_tokens"},
                                                                         {"seq_q", "rows_tokens"},
                                                                         {"seqlen_q", "rows_tokens"},
                                                                         {"n", "columns_tokens"},
                                                                         {"kv", "columns_tokens"},
                                                                         {"sk", "columns_tokens"},
                                                                         {"seq_kv", "columns_tokens"},
                                                                         {"seq_k", "columns_tokens"},
                                                                         {"seqlen_k", "columns_tokens"},
                                                                         {"s", "tokens"},
                                                                         {"seq", "tokens"},
                                                                         {"seqlen", "tokens"}};
  if (kernel == "attention") {
    if (const auto found = attention.find(name); found != attention.end()) return std::string(found->second);
  }
  if (const auto found = general.find(name); found != general.end() && kernel != "gemm")
    return std::string(found->second);
  return std::string(column_of(name));
}

/// The value of the summary with a tag; empty where the state has none.
std::optional<JsonPlace> summary_value(const JsonPlace& state, std::string_view tag) {
  for (const JsonPlace& summary : state.at("summaries").items()) {
    const auto found = summary.find("tag");
    if (!found || found->text() != tag) continue;
    for (const JsonPlace& datum : summary.at("data").items()) {
      if (datum.at("name").text() == "value") return datum.at("value");
    }
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(const ImportOptions& options, Points& points) : options_(options), points_(points) {}

  void benchmark(const JsonPlace& benchmark) {
    const std::string name = benchmark.at("name").text();
    const BenchmarkKernel kernel = kernel_of(name);
    const std::vector<JsonPlace> states = benchmark.at("states").items();
    if (kernel.kernel.empty()) {
      points_.notes.push_back(
          fmt::format("{}: the name {} tells no kernel that is known (attention, gemm, merge); {} states are left out",
                      benchmark.where(), name, states.size()));
      return;
    }
    std::int64_t skipped = 0;
    std::string reason;
    for (const JsonPlace& state : states) {
      const auto is_skipped = state.find("is_skipped");
      if (is_skipped && is_skipped->flag()) {
        ++skipped;
        const auto why = state.find("skip_reason");
        if (why && reason.empty()) reason = why->text();
      } else {
        add_state(state, name, kernel);
      }
    }
    if (skipped > 0) {
      points_.provenance.discarded["skipped by nvbench"] += skipped;
      points_.notes.push_back(fmt::format("{}: states that the benchmark skipped: {}{}", benchmark.where(), skipped,
                                          reason.empty() ? "" : " (" + reason + ")"));
    }
  }

 private:
  void add_state(const JsonPlace& state, const std::string& name, const BenchmarkKernel& kernel) {
    KernelRow row;
    row.where = state.where();
    row.values["kernel"] = kernel.kernel;
    row.values["pass"] = kernel.pass;
    for (const JsonPlace& axis : state.at("axis_values").items()) read_axis(axis, kernel.kernel, row);
    if (kernel.kernel == "attention" && row.values["pass"].empty() && !options_.constants.contains("pass")) {
      row.values["pass"] = "forward";
      note_once(fmt::format("benchmark {} does not say its pass: forward is assumed", name));
    }
    auto time = summary_value(state, "nv/cold/time/gpu/median");
    if (!time) {
      time = summary_value(state, "nv/cold/time/gpu/mean");
      if (time) note_once(fmt::format("benchmark {} gives the mean of its times, not the median", name));
    }
    if (!time) {
      state.fail("no GPU time of cold runs", "a summary with the tag nv/cold/time/gpu/median or nv/cold/time/gpu/mean");
    }
    row.values["time_s"] = fmt::format("{}", time->number());
    if (const auto samples = summary_value(state, "nv/cold/sample_size")) {
      row.values["samples"] = fmt::format("{}", samples->count());
    }
    // The interval of the median, which ringsim writes and nvbench does not.
    const auto low = summary_value(state, "ring/time/median/low");
    const auto high = summary_value(state, "ring/time/median/high");
    if (low && high) {
      row.values["low_s"] = fmt::format("{}", low->number());
      row.values["high_s"] = fmt::format("{}", high->number());
    }
    add_point(points_, row, options_);
  }

  void read_axis(const JsonPlace& axis, const std::string& kernel, KernelRow& row) {
    const std::string name = axis.at("name").text();
    if (is_ignored(name, options_)) return;
    const std::string column = column_of_axis(name, kernel, options_);
    if (column.empty()) {
      axis.fail(fmt::format("the axis {} is not known", name),
                fmt::format("map the name {} to a column of docs/IMPORT.md, or to ignore", name));
    }
    const JsonPlace value = axis.at("value");
    std::string& cell = row.values[column];
    if (!cell.empty() && column != "pass")
      axis.fail(fmt::format("the axis {} says {} again", name, column), "one axis");
    cell = value.value().is_string() ? value.text() : value.value().dump();
    if (column == "pass") {
      const std::string pass = lower_case(cell);
      cell = pass.starts_with("f") ? "forward" : pass.starts_with("b") ? "backward" : pass;
    }
  }

  void note_once(const std::string& note) {
    if (noted_.insert(note).second) points_.notes.push_back(note);
  }

  const ImportOptions& options_;
  Points& points_;
  std::set<std::string> noted_;
};

}  // namespace

bool is_nvbench(const nlohmann::json& root) {
  return root.is_object() && root.contains("benchmarks") && root.contains("devices");
}

Points import_nvbench(const std::string& name, const nlohmann::json& root, const ImportOptions& options) {
  const JsonPlace top(root, name);
  Points points;
  points.provenance.device = "cuda";
  points.provenance.software = "nvbench";
  const std::vector<JsonPlace> devices = top.at("devices").items();
  if (!devices.empty()) points.provenance.machine = devices.front().at("name").text();
  Reader reader(options, points);
  for (const JsonPlace& benchmark : top.at("benchmarks").items()) reader.benchmark(benchmark);
  return points;
}

}  // namespace ringsim::calibrate
