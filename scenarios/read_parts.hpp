#pragma once
// From complete mappings of the scenario language to the models' types, part by part. Every text has been checked and
// brought into normal form (complete.hpp), so reading cannot fail but for what spans several keys.

#include "models/scenario.hpp"
#include "scenarios/value.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::scenarios {

[[nodiscard]] Transformer read_model(const Value& model);
[[nodiscard]] Gpu read_gpu(const Value& gpu);
[[nodiscard]] Cluster read_cluster(const Value& cluster);
/// `node`, of a cluster whose other keys have been read. Throws Error at a key where a name stands for no vertex.
[[nodiscard]] NodeWiring read_node(const Value& node, const Cluster& cluster);
[[nodiscard]] Fabric read_fabric(const Value& fabric);
[[nodiscard]] Workload read_workload(const Value& workload);
[[nodiscard]] Parallel read_parallel(const Value& parallel);
[[nodiscard]] RingOptions read_ring(const Value& ring);
[[nodiscard]] Training read_training(const Value& training);
[[nodiscard]] Serving read_serving(const Value& serving);
[[nodiscard]] Noise read_noise(const Value& noise);
[[nodiscard]] Profile read_profile(const Value& profile);

/// Access to a complete mapping. The key must be there unless the function says otherwise.
[[nodiscard]] const Value& part(const Value& mapping, std::string_view key);
[[nodiscard]] const std::string& text_at(const Value& mapping, std::string_view key);
[[nodiscard]] bool flag_at(const Value& mapping, std::string_view key);
[[nodiscard]] std::int64_t count_at(const Value& mapping, std::string_view key);
[[nodiscard]] std::optional<std::int64_t> optional_count_at(const Value& mapping, std::string_view key);
[[nodiscard]] std::optional<double> optional_number_at(const Value& mapping, std::string_view key);

/// The enumerator whose name is `text`, which complete() has let through.
template <class Enum>
[[nodiscard]] Enum named(const std::string& text, std::initializer_list<Enum> values) {
  for (const Enum value : values) {
    if (name_of(value) == text) return value;
  }
  throw std::logic_error("unknown name " + text);
}

}  // namespace ringsim::scenarios
