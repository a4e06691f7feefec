#include "scenarios/format_cluster.hpp"

#include "models/error.hpp"
#include "scenarios/format_topology.hpp"
#include "scenarios/reader.hpp"
#include "scenarios/units.hpp"
#include "scenarios/yaml_text.hpp"

#include <fmt/format.h>

namespace ringsim::scenarios {
namespace {

std::string sources(const std::map<std::string, std::string>& of, std::string_view indent) {
  if (of.empty()) return {};
  std::string text = fmt::format("{}sources:\n", indent);
  for (const auto& [key, source] : of) text += fmt::format("{}  {}: {}\n", indent, key, yaml_text(source));
  return text;
}

std::string gpu_keys(const Gpu& gpu) {
  std::string text = fmt::format("  name: {}\n", yaml_text(gpu.name));
  const auto rate = [&text](std::string_view key, const std::optional<FlopRate>& value) {
    if (value) text += fmt::format("  {}: {}\n", key, format_flop_rate(*value));
  };
  rate("bf16", gpu.bf16);
  rate("fp8", gpu.fp8);
  rate("fp32", gpu.fp32);
  rate("fp64", gpu.fp64);
  text += fmt::format("  memory: {}\n  memory_bandwidth: {}\n", format_bytes_shortest(gpu.memory),
                      format_bandwidth(gpu.memory_bandwidth));
  if (gpu.multiprocessors) text += fmt::format("  multiprocessors: {}\n", *gpu.multiprocessors);
  if (gpu.power) text += fmt::format("  power: {}\n", format_power(*gpu.power));
  if (gpu.idle_power) text += fmt::format("  idle_power: {}\n", format_power(*gpu.idle_power));
  if (!gpu.default_profile.empty()) text += fmt::format("  default_profile: {}\n", yaml_text(gpu.default_profile));
  return text + sources(gpu.sources, "  ");
}

std::string link(std::string_view key, const Link& link) {
  const std::string latency = link.latency ? ", latency: " + format_duration(*link.latency) : "";
  return fmt::format("{}: {{class: {}, bandwidth: {}{}}}\n", key, yaml_text(link.link_class),
                     format_bandwidth(link.bandwidth), latency);
}

}  // namespace

std::string format_cluster(const Cluster& c, std::string_view comment) {
  std::string text = yaml_comment(comment);
  text += fmt::format("name: {}\ngpu:\n{}", yaml_text(c.name), gpu_keys(c.gpu));
  text += fmt::format("nodes: {}\ngpus_per_node: {}\nnics_per_node: {}\n", c.nodes, c.gpus_per_node, c.nics_per_node);
  text += link("intra_node", c.intra_node);
  if (c.inter_node) text += link("inter_node", *c.inter_node);
  if (c.wiring != NodeWiring{} || c.sources.contains("node")) text += "node:\n" + format_node(c.wiring, "  ");
  if (c.fabric != Fabric{} || c.sources.contains("fabric"))
    text += fmt::format("fabric: {}\n", format_fabric(c.fabric));
  text += sources(c.sources, "");
  // A file that nobody could read, or that says something else, is not handed out.
  Cluster again = read_cluster_text(text, c.name);
  again.sources = c.sources;
  again.gpu.sources = c.gpu.sources;
  again.gpu.default_profile = c.gpu.default_profile;
  if (again != c) throw Error(fmt::format("the cluster {} holds a value that is not a finite number", c.name), {}, {});
  return text;
}

}  // namespace ringsim::scenarios
