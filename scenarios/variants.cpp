#include "scenarios/variants.hpp"

#include "models/error.hpp"
#include "scenarios/plain_value.hpp"
#include "scenarios/read_parts.hpp"
#include "scenarios/reader_steps.hpp"
#include "scenarios/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace ringsim::scenarios {
namespace {

constexpr std::size_t kept_documents = 64;

constexpr std::array<std::pair<std::string_view, ScenarioPart>, 10> part_names = {{
    {"model", ScenarioPart::model},
    {"workload", ScenarioPart::workload},
    {"cluster", ScenarioPart::cluster},
    {"parallel", ScenarioPart::parallel},
    {"ring", ScenarioPart::ring},
    {"training", ScenarioPart::training},
    {"serving", ScenarioPart::serving},
    {"profile", ScenarioPart::profile},
    {"noise", ScenarioPart::noise},
    {"price", ScenarioPart::price},
}};

std::optional<ScenarioPart> part_of(std::string_view key) {
  const std::string_view top = key.substr(0, key.find('.'));
  for (const auto& [name, part] : part_names) {
    if (name == top) return part;
  }
  return std::nullopt;
}

// The plain value at a dotted path; null pointer where there is none.
Value* plain_value_at(Value& root, std::string_view path) {
  Value* node = &root;
  while (node != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string_view key = path.substr(0, dot);
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    if (node->is_sequence()) {
      std::size_t index = 0;
      const auto [stop, failure] = std::from_chars(key.data(), key.data() + key.size(), index);
      const bool right = failure == std::errc() && stop == key.data() + key.size() && index < node->items.size();
      node = right ? &node->items[index] : nullptr;
    } else {
      node = node->find(key);
    }
  }
  return node != nullptr && node->is_scalar() ? node : nullptr;
}

// Whether another key of the mapping has its place only beside certain values of this one.
bool decides_keys(std::string_view key) {
  const std::size_t dot = key.rfind('.');
  if (dot == std::string_view::npos) return true;
  const Field* above = field_at(key.substr(0, dot));
  if (above == nullptr || above->mapping == nullptr) return false;
  const std::vector<Field>& fields = above->mapping().fields;
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field& field) { return field.only && field.only->key == key.substr(dot + 1); });
}

// Keys on which more depends than the part around them, by what reading does with them (references.cpp, topology_reference.cpp,
// complete_scenario()): a model's other sizes, numbers of devices, the type of gradients and of a data sheet's rates.
bool more_depends_on(std::string_view key, const Value& root) {
  if (key.starts_with("model.") || key.starts_with("workload.documents.")) return true;
  if (key == "workload.phase" || key == "workload.dtype" || key == "cluster.gpus_per_node") return true;
  const Value& parallel = part(root, "parallel");
  if (parallel.find("placement") != nullptr && (key.starts_with("parallel.") || key.starts_with("cluster.")))
    return true;
  const Value* node = part(root, "cluster").find("node");
  const Value* kind = node == nullptr ? nullptr : node->find("kind");
  const bool plain_node = kind == nullptr || kind->text == "nvswitch";
  return !plain_node && (key.starts_with("cluster.node.") || key.starts_with("cluster.intra_node."));
}

}  // namespace

Variants::Variants(Value document, std::string directory, SweepAxes axes)
    : document_(std::move(document)), directory_(std::move(directory)), axes_(std::move(axes)) {
  for (const SweepAxis& axis : axes_.axes()) {
    if (field_at(axis.key()) != nullptr) continue;
    // The reader says best what is wrong with it.
    static_cast<void>(complete_document(document_, directory_, axes_.sets(0)));
    throw Error(fmt::format("unknown key {}", axis.key()), "--set " + axis.key(), "ringsim schema lists the keys");
  }
  find_plain_axes();
}

void Variants::find_plain_axes() {
  const std::size_t count = axes_.axes().size();
  plain_.assign(count, 0);
  if (count == 0) return;
  // Of a point that cannot be read nothing is known: then every point is read by itself.
  CompleteDocument complete;
  try {
    complete = complete_document(document_, directory_, axes_.sets(0));
  } catch (const Error&) {
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& key = axes_.axes()[i].key();
    const Field& field = *field_at(key);
    const bool plain = field.kind < Kind::mapping && field.role == Role::value && part_of(key).has_value() &&
                       plain_value_at(complete.root, key) != nullptr && !decides_keys(key) &&
                       !more_depends_on(key, complete.root);
    plain_[i] = plain ? 1 : 0;
  }
}

Variants::Base Variants::complete(std::int64_t point) const {
  Base base;
  base.root = complete_document(document_, directory_, axes_.sets(point)).root;
  base.scenario = scenario_of(base.root);
  base.values.resize(axes_.axes().size());
  for (std::size_t i = 0; i < axes_.axes().size(); ++i) {
    const std::int64_t index = axes_.index(point, i);
    if (!plain_[i]) {
      base.of.push_back(index);
      continue;
    }
    const std::string& key = axes_.axes()[i].key();
    base.values[i] = {plain_value_at(base.root, key), field_at(key), *part_of(key), index};
  }
  return base;
}

Variants::Base& Variants::base_of(std::int64_t point) {
  const auto is_it = [&](const Base& base) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < axes_.axes().size(); ++i) {
      if (!plain_[i] && base.of[next++] != axes_.index(point, i)) return false;
    }
    return true;
  };
  const auto known = std::find_if(bases_.begin(), bases_.end(), is_it);
  const auto gone = [](const Base& base, const std::vector<char>& plain) {
    for (std::size_t i = 0; i < plain.size(); ++i) {
      if (plain[i] && base.values[i].node == nullptr) return true;
    }
    return false;
  };
  if (known != bases_.end() && gone(*known, plain_)) {
    bases_.erase(known);  // a value that other documents have and this one has not: it serves one point
  } else if (known != bases_.end()) {
    if (known != bases_.begin()) {
      bases_.splice(bases_.begin(), bases_, known);
      pending_ = ScenarioParts::all();
    }
    return bases_.front();
  }
  pending_ = ScenarioParts::all();
  Base base = complete(point);
  bases_.push_front({});
  Base& front = bases_.front();
  front = std::move(base);
  // The tree has moved, but not its nodes below; find them again all the same.
  for (std::size_t i = 0; i < axes_.axes().size(); ++i) {
    if (plain_[i]) front.values[i].node = plain_value_at(front.root, axes_.axes()[i].key());
  }
  if (bases_.size() > kept_documents) bases_.pop_back();
  return front;
}

bool Variants::set_value(Base& base, std::size_t axis, std::int64_t index) {
  PlainValue& value = base.values[axis];
  if (value.index == index) return false;
  if (value.node == nullptr) throw std::logic_error("the value of an axis has gone: " + axes_.axes()[axis].key());
  const SweepAxis& values = axes_.axes()[axis];
  Value fresh = Value::scalar(values.text(index), "--set " + values.key());
  // Quotes are those of YAML: only the text between them is the value.
  if (fresh.text.find_first_of("\"'#\\&*!|>%@`") != std::string::npos) {
    fresh = parse_document("value: " + fresh.text, "value").entries.front().value;
    set_origin(fresh, "--set " + values.key());
  }
  complete_plain(fresh, *value.field, values.key());
  value.node->text = std::move(fresh.text);
  value.index = index;
  return true;
}

void Variants::read_again(Base& base, ScenarioParts parts) {
  const Value& root = base.root;
  Scenario& s = base.scenario;
  if (parts.has(ScenarioPart::workload)) s.workload = read_workload(part(root, "workload"));
  if (parts.has(ScenarioPart::parallel)) s.parallel = read_parallel(part(root, "parallel"));
  if (parts.has(ScenarioPart::ring)) s.ring = read_ring(part(root, "ring"));
  if (parts.has(ScenarioPart::cluster)) s.cluster = read_cluster(part(root, "cluster"));
  if (parts.has(ScenarioPart::profile)) s.profile = profile_of(root, s.cluster, s.workload.dtype);
  if (parts.has(ScenarioPart::noise)) s.noise = read_noise(part(root, "noise"));
  if (parts.has(ScenarioPart::training)) s.training = read_training(part(root, "training"));
  if (parts.has(ScenarioPart::serving)) s.serving = read_serving(part(root, "serving"));
  if (parts.has(ScenarioPart::price)) {
    s.price_per_gpu_hour = optional_number_at(part(root, "price"), "gpu_hour");
    s.price_per_kilowatt_hour = optional_number_at(part(root, "price"), "kilowatt_hour");
  }
}

const Scenario& Variants::at(std::int64_t point) {
  Base& base = base_of(point);
  ScenarioParts again;
  try {
    for (std::size_t i = 0; i < axes_.axes().size(); ++i) {
      if (plain_[i] && set_value(base, i, axes_.index(point, i))) again.add(base.values[i].part);
    }
    // A data sheet's profile is made of the GPU.
    const bool datasheet = part(base.root, "profile").is_scalar();
    if (datasheet && again.has(ScenarioPart::cluster)) again.add(ScenarioPart::profile);
    read_again(base, again);
  } catch (...) {
    bases_.pop_front();  // it is half of one and half of another point
    pending_ = ScenarioParts::all();
    throw;
  }
  pending_.add(again);
  check(base.scenario);
  changed_ = pending_;
  pending_ = {};
  return base.scenario;
}

}  // namespace ringsim::scenarios
