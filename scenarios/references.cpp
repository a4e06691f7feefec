#include "scenarios/references.hpp"

#include "models/error.hpp"
#include "models/plan.hpp"
#include "scenarios/complete.hpp"
#include "scenarios/documents_reference.hpp"
#include "scenarios/hf_config.hpp"
#include "scenarios/hosts.hpp"
#include "scenarios/library.hpp"
#include "scenarios/spec.hpp"
#include "scenarios/topology_reference.hpp"
#include "scenarios/units.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

namespace ringsim::scenarios {
namespace {

std::string located(const std::string& directory, const std::string& path) {
  const std::filesystem::path relative(path);
  return relative.is_absolute() || directory.empty() ? path : (std::filesystem::path(directory) / relative).string();
}

// Takes a reference key out of a mapping; null pointer where it is not there. Throws Error where it is no text.
struct Reference {
  std::string text;
  std::string origin;
};
std::optional<Reference> take_reference(Value& node, std::string_view key, std::string_view path) {
  const Value* value = node.find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_scalar() || value->text.empty()) {
    throw Error(fmt::format("{}.{} needs a name, not {}", path, key, describe(*value)), value->origin, {});
  }
  Reference reference{value->text, value->origin};
  node.erase(key);
  return reference;
}

void replace_model(Value& model, const std::string& directory, std::vector<std::string>& warnings) {
  expand_shorthand(model, model_spec());
  if (!model.is_mapping()) return;  // complete() says what is wrong
  refuse_unknown_keys(model, model_spec(), "model");
  const std::optional<Reference> use = take_reference(model, "use", "model");
  const std::optional<Reference> config = take_reference(model, "hf_config", "model");
  if (use && config)
    throw Error("model names both a library entry and a Hugging Face config", config->origin,
                "keep one of use and hf_config");
  if (use) {
    if (use->text.ends_with(".json")) {
      throw Error(fmt::format("the library has no model {}", use->text), use->origin,
                  fmt::format("a Hugging Face config is named so: model: {{hf_config: {}}}", use->text));
    }
    model = overlaid(library_document(LibraryKind::model, use->text, use->origin), model);
  } else if (config) {
    const std::string path = located(directory, config->text);
    model = overlaid(hf_model_document(read_file(path, config->origin), path, warnings), model);
  }
}

void replace_gpu(Value& cluster) {
  Value* gpu = cluster.find("gpu");
  if (gpu == nullptr) return;
  expand_shorthand(*gpu, gpu_spec());
  if (!gpu->is_mapping()) return;
  refuse_unknown_keys(*gpu, gpu_spec(), "cluster.gpu");
  if (const auto use = take_reference(*gpu, "use", "cluster.gpu")) {
    *gpu = overlaid(library_document(LibraryKind::gpu, use->text, use->origin), *gpu);
  }
}

void expand_topology(Value& cluster) {
  if (Value* node = cluster.find("node"); node != nullptr) expand_shorthand(*node, node_spec());
  if (Value* fabric = cluster.find("fabric"); fabric != nullptr) expand_shorthand(*fabric, fabric_spec());
}

// What `use` names: a YAML file, or an entry of the library.
Value named_document(LibraryKind kind, const Reference& use, const std::string& directory) {
  if (use.text.ends_with(".yaml") || use.text.ends_with(".yml")) {
    const std::string path = located(directory, use.text);
    Value document = parse_document(read_file(path, use.origin), path);
    if (!document.is_mapping()) {
      throw Error(fmt::format("a {} is a mapping of keys, not {}", name_of(kind), describe(document)), document.origin,
                  "key: value");
    }
    return document;
  }
  return library_document(kind, use.text, use.origin);
}

std::string text_of(const Value* node, std::string_view key, std::string_view otherwise) {
  const Value* value = node == nullptr ? nullptr : node->find(key);
  return value != nullptr && value->is_scalar() ? value->text : std::string(otherwise);
}

void replace_profile(Value& scenario, const std::string& directory, std::vector<std::string>& warnings) {
  const Value* cluster = scenario.find("cluster");
  const Value* gpu = cluster == nullptr ? nullptr : cluster->find("gpu");
  Value* written = scenario.find("profile");
  Value profile = written == nullptr ? Value::mapping("default") : *written;
  const std::string key_origin = written == nullptr ? "default" : "";
  expand_shorthand(profile, profile_spec());
  if (!profile.is_mapping()) return;
  refuse_unknown_keys(profile, profile_spec(), "profile");
  std::optional<Reference> use = take_reference(profile, "use", "profile");
  if (!use && profile.find("forward") == nullptr) {  // not written out: the GPU's profile, perhaps with overrides
    const Value* default_profile = gpu == nullptr ? nullptr : gpu->find("default_profile");
    use = Reference{text_of(gpu, "default_profile", "datasheet"),
                    default_profile == nullptr ? std::string("default") : default_profile->origin};
    if (use->text == "datasheet") {
      warnings.push_back(fmt::format("no calibrated profile ships for the GPU {}: its data sheet is used",
                                     text_of(gpu, "name", "custom")));
    }
  }
  if (use && use->text == "datasheet") {
    if (!profile.entries.empty()) {
      throw Error("the profile datasheet has no values to override, it is the peaks of the GPU",
                  profile.entries.front().key_origin, "override keys of cluster.gpu, or use a calibrated profile");
    }
    profile = Value::scalar("datasheet", written == nullptr ? "default" : use->origin);
  } else if (use) {
    profile = overlaid(named_document(LibraryKind::profile, *use, directory), profile);
  }
  if (written == nullptr) {
    scenario.set("profile", std::move(profile), key_origin);
  } else {
    *written = std::move(profile);
  }
}

// A count that stands in a mapping, or `otherwise`; what is no count is complete()'s to refuse.
std::int64_t count_of(const Value* node, std::string_view key, std::int64_t otherwise) {
  const std::string text = text_of(node, key, "");
  if (text.empty()) return otherwise;
  try {
    return parse_count(text);
  } catch (const Error&) {
    return otherwise;
  }
}

// Hosts become the GPUs of the ranks that the degrees ask for; further slots stay idle.
void replace_placement(Value& scenario, const std::string& directory) {
  Value* parallel = scenario.find("parallel");
  Value* placement = parallel == nullptr ? nullptr : parallel->find("placement");
  if (placement == nullptr || !placement->is_mapping()) return;
  refuse_unknown_keys(*placement, field_at("parallel.placement")->mapping(), "parallel.placement");
  const std::optional<Reference> file = take_reference(*placement, "hostfile", "parallel.placement");
  const std::optional<Reference> list = take_reference(*placement, "nodelist", "parallel.placement");
  if (!file && !list) return;
  if ((file && list) || placement->find("gpus") != nullptr) {
    throw Error("parallel.placement says twice where ranks stand", list ? list->origin : file->origin,
                "keep one of hostfile, nodelist and gpus");
  }
  const Reference& said = file ? *file : *list;
  std::vector<Host> hosts;
  if (file) {
    const std::string path = located(directory, file->text);
    hosts = parse_hostfile(read_file(path, file->origin), path);
  } else if (list->text == "SLURM_JOB_NODELIST") {
    const char* text = std::getenv("SLURM_JOB_NODELIST");
    if (text == nullptr) {
      throw Error("SLURM_JOB_NODELIST is not set here", list->origin, "run inside a Slurm job, or write the list down");
    }
    hosts = parse_node_list(text, "SLURM_JOB_NODELIST");
  } else {
    hosts = parse_node_list(list->text, list->origin);
  }
  const Value* cluster = scenario.find("cluster");
  std::vector<std::int64_t> gpus =
      gpus_of_ranks(hosts, count_of(cluster, "nodes", 1), count_of(cluster, "gpus_per_node", 8));
  std::int64_t ranks = 1;
  for (const Axis axis : all_axes) ranks *= count_of(parallel, name_of(axis), 1);
  if (ranks > static_cast<std::int64_t>(gpus.size())) {
    throw Error(fmt::format("the hosts have {} slots, but the degrees need {} ranks", gpus.size(), ranks), said.origin,
                "more hosts or slots, or smaller degrees");
  }
  gpus.resize(static_cast<std::size_t>(ranks));
  Value numbers;
  numbers.kind = Value::Kind::sequence;
  numbers.origin = said.origin;
  for (const std::int64_t gpu : gpus) numbers.items.push_back(Value::scalar(format_count(gpu), said.origin));
  placement->set("gpus", std::move(numbers), said.origin);
}

// A travelling gradient is as wide as what it is made of.
void derive_gradient_dtype(Value& scenario) {
  if (text_of(scenario.find("workload"), "dtype", {}) != "fp64") return;
  Value* ring = scenario.find("ring");
  if (ring != nullptr && (!ring->is_mapping() || ring->find("gradient_dtype") != nullptr)) return;
  const std::string origin = "derived: as workload.dtype";
  Value derived = Value::mapping(origin);
  derived.set("gradient_dtype", Value::scalar("fp64", origin), origin);
  if (ring == nullptr) {
    scenario.set("ring", std::move(derived), origin);
  } else {
    *ring = overlaid(std::move(*ring), derived);
  }
}

}  // namespace

void replace_profile_reference(Value& profile, const std::string& directory) {
  expand_shorthand(profile, profile_spec());
  if (!profile.is_mapping()) return;
  refuse_unknown_keys(profile, profile_spec(), "profile");
  if (const auto use = take_reference(profile, "use", "profile")) {
    profile = overlaid(named_document(LibraryKind::profile, *use, directory), profile);
  }
}

void replace_cluster_references(Value& cluster, const std::string& directory) {
  expand_shorthand(cluster, cluster_spec());
  if (!cluster.is_mapping()) return;
  refuse_unknown_keys(cluster, cluster_spec(), "cluster");
  if (Value* gpu = cluster.find("gpu"); gpu != nullptr) expand_shorthand(*gpu, gpu_spec());
  expand_topology(cluster);
  if (const auto use = take_reference(cluster, "use", "cluster")) {
    Value base = named_document(LibraryKind::cluster, *use, directory);
    const Value* gpu = cluster.find("gpu");
    // A GPU that the scenario names takes the place of the cluster's; other keys override it.
    if (gpu != nullptr && gpu->find("use") != nullptr) base.erase("gpu");
    if (Value* own = base.find("gpu"); own != nullptr) expand_shorthand(*own, gpu_spec());
    expand_topology(base);
    drop_other_topology(base, cluster);
    cluster = overlaid(std::move(base), cluster);
  }
  replace_gpu(cluster);
  replace_topology_file(cluster, directory);
  if (cluster.find("nics_per_node") == nullptr) {
    if (const Value* gpus = cluster.find("gpus_per_node"); gpus != nullptr && gpus->is_scalar()) {
      cluster.set("nics_per_node", Value::scalar(gpus->text, "derived: one a GPU"), "derived: one a GPU");
    }
  }
}

std::string read_file(const std::string& path, const std::string& where) {
  std::error_code failure;
  const std::filesystem::file_type type = std::filesystem::status(path, failure).type();
  if (type == std::filesystem::file_type::directory)
    throw Error(fmt::format("{} is a directory, not a file", path), where, {});
  if (std::filesystem::exists(std::filesystem::file_status(type)) && type != std::filesystem::file_type::regular &&
      type != std::filesystem::file_type::fifo) {
    throw Error(fmt::format("{} is a device or socket: only files and pipes are read", path), where, {});
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Error(fmt::format("{} cannot be read: {}", path, errno == 0 ? "no such file" : std::strerror(errno)), where,
                {});
  }
  std::string text(longest_document + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > longest_document) throw Error(fmt::format("{} is longer than 4 MiB", path), where, {});
  if (file.bad()) throw Error(fmt::format("{} cannot be read: {}", path, std::strerror(errno)), where, {});
  return text;
}

void replace_references(Value& scenario, const std::string& directory, std::vector<std::string>& warnings) {
  if (Value* model = scenario.find("model"); model != nullptr) replace_model(*model, directory, warnings);
  if (Value* cluster = scenario.find("cluster"); cluster != nullptr) replace_cluster_references(*cluster, directory);
  replace_placement(scenario, directory);
  replace_documents(scenario, directory);
  replace_profile(scenario, directory, warnings);
  derive_gradient_dtype(scenario);
}

}  // namespace ringsim::scenarios
