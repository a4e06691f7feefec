#include "scenarios/reader.hpp"

#include "models/error.hpp"
#include "models/topology/check.hpp"
#include "scenarios/complete.hpp"
#include "scenarios/overrides.hpp"
#include "scenarios/read_parts.hpp"
#include "scenarios/reader_steps.hpp"
#include "scenarios/references.hpp"
#include "scenarios/resolved.hpp"
#include "scenarios/spec.hpp"
#include "scenarios/units.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace ringsim::scenarios {
namespace {

// A training step and serving have options of their own, which a scenario need not write.
void add_phase_options(Value& root, std::vector<std::string>& warnings) {
  const Value* workload = root.find("workload");
  const Value* written = workload == nullptr ? nullptr : workload->find("phase");
  const std::string phase = written == nullptr || !written->is_scalar() ? "prefill" : written->text;
  const bool trains = phase == name_of(Phase::train) || phase == name_of(Phase::backward);
  const std::string_view options = trains ? "training" : "serving";
  if (root.find(options) == nullptr) root.set(options, Value::mapping("default"), "default");
  if (options != "training" && root.find("training") != nullptr) {
    warnings.push_back(fmt::format("training has no effect on phase {}", phase));
  }
}

void complete_scenario(Value& root, std::vector<std::string>& warnings) {
  const Value* profile = root.find("profile");
  const bool datasheet = profile != nullptr && profile->is_scalar();
  Value::Entry kept;
  if (datasheet) {  // no mapping to complete: put aside, and back in the place of the language
    for (Value::Entry& entry : root.entries) {
      if (entry.key == "profile") kept = entry;
    }
    root.erase("profile");
  }
  add_phase_options(root, warnings);
  complete(root, scenario_spec(), "");
  if (!datasheet) return;
  auto at = root.entries.begin();
  while (at != root.entries.end() && at->key != "noise") ++at;
  root.entries.insert(at, std::move(kept));
}

// Checks of the models name keys; the user needs the place where the key was written.
[[noreturn]] void throw_with_place(const Error& error, const Value& root, const std::string& file) {
  const std::string& where = error.where();
  const bool is_key = where.find_first_of(": ") == std::string::npos;
  if (!is_key) throw error;
  const std::string place = where.empty() ? std::string() : place_of(root, where);
  throw Error(where.empty() ? error.message() : fmt::format("{}: {}", where, error.message()),
              place.empty() ? file : place, error.hint());
}

}  // namespace

Profile profile_of(const Value& root, const Cluster& cluster, Dtype dtype) {
  const Value& profile = part(root, "profile");
  return profile.is_scalar() ? datasheet_profile(cluster.gpu, dtype) : read_profile(profile);
}

Scenario scenario_of(const Value& root) {
  Scenario scenario;
  scenario.name = text_at(root, "name");
  scenario.model = read_model(part(root, "model"));
  check(scenario.model);
  scenario.workload = read_workload(part(root, "workload"));
  scenario.cluster = read_cluster(part(root, "cluster"));
  scenario.parallel = read_parallel(part(root, "parallel"));
  scenario.ring = read_ring(part(root, "ring"));
  scenario.profile = profile_of(root, scenario.cluster, scenario.workload.dtype);
  scenario.noise = read_noise(part(root, "noise"));
  if (const Value* training = root.find("training"); training != nullptr) scenario.training = read_training(*training);
  if (const Value* serving = root.find("serving"); serving != nullptr) scenario.serving = read_serving(*serving);
  if (const Value* price = root.find("price"); price != nullptr) {
    scenario.price_per_gpu_hour = optional_number_at(*price, "gpu_hour");
    scenario.price_per_kilowatt_hour = optional_number_at(*price, "kilowatt_hour");
  }
  return scenario;
}

CompleteDocument complete_document(Value root, const std::string& directory, const std::vector<std::string>& sets) {
  if (!root.is_mapping()) {
    throw Error(fmt::format("a scenario is a mapping of keys, not {}", describe(root)), root.origin,
                "name: my-scenario");
  }
  for (const std::string& assignment : sets) apply_override(root, assignment);
  refuse_unknown_keys(root, scenario_spec(), "");
  CompleteDocument document;
  replace_references(root, directory, document.warnings);
  complete_scenario(root, document.warnings);
  document.root = std::move(root);
  return document;
}

Scenario read_scenario_text(std::string_view text, const std::string& name, const std::string& directory,
                            const std::vector<std::string>& sets) {
  return read_scenario_document(parse_document(text, name), name, directory, sets);
}

Scenario read_scenario_document(Value document, const std::string& name, const std::string& directory,
                                const std::vector<std::string>& sets) {
  CompleteDocument completed = complete_document(std::move(document), directory, sets);
  try {
    Scenario scenario = scenario_of(completed.root);
    list_values(completed.root, scenario_spec(), "", scenario.resolved);
    scenario.hash = hash_of(scenario.resolved);
    scenario.warnings = std::move(completed.warnings);
    check(scenario);
    return scenario;
  } catch (const Error& error) {
    throw_with_place(error, completed.root, name);
  }
}

Scenario read_scenario(const std::string& path, const std::vector<std::string>& sets) {
  const std::string text = read_file(path, path);
  return read_scenario_text(text, path, std::filesystem::path(path).parent_path().string(), sets);
}

Profile read_profile_text(std::string_view text, const std::string& name) {
  Value document = parse_document(text, name);
  replace_profile_reference(document, {});
  complete(document, profile_spec(), "profile");
  return read_profile(document);
}

PartialProfile read_partial_profile(const std::vector<std::string>& uses, const std::string& where) {
  Value document = Value::mapping(where);
  for (const std::string& use : uses) {
    Value named = Value::mapping(where);
    named.set("use", Value::scalar(use, where), where);
    replace_profile_reference(named, {});
    document = overlaid(std::move(document), named);
  }
  // What any profile must have, as the language demands it; the values are never looked at.
  Value missing = parse_document(
      "gpu: none\n"
      "forward: {saturated: 1 TFLOP/s, half_depth: 0}\n"
      "backward: {saturated: 1 TFLOP/s, half_depth: 0}\n"
      "launch: 0 s\nmerge_traffic: 0\nmerge_bandwidth: 1 GB/s\nevent_latency: 0 s\n"
      "contest_for_multiprocessors: false\nlinks: {}\n",
      where);
  PartialProfile partial;
  for (const Value::Entry& entry : missing.entries) {
    const Value* given = document.find(entry.key);
    // A pass without a rate holds what is known of its kernel beside the fit.
    const bool rateless = entry.value.is_mapping() && entry.value.find("saturated") != nullptr && given != nullptr &&
                          given->find("saturated") == nullptr;
    if (given == nullptr || rateless) partial.left_out.push_back(entry.key);
  }
  document = overlaid(std::move(missing), document);
  if (Value* links = document.find("links"); links != nullptr && links->is_mapping()) {
    for (Value::Entry& link : links->entries) {
      if (!link.value.is_mapping() || link.value.find("efficiency") != nullptr) continue;
      partial.left_out.push_back(path_to("links", link.key));
      link.value = overlaid(parse_document("latency: 0 s\nefficiency: 100%\n", where), link.value);
    }
  }
  complete(document, profile_spec(), "profile");
  partial.profile = read_profile(document);
  return partial;
}

Cluster read_cluster_text(std::string_view text, const std::string& name) {
  Value document = parse_document(text, name);
  replace_cluster_references(document, {});
  complete(document, cluster_spec(), "cluster");
  try {
    Cluster cluster = read_cluster(document);
    check_topology(cluster);
    return cluster;
  } catch (const Error& error) {
    if (!error.where().starts_with("cluster.")) throw;
    const std::string place = place_of(document, error.where().substr(std::string_view("cluster.").size()));
    throw Error(fmt::format("{}: {}", error.where(), error.message()), place.empty() ? name : place, error.hint());
  }
}

}  // namespace ringsim::scenarios
