#include "models/kv_layout.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace ringsim {
namespace {

constexpr std::string_view flash_mla = "deepseek-ai/FlashMLA, README";
constexpr std::string_view reported = "local-inference-lab/vllm #82";
constexpr std::array<KvLayout, 8> table = {{
    {"bf16", false, 2, 2, 0, 0, 0, "two bytes an element"},
    {"fp16", false, 2, 2, 0, 0, 0, "two bytes an element"},
    {"fp8", false, 1, 1, 0, 0, 0, "a byte an element, scales per tensor"},
    {"mla-bf16", true, 2, 2, 0, 0, 0, flash_mla},
    {"mla-fp8", true, 1, 1, 0, 0, 0, "a byte an element, one scale"},
    {"mla-fp8-sparse", true, 1, 2, 128, 4, 0, flash_mla},
    {"mla-nvfp4", true, 0.5, 2, 16, 1, 16, reported},
    {"mla-nvfp4-compact", true, 0.5, 1, 16, 1, 0, reported},
}};

std::string names(bool latent) {
  std::string text;
  for (const KvLayout& layout : table) {
    if (layout.latent_only && !latent) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", layout.name);
  }
  return text;
}

}  // namespace

std::span<const KvLayout> kv_layouts() { return table; }

KvLayout kv_layout_of(const Scenario& s) {
  if (s.serving.kv_layout.empty()) {
    const double element = bytes_per_element(s.workload.dtype);
    return {name_of(s.workload.dtype), false, element, element, 0, 0, 0, "workload.dtype"};
  }
  const bool latent = s.model.latent.has_value();
  const auto* const found =
      std::find_if(table.begin(), table.end(), [&](const KvLayout& l) { return l.name == s.serving.kv_layout; });
  if (found == table.end()) {
    throw Error(fmt::format("\"{}\" is no layout of a K/V cache", s.serving.kv_layout), "serving.kv_layout",
                fmt::format("one of {}", names(latent)));
  }
  if (found->latent_only && !latent) {
    throw Error(
        fmt::format("{} is a layout of latent attention, and the model has {}", found->name, s.model.attention_kind()),
        "serving.kv_layout", fmt::format("one of {}", names(false)));
  }
  return *found;
}

Bytes cache_bytes(const KvLayout& layout, const Transformer& m, std::int64_t kv_heads) {
  const auto scaled = [&](double elements) {
    const double scales = layout.scale_tile > 0 ? elements / static_cast<double>(layout.scale_tile) : 0.0;
    return elements * layout.element_bytes + scales * layout.scale_bytes;
  };
  if (m.latent) {
    return bytes(scaled(static_cast<double>(m.latent->kv_lora_rank)) +
                 static_cast<double>(m.latent->qk_rope_head_dim) * layout.rotary_bytes + layout.padding_bytes);
  }
  return bytes(scaled(static_cast<double>(kv_heads * (m.query_key_dim() + m.value_dim()))) + layout.padding_bytes);
}

std::int64_t cache_copies(const Transformer& m, std::int64_t tensor) {
  return std::max<std::int64_t>(1, tensor / (m.latent ? 1 : m.kv_heads));
}

}  // namespace ringsim
