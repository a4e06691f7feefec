// `cluster` and `gpu` to Cluster and Gpu.

#include "models/error.hpp"
#include "scenarios/read_parts.hpp"
#include "scenarios/spec.hpp"
#include "scenarios/units.hpp"

#include <fmt/format.h>

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

std::optional<Power> optional_power_at(const Value& mapping, std::string_view key) {
  const Value* value = mapping.find(key);
  return value == nullptr ? std::nullopt : std::optional(parse_power(value->text));
}

std::optional<FlopRate> optional_rate_at(const Value& mapping, std::string_view key) {
  const Value* value = mapping.find(key);
  return value == nullptr ? std::nullopt : std::optional(parse_flop_rate(value->text));
}

// "file.yaml" of "file.yaml:3:5"; an origin that is no place stays what it is.
std::string_view file_of(std::string_view origin) {
  for (int number = 0; number < 2; ++number) {
    const std::size_t colon = origin.rfind(':');
    if (colon == std::string_view::npos || origin.find_first_not_of("0123456789", colon + 1) != std::string_view::npos)
      return origin;
    origin = origin.substr(0, colon);
  }
  return origin;
}

// The first origin of a value, or of a value below it, that lies outside of `file`; empty where there is none. A default
// was written nowhere.
std::string written_outside(const Value& value, std::string_view file) {
  if (value.origin == "default") return {};
  if (!value.is_mapping()) return file_of(value.origin) == file ? std::string() : value.origin;
  for (const Value::Entry& entry : value.entries) {
    std::string place = written_outside(entry.value, file);
    if (!place.empty()) return place;
  }
  return {};
}

// Key -> where its number comes from: `sources` by key, `source` for every number that it does not name. They speak for
// the numbers of their own file; a number from elsewhere (a scenario's, a --set) carries its place instead.
std::map<std::string, std::string> read_sources(const Value& mapping, std::initializer_list<std::string_view> keys) {
  std::map<std::string, std::string> result;
  const Value* all = mapping.find("source");
  const Value* single = mapping.find("sources");
  for (const std::string_view key : keys) {
    const Value* value = mapping.find(key);
    if (value == nullptr || value->origin == "default") continue;
    const Value* own = single == nullptr ? nullptr : single->find(key);
    const Value* said = own != nullptr ? own : all;
    std::string place = written_outside(*value, said == nullptr ? std::string_view() : file_of(said->origin));
    if (!place.empty()) {
      result.emplace(key, std::move(place));
    } else if (said != nullptr) {
      result.emplace(key, said->text);
    }
  }
  return result;
}

}  // namespace

Gpu read_gpu(const Value& gpu) {
  Gpu result;
  result.name = text_at(gpu, "name");
  result.bf16 = optional_rate_at(gpu, "bf16");
  result.fp8 = optional_rate_at(gpu, "fp8");
  result.fp32 = optional_rate_at(gpu, "fp32");
  result.fp64 = optional_rate_at(gpu, "fp64");
  result.memory = parse_bytes(text_at(gpu, "memory"));
  result.memory_bandwidth = parse_bandwidth(text_at(gpu, "memory_bandwidth"));
  result.multiprocessors = optional_count_at(gpu, "multiprocessors");
  result.power = optional_power_at(gpu, "power");
  result.idle_power = optional_power_at(gpu, "idle_power");
  if (result.power && result.idle_power && *result.idle_power > *result.power) {
    throw Error(
        fmt::format("idle_power {} is above power {}", format_power(*result.idle_power), format_power(*result.power)),
        gpu.find("idle_power")->origin, "what the board takes when it waits, such as 70 W");
  }
  result.default_profile = text_at(gpu, "default_profile");
  result.sources = read_sources(
      gpu, {"bf16", "fp8", "fp32", "fp64", "memory", "memory_bandwidth", "multiprocessors", "power", "idle_power"});
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
  result.wiring = read_node(part(cluster, "node"), result);
  result.fabric = read_fabric(part(cluster, "fabric"));
  result.sources =
      read_sources(cluster, {"gpus_per_node", "nics_per_node", "intra_node", "inter_node", "node", "fabric"});
  return result;
}

}  // namespace ringsim::scenarios
