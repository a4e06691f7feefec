// `cluster` and `gpu` to Cluster and Gpu.

#include "scenarios/read_parts.hpp"
#include "scenarios/spec.hpp"
#include "scenarios/units.hpp"

#include <utility>

namespace ringsim::scenarios {
namespace {

Link read_link(const Value& link) {
  Link result;
  result.link_class = text_at(link, "class");
  result.bandwidth = parse_bandwidth(text_at(link, "bandwidth"));
  if (const Value* latency = link.find("latency"); latency != nullptr) result.latency = parse_duration(latency->text);
  return result;
}

// The first place outside the library among the origins of a value; empty where all of it is the library's.
std::string written_elsewhere(const Value& value) {
  if (!value.is_mapping()) return value.origin.starts_with("library/") ? std::string() : value.origin;
  for (const Value::Entry& entry : value.entries) {
    std::string place = written_elsewhere(entry.value);
    if (!place.empty()) return place;
  }
  return {};
}

// Key -> where its number comes from: `sources` by key, `source` for every number that it does not name. Numbers that
// the scenario itself gives carry their place instead.
std::map<std::string, std::string> read_sources(const Value& mapping, std::initializer_list<std::string_view> keys) {
  std::map<std::string, std::string> result;
  const Value* all = mapping.find("source");
  const Value* single = mapping.find("sources");
  for (const std::string_view key : keys) {
    const Value* value = mapping.find(key);
    if (value == nullptr) continue;
    const Value* own = single == nullptr ? nullptr : single->find(key);
    if (std::string place = written_elsewhere(*value); !place.empty()) {
      result.emplace(key, std::move(place));
    } else if (own != nullptr || all != nullptr) {
      result.emplace(key, own != nullptr ? own->text : all->text);
    }
  }
  return result;
}

}  // namespace

Gpu read_gpu(const Value& gpu) {
  Gpu result;
  result.name = text_at(gpu, "name");
  result.bf16 = parse_flop_rate(text_at(gpu, "bf16"));
  if (const Value* fp8 = gpu.find("fp8"); fp8 != nullptr) result.fp8 = parse_flop_rate(fp8->text);
  result.memory = parse_bytes(text_at(gpu, "memory"));
  result.memory_bandwidth = parse_bandwidth(text_at(gpu, "memory_bandwidth"));
  result.multiprocessors = optional_count_at(gpu, "multiprocessors");
  result.default_profile = text_at(gpu, "default_profile");
  result.sources = read_sources(gpu, {"bf16", "fp8", "memory", "memory_bandwidth", "multiprocessors"});
  return result;
}

Cluster read_cluster(const Value& cluster) {
  Cluster result;
  result.name = text_at(cluster, "name");
  result.gpu = read_gpu(part(cluster, "gpu"));
  result.nodes = count_at(cluster, "nodes");
  result.gpus_per_node = count_at(cluster, "gpus_per_node");
  result.nics_per_node = count_at(cluster, "nics_per_node");
  result.intra_node = read_link(part(cluster, "intra_node"));
  if (const Value* link = cluster.find("inter_node"); link != nullptr) result.inter_node = read_link(*link);
  result.sources = read_sources(cluster, {"gpus_per_node", "nics_per_node", "intra_node", "inter_node"});
  return result;
}

}  // namespace ringsim::scenarios
