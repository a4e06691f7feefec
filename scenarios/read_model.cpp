// `model` to Transformer.

#include "models/error.hpp"
#include "scenarios/read_parts.hpp"
#include "scenarios/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace ringsim::scenarios {
namespace {

double weight_bytes(std::string_view dtype) {
  if (dtype == "fp32") return 4.0;
  if (dtype == "bf16" || dtype == "fp16") return 2.0;
  if (dtype == "mxfp4") return 17.0 / 32.0;  // 32 values of 4 bits share a scale of 8 bits (OCP Microscaling v1.0)
  if (dtype == "int4") return 0.5;
  return 1.0;
}

// A flag without a default: absent is false.
bool optional_flag_at(const Value& mapping, std::string_view key) {
  return mapping.find(key) != nullptr && flag_at(mapping, key);
}

LatentAttention read_latent(const Value& latent) {
  return {count_at(latent, "kv_lora_rank"), count_at(latent, "qk_rope_head_dim"), count_at(latent, "qk_nope_head_dim"),
          count_at(latent, "v_head_dim"), optional_count_at(latent, "q_lora_rank")};
}

std::vector<bool> expert_layers(const Value& feed_forward, std::int64_t layers) {
  const std::int64_t first = count_at(feed_forward, "first_dense_layers");
  const std::int64_t every = count_at(feed_forward, "expert_every");
  std::vector<bool> expert(static_cast<std::size_t>(layers));
  for (std::int64_t i = 0; i < layers; ++i) expert[static_cast<std::size_t>(i)] = i >= first && (i + 1) % every == 0;
  if (const Value* dense = feed_forward.find("dense_layers"); dense != nullptr) {
    for (const Value& item : dense->items) {
      const std::int64_t layer = parse_count(item.text);
      if (layer >= layers) {
        throw Error(fmt::format("layer {} of {}", layer, layers), item.origin, fmt::format("0 to {}", layers - 1));
      }
      expert[static_cast<std::size_t>(layer)] = false;
    }
  }
  return expert;
}

FeedForward read_feed_forward(const Value& value, std::int64_t layers) {
  FeedForward result;
  result.intermediate = count_at(value, "intermediate");
  result.gated = flag_at(value, "gated");
  result.bias = optional_flag_at(value, "bias");
  if (const Value* dtype = value.find("dtype"); dtype != nullptr) {
    result.dtype = named(dtype->text, {Dtype::bf16, Dtype::fp16, Dtype::fp8});
  }
  result.router_bias = optional_flag_at(value, "router_bias");
  result.experts = count_at(value, "experts");
  result.experts_per_token = count_at(value, "experts_per_token");
  result.shared_experts = count_at(value, "shared_experts");
  result.expert_intermediate = count_at(value, "expert_intermediate");
  if (result.experts > 0) {
    for (const std::string_view key : {"experts_per_token", "expert_intermediate"}) {
      if (count_at(value, key) == 0) {
        throw Error(fmt::format("a mixture of {} experts needs {}", result.experts, key), "model.feed_forward",
                    fmt::format("{}: {}", key, 8));
      }
    }
    result.expert_layer = expert_layers(value, layers);
  }
  return result;
}

std::vector<bool> sliding_layers(const Value& model, std::int64_t layers) {
  const Value* types = model.find("layer_types");
  const std::optional<std::int64_t> pattern = optional_count_at(model, "sliding_pattern");
  if (types != nullptr && pattern) {
    throw Error("layer_types and sliding_pattern say the same thing twice", "model.sliding_pattern",
                "keep one of them");
  }
  std::vector<bool> sliding;
  if (types != nullptr) {
    for (const Value& item : types->items) sliding.push_back(item.text == "sliding");
  } else if (pattern || model.find("sliding_window") != nullptr) {
    for (std::int64_t i = 0; i < layers; ++i) sliding.push_back(!pattern || (i + 1) % *pattern != 0);
  }
  return sliding;
}

}  // namespace

Transformer read_model(const Value& model) {
  Transformer result;
  result.name = text_at(model, "name");
  result.layers = count_at(model, "layers");
  result.hidden = count_at(model, "hidden");
  result.heads = count_at(model, "heads");
  result.kv_heads = count_at(model, "kv_heads");
  result.head_dim = count_at(model, "head_dim");
  if (const Value* latent = model.find("latent"); latent != nullptr) {
    result.latent = read_latent(*latent);
    const std::int64_t sum = result.latent->qk_nope_head_dim + result.latent->qk_rope_head_dim;
    if (result.head_dim != sum) {
      throw Error(fmt::format("head_dim {} is not qk_nope_head_dim + qk_rope_head_dim = {}", result.head_dim, sum),
                  "model.head_dim", fmt::format("head_dim: {}", sum));
    }
  }
  result.sliding_window = optional_count_at(model, "sliding_window");
  result.sliding_layer = sliding_layers(model, result.layers);
  if (const Value* feed_forward = model.find("feed_forward"); feed_forward != nullptr) {
    result.feed_forward = read_feed_forward(*feed_forward, result.layers);
  }
  result.vocabulary = optional_count_at(model, "vocabulary");
  result.tied_embeddings = flag_at(model, "tied_embeddings");
  result.attention_bias = flag_at(model, "attention_bias");
  result.output_bias = optional_flag_at(model, "output_bias");
  result.qk_norm = optional_flag_at(model, "qk_norm");
  result.attention_sinks = optional_flag_at(model, "attention_sinks");
  result.post_norms = optional_flag_at(model, "post_norms");
  result.maximum_positions = optional_count_at(model, "maximum_positions");
  if (const Value* dtype = model.find("weight_dtype"); dtype != nullptr)
    result.weight_bytes_per_parameter = weight_bytes(dtype->text);
  return result;
}

}  // namespace ringsim::scenarios
