#include "scenarios/difference.hpp"

#include "models/error.hpp"
#include "scenarios/reader.hpp"
#include "scenarios/written_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace ringsim::scenarios {
namespace {

std::string part_of(std::string_view key) { return std::string(key.substr(0, key.find('.'))); }

bool is_label(std::string_view key) {
  return key == "model.name" || key == "cluster.name" || key == "cluster.gpu.name" || key == "profile.name";
}

// Whether the key says which GPU a cluster has.
bool names_gpu(const std::string& key) {
  return key == "cluster.use" || key == "cluster.gpu" || key == "cluster.gpu.use";
}

using Group = std::vector<std::string>;  // keys

// Makes one group of all those for which `which` holds, in the place of the first.
void join_groups(std::vector<Group>& groups, const std::function<bool(const Group&)>& which) {
  const auto first = std::find_if(groups.begin(), groups.end(), which);
  if (first == groups.end()) return;
  for (auto other = first + 1; other != groups.end();) {
    if (!which(*other)) {
      ++other;
      continue;
    }
    first->insert(first->end(), other->begin(), other->end());
    other = groups.erase(other);
  }
}

std::vector<Group> groups_of(const std::vector<std::string>& keys, bool other_gpu) {
  std::vector<Group> groups;
  for (const std::string& key : keys) groups.push_back({key});
  join_groups(groups, [](const Group& group) { return part_of(group.front()) == "model"; });
  if (other_gpu) {
    join_groups(groups, [](const Group& group) {
      return part_of(group.front()) == "profile" || std::any_of(group.begin(), group.end(), names_gpu);
    });
  }
  for (const char* part : {"cluster", "profile"}) {  // labels go with their neighbours
    const auto own = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return part_of(group.front()) == part && !is_label(group.front());
    });
    if (own == groups.end()) continue;
    const std::string kept = own->front();
    join_groups(groups, [&](const Group& group) {
      return group.front() == kept || (part_of(group.front()) == part && is_label(group.front()));
    });
  }
  if (groups.size() > most_inputs) {
    std::set<std::string> parts;
    for (const std::string& key : keys) parts.insert(part_of(key));
    for (const std::string& part : parts) {
      join_groups(groups, [&](const Group& group) { return part_of(group.front()) == part; });
    }
  }
  return groups;
}

// What a group is called: its key, or the mapping that its keys have in common.
std::string name_of_group(const Group& keys) {
  const auto without_use = [](const std::string& key) {
    return key.ends_with(".use") ? key.substr(0, key.size() - 4) : key;
  };
  std::vector<std::string> names;
  for (const std::string& key : keys) {
    if (is_label(key) && keys.size() > 1) continue;
    const std::string name = part_of(key) == "model" && keys.size() > 1 ? "model" : without_use(key);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (names.empty()) return part_of(keys.front());
  if (names.size() > 3) {
    std::vector<std::string> parts;
    for (const std::string& name : names) {
      if (std::find(parts.begin(), parts.end(), part_of(name)) == parts.end()) parts.push_back(part_of(name));
    }
    names = std::move(parts);
  }
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) text += " + " + names[i];
  return text;
}

using Resolved = std::map<std::string, const ResolvedValue*>;

Resolved table_of(const Scenario& scenario) {
  Resolved table;
  for (const ResolvedValue& value : scenario.resolved) table[value.key] = &value;
  return table;
}

// Keys with other values, the scenario's name aside; those of `a` in the language's order, then those of `b` alone.
std::vector<std::string> differing_keys(const Scenario& a, const Scenario& b) {
  const Resolved of_a = table_of(a);
  const Resolved of_b = table_of(b);
  std::vector<std::string> keys;
  for (const ResolvedValue& value : a.resolved) {
    const auto other = of_b.find(value.key);
    if (value.key != "name" && (other == of_b.end() || other->second->text != value.text)) keys.push_back(value.key);
  }
  for (const ResolvedValue& value : b.resolved) {
    if (!of_a.contains(value.key)) keys.push_back(value.key);
  }
  return keys;
}

std::optional<ValueOfSide> side(const Resolved& table, const std::string& key) {
  const auto found = table.find(key);
  if (found == table.end()) return std::nullopt;
  return ValueOfSide{found->second->text, found->second->origin};
}

// What an input is on one side, for people: as written, else what stands for it.
std::string text_of(const ChangedInput& input, const Value& root, const Scenario& scenario) {
  const std::string& key = input.keys.front();
  if (const Value* written = value_at(root, key); written != nullptr && input.keys.size() == 1)
    return in_short(written);
  if (input.part == "model") {
    const Value* use = value_at(root, "model.use");
    return use != nullptr ? in_short(use) : scenario.model.name.empty() ? "written out" : scenario.model.name;
  }
  if (std::find(input.keys.begin(), input.keys.end(), "cluster.use") != input.keys.end()) {
    return scenario.cluster.name.empty() ? scenario.cluster.gpu.name : scenario.cluster.name;
  }
  if (key == "cluster.gpu" || key == "cluster.gpu.use") return scenario.cluster.gpu.name;
  if (key == "profile" || key == "profile.use") return scenario.profile.name;
  if (input.keys.size() > 1) return {};  // the keys speak for themselves
  const Resolved table = table_of(scenario);
  const std::optional<ValueOfSide> value = side(table, key);
  return value ? value->text : "none";
}

// Whether a scenario resolves to the same with what another wrote for a key.
bool changes_nothing(const WrittenScenario& written, const Scenario& scenario, const Value& other,
                     const std::string& key) {
  Value root = written.root;
  take_over(root, other, key);
  try {
    return differing_keys(scenario, read_scenario_document(std::move(root), written.name)).empty();
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Difference::Difference(WrittenScenario a, WrittenScenario b)
    : written_a_(std::move(a)),
      written_b_(std::move(b)),
      a_(read_scenario_document(written_a_.root, written_a_.name)),
      b_(read_scenario_document(written_b_.root, written_b_.name)) {
  std::vector<std::string> keys = written_changes(written_a_.root, written_b_.root);
  std::erase_if(keys, [&](const std::string& key) {
    return changes_nothing(written_a_, a_, written_b_.root, key) &&
           changes_nothing(written_b_, b_, written_a_.root, key);
  });
  for (const Group& group : groups_of(keys, a_.cluster.gpu.name != b_.cluster.gpu.name)) {
    ChangedInput input;
    input.name = name_of_group(group);
    input.part = part_of(group.front());
    input.keys = group;
    input.a = text_of(input, written_a_.root, a_);
    input.b = text_of(input, written_b_.root, b_);
    inputs_.push_back(std::move(input));
  }
  read_values();
}

Scenario Difference::mixed(std::uint64_t of_b) const {
  if (of_b == 0) return a_;
  if (inputs_.size() < 64 && of_b == (std::uint64_t{1} << inputs_.size()) - 1) return b_;
  Value root = written_a_.root;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if ((of_b >> i & 1U) == 0) continue;
    for (const std::string& key : inputs_[i].keys) take_over(root, written_b_.root, key);
  }
  return read_scenario_document(std::move(root), written_a_.name);
}

// Gives every differing value to the input that it follows from.
void Difference::read_values() {
  const std::size_t count = inputs_.size();
  const std::uint64_t all = (std::uint64_t{1} << count) - 1;
  std::vector<std::set<std::string>> follows(count);
  if (count == 1) {
    const std::vector<std::string> keys = differing_keys(a_, b_);
    follows[0] = {keys.begin(), keys.end()};
  }
  for (std::size_t i = 0; count > 1 && i < count; ++i) {
    const std::uint64_t own = std::uint64_t{1} << i;
    try {
      const std::vector<std::string> at_a = differing_keys(a_, mixed(own));
      const std::vector<std::string> at_b = differing_keys(b_, mixed(all & ~own));
      follows[i].insert(at_a.begin(), at_a.end());
      follows[i].insert(at_b.begin(), at_b.end());
    } catch (const Error&) {
      continue;  // it does not go without others: its own keys are all that is known to follow
    }
  }
  const auto owner_of = [&](const std::string& key) {
    const auto find_input = [&](const std::function<bool(std::size_t)>& which) {
      std::size_t i = 0;
      while (i < count && !which(i)) ++i;
      return i;
    };
    std::size_t owner = find_input([&](std::size_t i) {
      return std::any_of(inputs_[i].keys.begin(), inputs_[i].keys.end(),
                         [&](const std::string& written) { return key == written || key.starts_with(written + "."); });
    });
    if (owner == count) owner = find_input([&](std::size_t i) { return follows[i].contains(key); });
    if (owner == count) owner = find_input([&](std::size_t i) { return inputs_[i].part == part_of(key); });
    return owner == count ? 0 : owner;
  };
  const Resolved of_a = table_of(a_);
  const Resolved of_b = table_of(b_);
  if (count > 0) {
    for (const std::string& key : differing_keys(a_, b_)) {
      inputs_[owner_of(key)].values.push_back({key, side(of_a, key), side(of_b, key)});
    }
  }
}

}  // namespace ringsim::scenarios
