// The reader of the samples file; the format is described in calibrate/samples.hpp.
#include "calibrate/samples.hpp"
#include "calibrate/samples_names.hpp"
#include "calibrate/statistics.hpp"
#include "models/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <set>

namespace ringsim::calibrate {
namespace {

using Json = nlohmann::json;

// A value and where it stands. An object remembers which keys were asked for, so that finish() finds those that nobody
// knows.
class Node {
 public:
  Node(const Json& json, std::string place, const std::string& file)
      : json_(json), place_(std::move(place)), file_(file) {}

  [[noreturn]] void fail(const std::string& what, const std::string& hint) const {
    throw Error(what, place_.empty() ? file_ : file_ + ": " + place_, hint);
  }

  Node operator[](const std::string& key) {
    if (!json_.is_object()) fail(fmt::format("is {}, not an object", json_.type_name()), "write {...}");
    known_.insert(key);
    const auto found = json_.find(key);
    if (found == json_.end()) fail("the key \"" + key + "\" is missing", "a samples file gives every amount");
    return {*found, place_.empty() ? key : place_ + "." + key, file_};
  }
  /// Whether the key is there, of one that may be left out.
  [[nodiscard]] bool has(const std::string& key) {
    known_.insert(key);
    return json_.is_object() && json_.contains(key);
  }
  void finish() const {
    for (const auto& item : json_.items()) {
      if (known_.contains(item.key())) continue;
      std::string list;
      for (const std::string& key : known_) list += (list.empty() ? "" : ", ") + key;
      fail("nobody knows the key \"" + item.key() + "\" here", "known are " + list);
    }
  }
  [[nodiscard]] std::vector<Node> items() const {
    if (!json_.is_array()) fail(fmt::format("is {}, not a list", json_.type_name()), "write [...]");
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < json_.size(); ++i)
      nodes.emplace_back(json_[i], fmt::format("{}[{}]", place_, i), file_);
    return nodes;
  }

  [[nodiscard]] std::string text() const {
    if (!json_.is_string()) fail(fmt::format("is {}, not a text", json_.type_name()), "write \"...\"");
    return json_.get<std::string>();
  }
  [[nodiscard]] bool truth() const {
    if (!json_.is_boolean()) fail(fmt::format("is {}, not true or false", json_.type_name()), "write true or false");
    return json_.get<bool>();
  }
  /// At least `least`; above 0 where `least` is 0 and `positive`.
  [[nodiscard]] double number(bool positive = true) const {
    if (!json_.is_number()) fail(fmt::format("is {}, not a number", json_.type_name()), "write a number in SI units");
    const auto value = json_.get<double>();
    if (!(value >= 0) || (positive && value == 0)) {
      fail(fmt::format("is {}", value), positive ? "write a number above 0" : "write a number from 0 on");
    }
    return value;
  }
  [[nodiscard]] std::int64_t count(std::int64_t least = 1) const {
    if (!json_.is_number_integer() || json_.get<std::int64_t>() < least) {
      fail(fmt::format("is {}", json_.dump()), fmt::format("write a whole number from {} on", least));
    }
    return json_.get<std::int64_t>();
  }
  [[nodiscard]] std::map<std::string, std::int64_t> counts() const {
    if (!json_.is_object()) fail(fmt::format("is {}, not an object", json_.type_name()), "write {\"reason\": count}");
    std::map<std::string, std::int64_t> all;
    for (const auto& item : json_.items()) {
      all[item.key()] = Node(item.value(), place_ + "." + item.key(), file_).count(0);
    }
    return all;
  }
  template <class E, std::size_t N>
  [[nodiscard]] E named(const Names<E, N>& names) const {
    const std::string word = text();
    std::string list;
    for (const auto& [name, value] : names) {
      if (name == word) return value;
      list += (list.empty() ? "" : ", ") + std::string(name);
    }
    fail("nobody knows \"" + word + "\" here", "write one of " + list);
  }

 private:
  const Json& json_;
  std::string place_;
  const std::string& file_;
  std::set<std::string> known_;
};

HeadShape read_heads(Node node) {
  HeadShape heads;
  heads.batch = node["sequences"].count();
  heads.query_heads = node["query_heads"].count();
  heads.kv_heads = node["kv_heads"].count();
  heads.query_key_dim = node["query_key_dim"].count();
  heads.value_dim = node["value_dim"].count();
  node.finish();
  return heads;
}

// The timing, and what stands behind it. What the samples say must be what the file says they do.
Timing read_times(Node& node, std::vector<SampleSet>& sets) {
  SampleSet set;
  for (const Node& sample : node["samples_s"].items()) set.samples_s.push_back(sample.number());
  set.discarded = node["discarded"].counts();
  const Timing time{node["median_s"].number(), node["low_s"].number(), node["high_s"].number(),
                    node["samples"].count()};
  if (!(time.low_s <= time.median_s && time.median_s <= time.high_s)) {
    node.fail(fmt::format("the interval from {} s to {} s does not hold the median {} s", time.low_s, time.high_s,
                          time.median_s),
              "low_s <= median_s <= high_s");
  }
  if (!set.samples_s.empty()) {
    if (static_cast<std::int64_t>(set.samples_s.size()) != time.samples) {
      node["samples"].fail(fmt::format("is {}, but samples_s holds {}", time.samples, set.samples_s.size()),
                           "the number of samples that count");
    }
    const MedianInterval interval = median_interval(set.samples_s);
    const auto compare = [&](const char* key, double stated, double follows) {
      if (std::abs(stated - follows) <= 1e-9 * follows) return;
      node[key].fail(fmt::format("is {} s, but the samples have {} s", stated, follows),
                     "leave samples_s empty where only the median is known");
    };
    compare("median_s", time.median_s, interval.median);
    compare("low_s", time.low_s, interval.low);
    compare("high_s", time.high_s, interval.high);
  }
  sets.push_back(std::move(set));
  return time;
}

void read_attention(Node& node, AttentionPoint& p) {
  p.pass = node["pass"].named(pass_names);
  p.shape = {node["rows_tokens"].number(), node["columns_tokens"].number(), node["entries"].number(),
             static_cast<int>(node["edges"].count(0))};
  p.heads = read_heads(node["heads"]);
  p.dtype = node["dtype"].named(dtype_names);
}

Benchmark read_benchmark(Node node) {
  Benchmark benchmark;
  const Node kind_node = node["kind"];
  const std::string kind = kind_node.text();
  const std::string name = node["name"].text();
  if (kind == "attention") {
    AttentionPoint p;
    read_attention(node, p);
    benchmark.point = p;
  } else if (kind == "attention-variant") {
    AttentionVariantPoint p;
    read_attention(node, p);
    p.kernel = node["kernel"].text();
    p.multiprocessors = node["multiprocessors"].count(0);
    p.merging = node["merging"].truth();
    p.warm = node["warm"].truth();
    benchmark.point = p;
  } else if (kind == "merge") {
    MergePoint p;
    p.accumulator = node["accumulator"].named(accumulator_names);
    p.travelling = node["travelling"].truth();
    p.tokens = node["tokens"].number();
    p.shape.heads = read_heads(node["heads"]);
    p.shape.dtype = node["dtype"].named(dtype_names);
    p.shape.gradient = node["gradient_dtype"].named(gradient_names);
    benchmark.point = p;
  } else if (kind == "transfer") {
    TransferPoint p;
    p.link_class = node["link_class"].text();
    p.bytes = node["bytes"].number();
    p.ranks = node["ranks"].count();
    benchmark.point = p;
  } else if (kind == "gemm") {
    GemmPoint p;
    p.m = node["m"].count();
    p.n = node["n"].count();
    p.k = node["k"].count();
    p.dtype = node["dtype"].named(dtype_names);
    benchmark.point = p;
  } else if (kind == "stream") {
    StreamPoint p;
    p.bytes = node["bytes"].number();
    benchmark.point = p;
  } else if (kind == "interference") {
    InterferencePoint p;
    p.engine = node["transfer"].named(engine_names);
    p.link_class = node["link_class"].text();
    p.bytes = node["bytes"].number();
    if (node.has("pass")) p.pass = node["pass"].named(pass_names);
    if (node.has("blocks")) p.blocks = node["blocks"].count();
    if (node.has("kernel_first")) p.kernel_first = node["kernel_first"].truth();
    const auto times = [&](const char* key) {
      Node part = node[key];
      const Timing time = read_times(part, benchmark.sets);
      part.finish();
      return time;
    };
    p.kernel_alone = times("kernel_alone");
    p.kernel_beside = times("kernel_beside");
    p.transfer_alone = times("transfer_alone");
    p.transfer_beside = times("transfer_beside");
    benchmark.point = p;
  } else if (kind == "launch") {
    benchmark.point = LaunchPoint{};
  } else if (kind == "copy") {
    CopyPoint p;
    p.engine = node["transfer"].named(engine_names);
    p.blocks = node["blocks"].count(0);
    p.cluster = node["cluster"].count();
    p.rate_bytes_per_s = node["rate_bytes_per_s"].number(false);
    p.bytes = node["bytes"].number();
    benchmark.point = p;
  } else if (kind == "overhead") {
    OverheadPoint p;
    p.what = node["what"].named(overhead_names);
    benchmark.point = p;
  } else {
    kind_node.fail("nobody knows benchmarks of the kind \"" + kind + "\"",
                   "write attention, attention-variant, merge, transfer, copy, gemm, stream, interference, launch or "
                   "overhead");
  }
  std::visit(
      [&](auto& p) {
        p.source = name;
        if constexpr (requires { p.time; }) p.time = read_times(node, benchmark.sets);
      },
      benchmark.point);
  node.finish();
  return benchmark;
}

Provenance read_provenance(Node node) {
  Provenance from;
  from.device = node["device"].text();
  from.machine = node["machine"].text();
  from.ranks = node["ranks"].count();
  from.software = node["software"].text();
  from.date = node["date"].text();
  from.commit = node["commit"].text();
  if (node.has("multiprocessors")) from.multiprocessors = node["multiprocessors"].count();
  node.finish();
  return from;
}

}  // namespace

Samples read_samples(std::string_view text, const std::string& file) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error(fmt::format("this is no JSON: {}", error.what()), file, "a file that `ringsim calibrate` has written");
  }
  Node node(json, "", file);
  const Node kind = node["kind"];
  if (kind.text() != "ringsim-samples") kind.fail("is \"" + kind.text() + "\"", "\"ringsim-samples\"");
  const Node version = node["schema_version"];
  if (version.count() != 1) version.fail(fmt::format("is {}", version.count()), "this ringsim reads version 1");
  Samples samples;
  samples.provenance = read_provenance(node["provenance"]);
  for (const Node& note : node["notes"].items()) samples.notes.push_back(note.text());
  for (const Node& benchmark : node["benchmarks"].items()) samples.benchmarks.push_back(read_benchmark(benchmark));
  node.finish();
  return samples;
}

}  // namespace ringsim::calibrate
