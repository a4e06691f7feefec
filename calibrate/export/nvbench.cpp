#include "calibrate/export/nvbench.hpp"

#include "calibrate/samples_names.hpp"
#include "calibrate/statistics.hpp"
#include "models/cost.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

namespace ringsim::calibrate {
namespace {

using Json = nlohmann::ordered_json;

// An axis of a benchmark and its value in one state.
struct AxisValue {
  std::string name;
  const char* type;  // "int64", "string"
  std::string value;
};

// A point as nvbench sees it.
struct State {
  std::string benchmark;
  std::vector<AxisValue> axes;
  std::optional<double> flop;
  std::optional<double> bytes;  // read and written in global memory
};

AxisValue whole(const char* name, double value) { return {name, "int64", fmt::format("{:.0f}", value)}; }
AxisValue whole(const char* name, std::int64_t value) { return {name, "int64", std::to_string(value)}; }
AxisValue word(const char* name, std::string_view value) { return {name, "string", std::string(value)}; }

void add_heads(std::vector<AxisValue>& axes, const HeadShape& heads) {
  axes.push_back(whole("batch", heads.batch));
  axes.push_back(whole("query_heads", heads.query_heads));
  axes.push_back(whole("kv_heads", heads.kv_heads));
  axes.push_back(whole("head_dim", heads.query_key_dim));
  axes.push_back(whole("value_dim", heads.value_dim));
}

std::vector<AxisValue> attention_axes(const AttentionPoint& p) {
  std::vector<AxisValue> axes{whole("rows_tokens", p.shape.rows), whole("columns_tokens", p.shape.columns),
                              whole("entries", p.shape.entries), whole("causal", std::int64_t{p.shape.edges > 0})};
  add_heads(axes, p.heads);
  axes.push_back(word("dtype", word_of(dtype_names, p.dtype)));
  return axes;
}

std::optional<State> state_of(const AttentionPoint& p) {
  return State{fmt::format("attention_{}", name_of(p.pass)), attention_axes(p),
               in_flop(attention_flop(p.heads, p.pass, p.shape.entries)), std::nullopt};
}

std::optional<State> state_of(const AttentionVariantPoint& p) {
  State state{fmt::format("ringsim.variant.{}", name_of(p.pass)), attention_axes(p),
              in_flop(attention_flop(p.heads, p.pass, p.shape.entries)), std::nullopt};
  state.axes.push_back(word("kernel", p.kernel));
  state.axes.push_back(whole("multiprocessors", p.multiprocessors));
  state.axes.push_back(whole("merging", std::int64_t{p.merging}));
  state.axes.push_back(whole("warm", std::int64_t{p.warm}));
  return state;
}

std::optional<State> state_of(const MergePoint& p) {
  State state{"merge", {}, std::nullopt, in_bytes(merge_bytes(p.shape, p.accumulator, p.travelling, p.tokens))};
  state.axes = {word("accumulator", word_of(accumulator_names, p.accumulator)),
                word("travelling", p.travelling ? "true" : "false"), whole("tokens", p.tokens)};
  add_heads(state.axes, p.shape.heads);
  state.axes.push_back(word("dtype", word_of(dtype_names, p.shape.dtype)));
  state.axes.push_back(word("gradient_dtype", word_of(gradient_names, p.shape.gradient)));
  return state;
}

std::optional<State> state_of(const GemmPoint& p) {
  return State{"gemm",
               {whole("m", p.m), whole("n", p.n), whole("k", p.k), word("dtype", word_of(dtype_names, p.dtype))},
               2.0 * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k),
               std::nullopt};
}

std::optional<State> state_of(const StreamPoint& p) {
  return State{"ringsim.stream", {whole("bytes", p.bytes)}, std::nullopt, p.bytes};
}

std::optional<State> state_of(const LaunchPoint&) { return State{"ringsim.launch", {}, std::nullopt, std::nullopt}; }

std::optional<State> state_of(const CopyPoint& p) {
  return State{"ringsim.copy",
               {word("transfer", word_of(engine_names, p.engine)), whole("blocks", p.blocks),
                whole("cluster", p.cluster), whole("rate_bytes_per_s", p.rate_bytes_per_s), whole("bytes", p.bytes)},
               std::nullopt,
               2 * p.bytes};
}

std::optional<State> state_of(const OverheadPoint& p) {
  return State{"ringsim.overhead", {word("what", word_of(overhead_names, p.what))}, std::nullopt, std::nullopt};
}

std::optional<State> state_of(const TransferPoint&) { return std::nullopt; }
std::optional<State> state_of(const InterferencePoint&) { return std::nullopt; }

// Enough digits to give the same double again.
std::string digits(double value) { return fmt::format("{}", value); }

Json datum(const char* name, const char* type, std::string value) {
  return {{"name", name}, {"type", type}, {"value", std::move(value)}};
}

Json summary(std::string tag, const char* name, const char* hint, Json data) {
  Json json{{"tag", std::move(tag)}, {"name", name}};
  if (hint != nullptr) json["hint"] = hint;
  json["data"] = std::move(data);
  return json;
}

Json number_summary(std::string tag, const char* name, const char* hint, double value) {
  return summary(std::move(tag), name, hint, Json::array({datum("value", "float64", digits(value))}));
}

void add_time_summaries(Json& summaries, const Timing& time, const SampleSet& set) {
  const auto add = [&](const char* tag, const char* name, const char* hint, double value) {
    summaries.push_back(number_summary(tag, name, hint, value));
  };
  summaries.push_back(summary("nv/cold/sample_size", "Samples", "sample_size",
                              Json::array({datum("value", "int64", std::to_string(time.samples))})));
  add("nv/cold/time/gpu/median", "Median GPU Time", "duration", time.median_s);
  add("ring/time/median/low", "Low End Of Median", "duration", time.low_s);
  add("ring/time/median/high", "High End Of Median", "duration", time.high_s);
  add("ring/ci95/relative", "Median Uncertainty", "percentage", (time.high_s - time.low_s) / (2 * time.median_s));
  std::int64_t discarded = 0;
  for (const auto& [reason, count] : set.discarded) {
    discarded += count;
    summaries.push_back(summary("ring/discarded/" + reason, "Discarded", nullptr,
                                Json::array({datum("value", "int64", std::to_string(count))})));
  }
  summaries.push_back(summary("ring/discarded", "Discarded", "sample_size",
                              Json::array({datum("value", "int64", std::to_string(discarded))})));
  if (set.samples_s.empty()) return;
  const auto count = static_cast<double>(set.samples_s.size());
  const double mean = std::accumulate(set.samples_s.begin(), set.samples_s.end(), 0.0) / count;
  double squares = 0;
  for (const double s : set.samples_s) squares += (s - mean) * (s - mean);
  const double q1 = quantile(set.samples_s, 0.25);
  const double q3 = quantile(set.samples_s, 0.75);
  const auto [least, most] = std::minmax_element(set.samples_s.begin(), set.samples_s.end());
  add("nv/cold/time/gpu/min", "Min GPU Time", "duration", *least);
  add("nv/cold/time/gpu/max", "Max GPU Time", "duration", *most);
  add("nv/cold/time/gpu/mean", "GPU Time", "duration", mean);
  add("nv/cold/time/gpu/q1", "Q1 GPU Time", "duration", q1);
  add("nv/cold/time/gpu/q3", "Q3 GPU Time", "duration", q3);
  if (count > 1) add("nv/cold/time/gpu/stdev/relative", "Noise", "percentage", std::sqrt(squares / (count - 1)) / mean);
  add("nv/cold/time/gpu/iqr/relative", "IQR Noise", "percentage", (q3 - q1) / time.median_s);
}

// Little-endian float32, whatever this machine's order.
std::string as_float32(const std::vector<double>& samples_s) {
  std::string bytes;
  bytes.reserve(4 * samples_s.size());
  for (const double sample : samples_s) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(sample));
    for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>((bits >> shift) & 0xffU));
  }
  return bytes;
}

// Adds the value to the axis of its name, once; the axes of a benchmark are those of its states.
void add_to_axis(Json& axes, const AxisValue& value) {
  auto axis = std::find_if(axes.begin(), axes.end(), [&](const Json& a) { return a.at("name") == value.name; });
  if (axis == axes.end()) {
    axes.push_back({{"name", value.name}, {"type", value.type}, {"flags", ""}, {"values", Json::array()}});
    axis = axes.end() - 1;
  }
  Json& values = axis->at("values");
  const bool known =
      std::any_of(values.begin(), values.end(), [&](const Json& v) { return v.at("input_string") == value.value; });
  if (known) return;
  values.push_back({{"input_string", value.value}, {"description", ""}, {"is_active", true}, {"value", value.value}});
}

class Writer {
 public:
  Writer(const Samples& samples, const std::string& json_name) : samples_(samples), json_name_(json_name) {}

  NvbenchFiles run() {
    for (const Benchmark& benchmark : samples_.benchmarks) {
      const auto state = std::visit([](const auto& point) { return state_of(point); }, benchmark.point);
      if (state) add(benchmark, *state);
    }
    const Provenance& from = samples_.provenance;
    Json root;
    root["meta"] = {{"argv", {"ringsim", "calibrate", "--device", from.device}},
                    {"version",
                     {{"json", {{"major", 1}, {"minor", 0}, {"patch", 0}, {"string", "1.0.0"}}},
                      {"ringsim", {{"commit", from.commit}, {"software", from.software}, {"date", from.date}}}}}};
    Json device{{"id", 0}, {"name", from.machine}};
    if (from.multiprocessors > 0) device["number_of_sms"] = from.multiprocessors;
    root["devices"] = Json::array({device});
    root["benchmarks"] = benchmarks_;
    files_.json = root.dump(2) + "\n";
    return std::move(files_);
  }

 private:
  Json& benchmark_named(const std::string& name) {
    for (Json& known : benchmarks_) {
      if (known.at("name") == name) return known;
    }
    benchmarks_.push_back({{"name", name},
                           {"index", benchmarks_.size()},
                           {"devices", {0}},
                           {"axes", Json::array()},
                           {"states", Json::array()}});
    return benchmarks_.back();
  }

  void add(const Benchmark& measured, const State& state) {
    Json& benchmark = benchmark_named(state.benchmark);
    Json one{{"name", measured.name()}, {"device", 0}, {"axis_values", Json::array()}, {"summaries", Json::array()}};
    for (const AxisValue& axis : state.axes) {
      add_to_axis(benchmark.at("axes"), axis);
      one["axis_values"].push_back({{"name", axis.name}, {"type", axis.type}, {"value", axis.value}});
    }
    const Timing& time = *timings(measured.point).at(0);
    const SampleSet& set = measured.sets.at(0);
    Json& summaries = one["summaries"];
    add_time_summaries(summaries, time, set);
    if (state.flop) {
      summaries.push_back(number_summary("ring/flops_per_second", "FLOP/s", "item_rate", *state.flop / time.median_s));
    }
    if (state.bytes) {
      summaries.push_back(number_summary("nv/cold/bw/global/bytes_per_second", "GlobalMem BW", "byte_rate",
                                         *state.bytes / time.median_s));
    }
    if (!set.samples_s.empty()) {
      const std::string path = fmt::format("{}-bin/{}.bin", json_name_, files_.binaries.size());
      files_.binaries[path] = as_float32(set.samples_s);
      summaries.push_back(summary("nv/json/bin:nv/cold/sample_times", "Samples Times File", "file/sample_times",
                                  Json::array({datum("filename", "string", path),
                                               datum("size", "int64", std::to_string(set.samples_s.size()))})));
    }
    one["is_skipped"] = false;
    benchmark.at("states").push_back(std::move(one));
  }

  const Samples& samples_;
  const std::string& json_name_;
  Json benchmarks_ = Json::array();
  NvbenchFiles files_;
};

}  // namespace

NvbenchFiles write_nvbench(const Samples& samples, const std::string& json_name) {
  return Writer(samples, json_name).run();
}

}  // namespace ringsim::calibrate
