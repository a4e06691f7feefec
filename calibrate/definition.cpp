#include "calibrate/definition.hpp"

#include "models/ring_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <type_traits>

namespace ringsim::calibrate {
namespace {

std::string text_of(const std::string& value) { return value.empty() ? "none" : value; }
std::string text_of(std::int64_t value) { return fmt::format("{}", value); }
std::string text_of(bool value) { return value ? "true" : "false"; }

/// "none", "4096 in 3 of 6 layers".
std::string text_of(const std::vector<std::optional<std::int64_t>>& windows) {
  const auto first =
      std::find_if(windows.begin(), windows.end(), [](const auto& window) { return window.has_value(); });
  if (first == windows.end()) return "none";
  const auto layers =
      std::count_if(windows.begin(), windows.end(), [](const auto& window) { return window.has_value(); });
  return fmt::format("{} in {} of {} layers, from layer {} on", **first, layers, windows.size(),
                     first - windows.begin());
}

}  // namespace

Definition definition_of(const Scenario& s) {
  const RingShape shape = ring_shape(s);
  const bool backward = runs_backward(s.workload.phase);
  Definition d;
  d.scope = name_of(s.workload.scope);
  d.phase = name_of(s.workload.phase);
  d.dtype = name_of(s.workload.dtype);
  d.layout = name_of(s.ring.layout);
  d.travels = name_of(s.ring.travels);
  d.backward_travels = backward ? name_of(s.ring.backward) : "";
  d.gradient_dtype = backward ? name_of(s.ring.gradient) : "";
  d.transfer = name_of(s.ring.transfer);
  d.ring = s.parallel.ring;
  d.buffers = s.ring.buffers;
  d.layers = s.model.layers;
  d.tokens = s.workload.tokens;
  d.batch = shape.heads.batch;
  d.query_heads = shape.heads.query_heads;
  d.kv_heads = shape.heads.kv_heads;
  d.query_key_dim = shape.heads.query_key_dim;
  d.value_dim = shape.heads.value_dim;
  d.causal = s.workload.causal;
  for (std::int64_t layer = 0; layer < s.model.layers; ++layer) d.windows.push_back(mask_of_layer(s, layer).window);
  const auto limited = [](const auto& window) { return window.has_value(); };
  if (std::none_of(d.windows.begin(), d.windows.end(), limited)) d.windows.clear();
  return d;
}

std::vector<Difference> differences(const Definition& measured, const Definition& predicted) {
  std::vector<Difference> found;
  for_each_field(measured, [&](const char* key, const char* scenario_key, const auto& value) {
    for_each_field(predicted, [&](const char* other_key, const char*, const auto& other) {
      if constexpr (std::is_same_v<decltype(value), decltype(other)>) {
        // The keys are the table's own strings: equal where it is the same field.
        if (std::string_view(key) == other_key && value != other) {
          found.push_back({scenario_key, text_of(value), text_of(other)});
        }
      }
    });
  });
  return found;
}

}  // namespace ringsim::calibrate
