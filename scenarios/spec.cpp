#include "scenarios/spec.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::scenarios {

Limits limits_of(const Field& field) {
  Limits kind{0.0, 1e9};
  switch (field.kind) {
    case Kind::duration:
      kind = {0.0, 3600.0};
      break;
    case Kind::bytes:
    case Kind::bandwidth:
      kind = {1.0, 1e18};
      break;
    case Kind::flop_rate:
      kind = {1e6, 1e21};
      break;
    case Kind::power:
      kind = {1e-3, 1e6};
      break;
    default:
      break;
  }
  return {field.minimum.value_or(kind.least), field.maximum.value_or(kind.most)};
}

std::string_view folder_of(LibraryKind kind) {
  switch (kind) {
    case LibraryKind::gpu:
      return "gpus";
    case LibraryKind::cluster:
      return "clusters";
    case LibraryKind::model:
      return "models";
    case LibraryKind::profile:
      break;
  }
  return "profiles";
}

std::string_view name_of(LibraryKind kind) {
  switch (kind) {
    case LibraryKind::gpu:
      return "GPU";
    case LibraryKind::cluster:
      return "cluster";
    case LibraryKind::model:
      return "model";
    case LibraryKind::profile:
      break;
  }
  return "profile";
}

const Field* Mapping::find(std::string_view key) const {
  const auto at = std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.key == key; });
  return at == fields.end() ? nullptr : &*at;
}

std::vector<std::string_view> Mapping::keys() const {
  std::vector<std::string_view> names;
  names.reserve(fields.size());
  for (const Field& field : fields) names.push_back(field.key);
  return names;
}

const Mapping& scenario_spec() {
  static const Mapping spec{
      .name = "scenario",
      .description = "A scenario of ringsim: a model, a workload, a cluster, and how the one is spread over the other.",
      .fields =
          {
              {.key = "name",
               .description = "Name of the scenario in reports and file names.",
               .required = true,
               .examples = {"llama3-70b-1m-h100"}},
              {.key = "model",
               .kind = Kind::mapping,
               .description = "The transformer: a name of the library, a Hugging Face config.json, or its shape.",
               .required = true,
               .mapping = model_spec,
               .examples = {"llama3-70b", "{hf_config: path/to/config.json}"}},
              {.key = "workload",
               .kind = Kind::mapping,
               .description = "What is computed.",
               .required = true,
               .mapping = workload_spec,
               .examples = {"{phase: prefill, tokens: 1Mi}"}},
              {.key = "cluster",
               .kind = Kind::mapping,
               .description = "The machines: a name of the library, overrides of one, or everything written out.",
               .required = true,
               .mapping = cluster_spec,
               .examples = {"dgx-h100", "{use: dgx-h100, nodes: 8}"}},
              {.key = "parallel",
               .kind = Kind::mapping,
               .description = "Degrees of parallelism and how ranks are laid over GPUs.",
               .fallback = "{}",
               .mapping = parallel_spec,
               .examples = {"{tensor: 8, ring: 8}"}},
              {.key = "ring",
               .kind = Kind::mapping,
               .description = "Options of the ring.",
               .fallback = "{}",
               .mapping = ring_spec,
               .examples = {"{layout: zigzag, buffers: 3}"}},
              {.key = "training",
               .kind = Kind::mapping,
               .description = "How the model is trained. Default, in phase train: the defaults of its keys.",
               .mapping = training_spec,
               .examples = {"{recompute: full, zero: 3}"},
               .later = true},
              {.key = "serving",
               .kind = Kind::mapping,
               .description =
                   "How the model is served. Default, in phases prefill and decode: the defaults of its keys.",
               .mapping = serving_spec,
               .examples = {"{kv_layout: fp8, page_tokens: 16}"},
               .later = true},
              {.key = "profile",
               .kind = Kind::mapping,
               .description =
                   "Calibrated costs: a name of the library, a YAML file, `datasheet` (peaks alone), or written out. "
                   "Default: the profile of the GPU.",
               .mapping = profile_spec,
               .examples = {"h100-sxm", "datasheet", "path/to/profile.yaml"}},
              {.key = "noise",
               .kind = Kind::mapping,
               .description = "What disturbs an ideal run.",
               .fallback = "{}",
               .mapping = noise_spec,
               .examples = {"{stragglers: [{rank: 5, slowdown: 1.2}]}"}},
              {.key = "price",
               .kind = Kind::mapping,
               .description = "What the machines cost.",
               .mapping = price_spec,
               .examples = {"{gpu_hour: 2.50}"}},
          },
      .refused = {{"hardware", "the key is called cluster", "cluster: dgx-h100"},
                  {"network", "links are part of cluster", "cluster: {intra_node: {...}, inter_node: {...}}"},
                  {"parallelism", "the key is called parallel", "parallel: {tensor: 8, ring: 8}"},
                  {"train", "how the model is trained is called training", "training: {zero: 1}"},
                  {"optimizer", "what the optimiser keeps stands below training", "training: {optimizer_bytes: 12}"},
                  {"kv_cache", "what the cache is made of stands below serving", "serving: {kv_layout: fp8}"},
                  {"documents", "documents stand below workload", "workload: {documents: {lengths: [8Ki, 137]}}"},
                  {"tokens", "tokens stands below workload", "workload: {tokens: 1Mi}"},
                  {"schema_version", "a scenario carries no version", "leave it out"}},
  };
  return spec;
}

const Mapping& spec_of(LibraryKind kind) {
  switch (kind) {
    case LibraryKind::gpu:
      return gpu_spec();
    case LibraryKind::cluster:
      return cluster_spec();
    case LibraryKind::model:
      return model_spec();
    case LibraryKind::profile:
      break;
  }
  return profile_spec();
}

namespace {

// The field at a path, null pointer where the language has none; `visit` sees it and those above it, from the outside in.
template <class Visit>
const Field* walk(std::string_view path, const Visit& visit) {
  const Mapping* mapping = &scenario_spec();
  const Field* field = nullptr;
  bool free_key = false;  // the next step is an index or a key of the writer's
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string_view key = path.substr(0, dot);
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    if (free_key) {
      free_key = false;
      continue;
    }
    field = mapping == nullptr ? nullptr : mapping->find(key);
    if (field == nullptr) return nullptr;
    visit(*field);
    mapping = field->mapping == nullptr ? nullptr : &field->mapping();
    free_key = field->kind == Kind::table || field->kind == Kind::mappings;
  }
  return field;
}

}  // namespace

const Field* field_at(std::string_view path) {
  return walk(path, [](const Field&) {});
}

bool is_later(std::string_view path) {
  bool later = false;
  static_cast<void>(walk(path, [&later](const Field& field) { later = later || field.later; }));
  return later;
}

Field row_of(const Field& table) {
  return {
      .key = table.key, .kind = table.rows, .minimum = table.minimum, .maximum = table.maximum, .beyond = table.beyond};
}

std::string path_to(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

}  // namespace ringsim::scenarios
