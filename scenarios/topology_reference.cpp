#include "scenarios/topology_reference.hpp"

#include "models/error.hpp"
#include "scenarios/complete.hpp"
#include "scenarios/format_topology.hpp"
#include "scenarios/references.hpp"
#include "scenarios/spec.hpp"
#include "scenarios/topology_file.hpp"
#include "scenarios/units.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

namespace ringsim::scenarios {
namespace {

std::optional<Bandwidth> rate_at(const Value* mapping, std::string_view key, std::string_view path) {
  const Value* value = mapping == nullptr || !mapping->is_mapping() ? nullptr : mapping->find(key);
  if (value == nullptr) return std::nullopt;
  try {
    return parse_bandwidth(value->text);
  } catch (const Error& error) {
    throw Error(fmt::format("{}.{}: {}", path, key, error.message()), value->origin, error.hint());
  }
}

// The file's number of devices, unless the scenario itself says another.
void take_count(Value& cluster, std::string_view key, std::int64_t count, const std::string& file) {
  const Value* written = cluster.find(key);
  const std::string origin = fmt::format("derived: from {}", file);
  if (written != nullptr && !written->origin.starts_with("library/")) {
    try {
      if (parse_count(written->text) == count) return;
    } catch (const Error&) {
      return;  // complete() says what is wrong
    }
    throw Error(fmt::format("cluster.{} is {}, and {} has {}", key, written->text, file, count), written->origin,
                fmt::format("{}: {}, or leave it out", key, count));
  }
  cluster.set(key, Value::scalar(fmt::format("{}", count), origin), origin);
}

std::string kind_of(const Value& mapping, std::string_view otherwise) {
  if (mapping.is_scalar()) return mapping.text;
  const Value* kind = mapping.find("kind");
  return kind != nullptr && kind->is_scalar() ? kind->text : std::string(otherwise);
}

}  // namespace

void replace_topology_file(Value& cluster, const std::string& directory) {
  Value* node = cluster.find("node");
  if (node == nullptr) return;
  expand_shorthand(*node, node_spec());
  if (!node->is_mapping()) return;  // complete() says what is wrong
  refuse_unknown_keys(*node, node_spec(), "cluster.node");
  const Value* named = node->find("file");
  if (named == nullptr) return;
  if (!named->is_scalar() || named->text.empty()) {
    throw Error(fmt::format("cluster.node.file needs a name, not {}", describe(*named)), named->origin,
                "file: topo.xml");
  }
  if (const Value* kind = node->find("kind"); kind != nullptr) {
    throw Error("cluster.node has a kind, and a file that says what it is", kind->origin, "leave out one of them");
  }
  const std::string origin = named->origin;
  const std::filesystem::path relative(named->text);
  const std::string path = relative.is_absolute() || directory.empty()
                               ? named->text
                               : (std::filesystem::path(directory) / relative).string();
  const TopologyRates rates{rate_at(node, "uplink", "cluster.node"), rate_at(node, "socket_link", "cluster.node"),
                            rate_at(node, "nvlink", "cluster.node"),
                            rate_at(cluster.find("intra_node"), "bandwidth", "cluster.intra_node")};
  TopologyFile file;
  try {
    file = read_topology_file(read_file(path, origin), path, rates);
  } catch (const Error& error) {
    if (!error.where().starts_with("cluster.")) throw;
    throw Error(fmt::format("{}: {}", error.where(), error.message()), origin, error.hint());
  }
  for (const std::string_view key : {"file", "uplink", "socket_link", "nvlink"}) node->erase(key);
  Value tree = parse_document(format_node(file.wiring, {}), path);
  set_origin(tree, path);
  *node = overlaid(std::move(tree), *node);
  take_count(cluster, "gpus_per_node", file.gpus, path);
  if (file.nics > 0) take_count(cluster, "nics_per_node", file.nics, path);
}

void drop_other_topology(Value& base, const Value& over) {
  for (const auto& [key, otherwise] : {std::pair("node", "nvswitch"), std::pair("fabric", "switch")}) {
    const Value* old = base.find(key);
    const Value* fresh = over.find(key);
    if (old == nullptr || fresh == nullptr) continue;
    const bool of_file = fresh->is_mapping() && fresh->find("file") != nullptr;
    const std::string before = kind_of(*old, otherwise);
    if (of_file || kind_of(*fresh, before) != before) base.erase(key);
  }
}

}  // namespace ringsim::scenarios
