#include "calibrate/import/kernel_row.hpp"

#include "calibrate/import/text.hpp"
#include "models/error.hpp"
#include "models/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace ringsim::calibrate {
namespace {

struct PointSource {
  std::string place;      // for messages and residuals
  std::string published;  // by whom; empty where the file does not say
};

struct TimeUnit {
  std::string_view name;
  double per_second = 1;
};
constexpr std::array<TimeUnit, 4> time_units = {{{"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}}};

/// Reads one row; remembers what was asked for, so that values without a meaning do not go unnoticed.
class RowReader {
 public:
  RowReader(const KernelRow& row, const ImportOptions& options) : row_(row), options_(options) {}

  [[nodiscard]] std::optional<std::string> find(std::string_view column) {
    asked_.insert(std::string(column));
    const auto own = row_.values.find(column);
    if (own != row_.values.end() && !own->second.empty()) return own->second;
    const auto constant = options_.constants.find(std::string(column));
    if (constant != options_.constants.end() && !constant->second.empty()) return constant->second;
    return std::nullopt;
  }

  [[nodiscard]] std::string text(std::string_view column) {
    if (const auto value = find(column)) return *value;
    fail(column, "the value is missing", "a column of that name, or the same value for all rows as a constant");
  }

  [[nodiscard]] std::optional<double> find_positive(std::string_view column) {
    const auto value = find(column);
    if (!value) return std::nullopt;
    const auto number = finite_number(*value);
    if (!number || *number <= 0) fail(column, fmt::format("\"{}\" is no positive number", *value), "such as 12.5");
    return number;
  }
  [[nodiscard]] double positive(std::string_view column) {
    (void)text(column);
    return *find_positive(column);
  }

  [[nodiscard]] std::optional<std::int64_t> find_count(std::string_view column) {
    const auto value = find(column);
    if (!value) return std::nullopt;
    const auto number = whole_number(*value);
    if (!number || *number <= 0)
      fail(column, fmt::format("\"{}\" is no positive whole number", *value), "such as 8192");
    return number;
  }
  [[nodiscard]] std::int64_t count(std::string_view column) {
    (void)text(column);
    return *find_count(column);
  }

  [[nodiscard]] bool flag(std::string_view column, bool otherwise) {
    const auto value = find(column);
    if (!value) return otherwise;
    const std::string lower = lower_case(*value);
    if (lower == "true" || lower == "1" || lower == "yes" || lower == "causal") return true;
    if (lower == "false" || lower == "0" || lower == "no" || lower == "full" || lower == "none") return false;
    fail(column, fmt::format("\"{}\" is neither true nor false", *value), "true or false");
  }

  template <class Value>
  [[nodiscard]] Value choice(std::string_view column, const std::vector<std::pair<std::string_view, Value>>& known,
                             std::optional<Value> otherwise = std::nullopt) {
    const auto value = find(column);
    if (!value && otherwise) return *otherwise;
    const std::string wanted = lower_case(text(column));
    std::vector<std::string_view> names;
    for (const auto& [name, meaning] : known) {
      if (name == wanted) return meaning;
      names.push_back(name);
    }
    fail(column, fmt::format("\"{}\" is not known", *value), name_hint(wanted, names, "one of"));
  }

  void refuse_the_rest(std::string_view kernel) const {
    for (const auto& [column, value] : row_.values) {
      if (value.empty() || asked_.contains(column)) continue;
      fail(column, fmt::format("{} says nothing of kernel {}", column, kernel), "leave the cell empty");
    }
  }

  [[noreturn]] void fail(std::string_view column, const std::string& what, const std::string& hint) const {
    throw Error(what, fmt::format("{}: {}", row_.where, column), hint);
  }
  [[nodiscard]] const std::string& where() const { return row_.where; }

 private:
  const KernelRow& row_;
  const ImportOptions& options_;
  std::set<std::string> asked_;
};

/// The one value among PREFIX_s, PREFIX_ms, PREFIX_us and PREFIX_ns [s].
std::optional<double> find_time(RowReader& row, std::string_view prefix) {
  std::optional<double> found_s;
  for (const TimeUnit& unit : time_units) {
    const std::string column = fmt::format("{}_{}", prefix, unit.name);
    const auto value = row.find_positive(column);
    if (!value) continue;
    if (found_s) row.fail(column, "the time is given twice", "one column of times");
    found_s = *value / unit.per_second;
  }
  return found_s;
}

/// Times of the row; `counted` are the FLOP that a rate speaks of, absent where it can not.
Timing read_timing(RowReader& row, std::optional<Flop> counted) {
  Timing timing;
  const auto time_s = find_time(row, "time");
  const auto rate = row.find_positive("rate_tflop_per_s");
  if (time_s && rate) row.fail("rate_tflop_per_s", "both a time and a rate are given", "one of the two");
  if (!time_s && !rate) {
    row.fail("time_s", "no time is given", "time_s, time_ms, time_us, time_ns or rate_tflop_per_s");
  }
  if (rate && !counted) {
    row.fail("rate_tflop_per_s", "a rate in FLOP says nothing of this kernel", "a time, such as time_us");
  }
  timing.median_s = time_s ? *time_s : in_seconds(*counted / teraflop_per_second(*rate));
  const auto low_s = find_time(row, "low");
  const auto high_s = find_time(row, "high");
  timing.low_s = low_s.value_or(timing.median_s);
  timing.high_s = high_s.value_or(timing.median_s);
  if (timing.low_s > timing.median_s || timing.high_s < timing.median_s) {
    row.fail(
        timing.low_s > timing.median_s ? "low" : "high",
        fmt::format("the time {:g} s is not between {:g} s and {:g} s", timing.median_s, timing.low_s, timing.high_s),
        "low <= time <= high, each with its unit: low_us, time_us, high_us");
  }
  timing.samples = row.find_count("samples").value_or(1);
  return timing;
}

HeadShape read_heads(RowReader& row) {
  HeadShape heads;
  heads.batch = row.find_count("batch").value_or(1);
  heads.query_heads = row.count("query_heads");
  heads.kv_heads = row.find_count("kv_heads").value_or(heads.query_heads);
  heads.query_key_dim = row.count("head_dim");
  heads.value_dim = row.find_count("value_dim").value_or(heads.query_key_dim);
  if (heads.query_heads % heads.kv_heads != 0) {
    row.fail("kv_heads",
             fmt::format("{} key/value heads do not divide {} query heads", heads.kv_heads, heads.query_heads),
             "a divisor of query_heads");
  }
  return heads;
}

void assume_once(Points& points, std::string note) {
  if (std::find(points.notes.begin(), points.notes.end(), note) == points.notes.end()) {
    points.notes.push_back(std::move(note));
  }
}

Dtype read_dtype(RowReader& row, Points& points) {
  if (const auto text = row.find("dtype")) return parse_dtype(*text, row.where() + ": dtype");
  assume_once(points, "no number format is given: bf16 is assumed");
  return Dtype::bf16;
}

Pass read_pass(RowReader& row) {
  return row.choice<Pass>("pass", {{"forward", Pass::forward}, {"backward", Pass::backward}});
}

void add_attention(Points& points, RowReader& row, const PointSource& source) {
  AttentionPoint point;
  point.pass = read_pass(row);
  point.heads = read_heads(row);
  point.dtype = read_dtype(row, points);
  const auto tokens = row.find_count("tokens");
  const auto rows = row.find_count("rows_tokens");
  const auto columns = row.find_count("columns_tokens");
  if (tokens && (rows || columns)) row.fail("tokens", "both tokens and a rectangle are given", "one of the two");
  point.shape.rows = static_cast<double>(tokens ? *tokens : row.count("rows_tokens"));
  point.shape.columns = static_cast<double>(tokens ? *tokens : row.count("columns_tokens"));
  const bool causal = row.flag("causal", false);
  const auto entries = row.find_count("entries");
  const double full = point.shape.rows * point.shape.columns;
  if (causal && !entries && point.shape.rows != point.shape.columns) {
    row.fail("causal", "a causal mask over a rectangle can be aligned with its first or with its last key",
             "the number of (query, key) pairs that it lets through, in the column entries");
  }
  const double triangle = point.shape.rows * (point.shape.rows + 1) / 2;
  point.shape.entries = entries ? static_cast<double>(*entries) : causal ? triangle : full;
  point.shape.edges = causal || point.shape.entries < full ? 1 : 0;
  if (point.shape.entries > full) {
    row.fail(
        "entries",
        fmt::format("{} pairs do not fit into {} x {}", point.shape.entries, point.shape.rows, point.shape.columns),
        "at most rows_tokens x columns_tokens");
  }
  // Publications count half of the square for a causal mask, not half and half the diagonal.
  const double counted = !entries && causal ? full / 2 : point.shape.entries;
  point.time = read_timing(row, attention_flop(point.heads, point.pass, counted));
  point.source = source.place;
  point.origin = source.published;
  points.attention.push_back(std::move(point));
}

void add_merge(Points& points, RowReader& row, const PointSource& source) {
  MergePoint point;
  point.accumulator = row.choice<Accumulator>("accumulator",
                                              {{"output", Accumulator::output},
                                               {"q-gradient", Accumulator::q_gradient},
                                               {"kv-gradient", Accumulator::kv_gradient}},
                                              Accumulator::output);
  point.travelling = row.flag("travelling", false);
  point.tokens = static_cast<double>(row.count("tokens"));
  point.shape.heads = read_heads(row);
  point.shape.dtype = read_dtype(row, points);
  point.shape.gradient = row.choice<GradientDtype>(
      "gradient_dtype", {{"bf16", GradientDtype::bf16}, {"fp32", GradientDtype::fp32}, {"fp64", GradientDtype::fp64}},
      GradientDtype::fp32);
  point.time = read_timing(row, std::nullopt);
  point.source = source.place;
  point.origin = source.published;
  points.merge.push_back(std::move(point));
}

std::string read_link_class(RowReader& row, const ImportOptions& options) {
  if (const auto name = row.find("link_class")) return *name;
  const bool inside =
      row.choice<bool>("where", {{"inside a node", true}, {"intra", true}, {"between nodes", false}, {"inter", false}});
  const std::string& name = inside ? options.intra_class : options.inter_class;
  if (name.empty()) {
    row.fail("where", fmt::format("the link class of hops {} is not known", inside ? "inside a node" : "between nodes"),
             fmt::format("give the import {}, such as {}", inside ? "intra_class" : "inter_class",
                         inside ? "nvlink4" : "ib-ndr"));
  }
  return name;
}

void add_hop(Points& points, RowReader& row, const ImportOptions& options, const PointSource& source) {
  TransferPoint point;
  point.link_class = read_link_class(row, options);
  point.bytes = row.positive("bytes");
  point.ranks = row.find_count("ranks").value_or(2);
  point.time = read_timing(row, std::nullopt);
  point.source = source.place;
  point.origin = source.published;
  points.transfer.push_back(std::move(point));
}

void add_collective(Points& points, CollectiveKind kind, RowReader& row, const ImportOptions& options,
                    const PointSource& source) {
  CollectivePoint point;
  point.kind = kind;
  point.link_class = read_link_class(row, options);
  point.bytes = row.positive("bytes");
  point.ranks = row.count("ranks");
  if (point.ranks < 2) row.fail("ranks", "a collective of one rank moves nothing", "at least 2");
  point.time = read_timing(row, std::nullopt);
  point.source = source.place;
  point.origin = source.published;
  points.collective.push_back(std::move(point));
}

std::optional<CollectiveKind> collective_of(std::string_view kernel) {
  for (const CollectiveKind kind : {CollectiveKind::all_gather, CollectiveKind::reduce_scatter,
                                    CollectiveKind::all_reduce, CollectiveKind::all_to_all}) {
    if (kernel == name_of(kind)) return kind;
  }
  return std::nullopt;
}

void add_gemm(Points& points, RowReader& row, const PointSource& source) {
  GemmPoint point;
  point.m = row.count("m");
  point.n = row.count("n");
  point.k = row.count("k");
  point.dtype = read_dtype(row, points);
  const double products = static_cast<double>(point.m) * static_cast<double>(point.n) * static_cast<double>(point.k);
  point.time = read_timing(row, flop(2 * products));
  point.source = source.place;
  point.origin = source.published;
  points.gemm.push_back(std::move(point));
}

/// The kernel of a row that does not name it.
std::string kernel_of(RowReader& row) {
  if (const auto named = row.find("kernel")) return lower_case(*named);
  if (row.find("pass")) return "attention";
  if (row.find("link_class") || row.find("where")) return "hop";
  row.fail("kernel", "the kernel is not named", "attention, merge, gemm, copy, hop, launch or a collective");
}

}  // namespace

const std::vector<std::string_view>& known_columns() {
  static const std::vector<std::string_view> columns = {"kernel",      "pass",        "rows_tokens", "columns_tokens",
                                                        "tokens",      "causal",      "entries",     "batch",
                                                        "query_heads", "kv_heads",    "head_dim",    "value_dim",
                                                        "dtype",       "accumulator", "travelling",  "gradient_dtype",
                                                        "bytes",       "link_class",  "where",       "ranks",
                                                        "m",           "n",           "k",           "time_s",
                                                        "time_ms",     "time_us",     "time_ns",     "rate_tflop_per_s",
                                                        "low_s",       "low_ms",      "low_us",      "low_ns",
                                                        "high_s",      "high_ms",     "high_us",     "high_ns",
                                                        "samples",     "source"};
  return columns;
}

std::string_view column_of(std::string_view name) {
  static const std::map<std::string_view, std::string_view> synonyms = {
      {"rows", "rows_tokens"},  {"columns", "columns_tokens"}, {"heads", "query_heads"},
      {"mask", "causal"},       {"median_s", "time_s"},        {"median_ms", "time_ms"},
      {"median_us", "time_us"}, {"median_ns", "time_ns"},      {"tflop_per_s", "rate_tflop_per_s"}};
  const auto synonym = synonyms.find(name);
  if (synonym != synonyms.end()) return synonym->second;
  const auto known = std::find(known_columns().begin(), known_columns().end(), name);
  return known == known_columns().end() ? std::string_view() : *known;
}

bool is_ignored(const std::string& name, const ImportOptions& options) {
  const auto given = options.names.find(name);
  return given != options.names.end() && given->second == "ignore";
}

Dtype parse_dtype(std::string_view text, const std::string& where) {
  static const std::map<std::string_view, Dtype> known = {
      {"bf16", Dtype::bf16}, {"bfloat16", Dtype::bf16}, {"__nv_bfloat16", Dtype::bf16}, {"fp16", Dtype::fp16},
      {"f16", Dtype::fp16},  {"half", Dtype::fp16},     {"float16", Dtype::fp16},       {"__half", Dtype::fp16},
      {"fp8", Dtype::fp8},   {"e4m3", Dtype::fp8},      {"e5m2", Dtype::fp8},           {"fp32", Dtype::fp32},
      {"f32", Dtype::fp32},  {"float", Dtype::fp32},    {"float32", Dtype::fp32},       {"fp64", Dtype::fp64},
      {"f64", Dtype::fp64},  {"double", Dtype::fp64},   {"float64", Dtype::fp64}};
  const auto found = known.find(lower_case(text));
  if (found != known.end()) return found->second;
  throw Error(fmt::format("the number format \"{}\" is not known", text), where, "bf16, fp16, fp8, fp32 or fp64");
}

void add_point(Points& points, const KernelRow& row, const ImportOptions& options) {
  RowReader reader(row, options);
  const std::string kernel = kernel_of(reader);
  // Who published it, and where it was read.
  const std::string published = reader.find("source").value_or("");
  const PointSource source{published.empty() ? row.where : fmt::format("{} ({})", published, row.where), published};
  if (kernel == "attention") {
    add_attention(points, reader, source);
  } else if (kernel == "merge") {
    add_merge(points, reader, source);
  } else if (kernel == "hop") {
    add_hop(points, reader, options, source);
  } else if (kernel == "gemm") {
    add_gemm(points, reader, source);
  } else if (const auto kind = collective_of(kernel)) {
    add_collective(points, *kind, reader, options, source);
  } else if (kernel == "copy") {
    const double moved_bytes = reader.positive("bytes");
    points.stream.push_back({moved_bytes, read_timing(reader, std::nullopt), source.place, source.published});
  } else if (kernel == "launch") {
    points.launch.push_back({read_timing(reader, std::nullopt), source.place, source.published});
  } else {
    reader.fail("kernel", fmt::format("\"{}\" is not known", kernel),
                name_hint(kernel,
                          {"attention", "merge", "gemm", "copy", "hop", "launch", "all-gather", "reduce-scatter",
                           "all-reduce", "all-to-all"},
                          "one of"));
  }
  reader.refuse_the_rest(kernel);
}

}  // namespace ringsim::calibrate
