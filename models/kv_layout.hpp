#pragma once
// How the elements of a K/V cache are laid down: bytes that one token leaves in one layer of one rank.
//
//   of heads     heads · (D_key + D_value) · e        bf16, fp16: e = 2, fp8: e = 1 (scales per tensor, not counted)
//   of a latent  latent · e_latent + latent / tile · scale + rotary · e_rotary + padding
//
// for latent attention (512 latent and 64 rotary elements in DeepSeek-V2 and -V3):
//   mla-bf16           1152 B   both in bf16
//   mla-fp8             576 B   both in fp8, one scale for all
//   mla-fp8-sparse      656 B   512 fp8, four fp32 scales (tiles of 128), 64 rotary elements in bf16: FlashMLA's format for
//                               sparse attention (deepseek-ai/FlashMLA README, "FP8 KV cache")
//   mla-nvfp4           432 B   512 at half a byte, an fp8 scale for every 16 elements, rotary in bf16, padded by 16 B
//                               (local-inference-lab/vllm #82)
//   mla-nvfp4-compact   352 B   a total that is reported beside it; read here as rotary elements in fp8 and no padding
//
// Tensor ranks beyond the number of K/V heads hold copies: max(1, tensor / heads) of each, a latent counting as one head.
// Decode context parallelism divides the tokens over ranks that would hold copies. Not modelled: the indexer's cache of sparse
// attention, which is whole on every rank.

#include "models/scenario.hpp"
#include "models/transformer.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace ringsim {

struct KvLayout {
  std::string_view name;
  bool latent_only = false;     // a format of latents and rotary keys; others hold whatever the cache has
  double element_bytes = 2;     // of keys, values and latents
  double rotary_bytes = 2;      // of rotary keys that are kept beside a latent
  std::int64_t scale_tile = 0;  // elements of a latent that share a scale; 0: no scales in the cache
  double scale_bytes = 0;
  double padding_bytes = 0;  // a token and layer
  std::string_view source;
};

[[nodiscard]] std::span<const KvLayout> kv_layouts();

/// The layout of a scenario's cache: serving.kv_layout, or elements of workload.dtype. Throws Error at "serving.kv_layout" for
/// a name that is not in the table or a latent's format with a model that has none.
[[nodiscard]] KvLayout kv_layout_of(const Scenario& scenario);

/// Bytes that a token leaves in one layer of a rank that holds `kv_heads` heads (a latent is whole whatever their number).
[[nodiscard]] Bytes cache_bytes(const KvLayout& layout, const Transformer& model, std::int64_t kv_heads);

/// Tensor ranks that hold the same part of a cache.
[[nodiscard]] std::int64_t cache_copies(const Transformer& model, std::int64_t tensor);

}  // namespace ringsim
