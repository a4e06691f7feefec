#include "scenarios/hf_parts.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

namespace ringsim::scenarios {
namespace {

using nlohmann::json;

Value layer_list(std::int64_t layers, std::string_view origin, bool (*sliding)(std::int64_t, std::int64_t),
                 std::int64_t n) {
  Value list;
  list.kind = Value::Kind::sequence;
  list.origin = origin;
  for (std::int64_t i = 0; i < layers; ++i)
    list.items.push_back(Value::scalar(sliding(i, n) ? "sliding" : "full", origin));
  return list;
}

Value written_layer_types(const HfFields& fields) {
  const json& types = *fields.find("layer_types");
  const std::string origin = fields.origin("layer_types");
  if (!types.is_array()) throw Error("layer_types is not a list", origin, {});
  Value list;
  list.kind = Value::Kind::sequence;
  list.origin = origin;
  for (const json& type : types) {
    const std::string name = type.is_string() ? type.get<std::string>() : "";
    if (name != "sliding_attention" && name != "full_attention") {
      throw Error(fmt::format("the layer type {} is not modelled", type.dump()), origin,
                  "full_attention or sliding_attention");
    }
    list.items.push_back(Value::scalar(name == "sliding_attention" ? "sliding" : "full", origin));
  }
  return list;
}

struct Quantization {
  std::string_view weight_dtype;  // empty: not known
  std::string method;
};

std::string_view integer_dtype(std::int64_t bits) { return bits == 4 ? "int4" : bits == 8 ? "int8" : ""; }

Quantization quantization_of(const json& config) {
  const std::string method = config.value("quant_method", "");
  const auto bits = [&](const json& object, const char* key) -> std::int64_t {
    return object.contains(key) && object[key].is_number_integer() ? object[key].get<std::int64_t>() : 0;
  };
  if (method == "fp8") return {"fp8", method};
  if (method == "mxfp4") return {"mxfp4", method};
  if (method == "gptq" || method == "awq") return {integer_dtype(bits(config, "bits")), method};
  if (method == "bitsandbytes") {
    if (config.value("load_in_4bit", false)) return {"int4", method};
    return {config.value("load_in_8bit", false) ? "int8" : "", method};
  }
  if (method == "modelopt") return {config.value("quant_algo", "") == "FP8" ? "fp8" : "", method};
  if (method == "compressed-tensors" && config.contains("config_groups") && config["config_groups"].is_object()) {
    for (const json& group : config["config_groups"]) {
      if (!group.is_object() || !group.contains("weights") || !group["weights"].is_object()) continue;
      const json& weights = group["weights"];
      if (weights.value("type", "") == "float" && bits(weights, "num_bits") == 8) return {"fp8", method};
      if (weights.value("type", "") == "int") return {integer_dtype(bits(weights, "num_bits")), method};
    }
  }
  return {"", method};
}

}  // namespace

void put_sliding(Value& model, const HfFields& fields, std::string_view type) {
  const auto window = fields.count("sliding_window");
  if (!window || *window == 0) return;
  // Qwen carries a window that is switched off; without the switch the class's default is off.
  const bool qwen = type.starts_with("qwen2") || type.starts_with("qwen3");
  if (!fields.flag("use_sliding_window").value_or(!qwen)) return;
  put(model, "sliding_window", std::to_string(*window), fields.origin("sliding_window"));
  const std::int64_t layers = fields.count("num_hidden_layers").value_or(0);
  if (fields.has("layer_types")) {
    model.set("layer_types", written_layer_types(fields), fields.origin("layer_types"));
    return;
  }
  for (const std::string_view key : {"sliding_window_pattern", "_sliding_window_pattern"}) {
    if (const auto pattern = fields.count(key)) {
      put(model, "sliding_pattern", std::to_string(*pattern), fields.origin(key));
      return;
    }
  }
  if (type == "gemma3" || type == "gemma3_text") {
    put(model, "sliding_pattern", "6", fmt::format("derived: the default of {}", type));
  } else if (type == "gemma2" || type == "gpt_oss") {
    put(model, "sliding_pattern", "2", fmt::format("derived: the default of {}", type));
  } else if (qwen) {  // the layers from max_window_layers on slide
    const std::int64_t first = fields.count("max_window_layers").value_or(28);
    const std::string origin = fields.origin("max_window_layers");
    model.set("layer_types",
              layer_list(layers, origin, [](std::int64_t i, std::int64_t n) { return i >= n; }, first), origin);
  }
}

void put_feed_forward(Value& model, const HfFields& fields, std::string_view type) {
  const auto intermediate = fields.count("intermediate_size");
  if (!intermediate) return;
  const std::string origin = fields.origin("intermediate_size");
  Value part = Value::mapping(origin);
  put(part, "intermediate", std::to_string(*intermediate), origin);
  for (const std::string_view plain : {"gpt_neox", "phi", "starcoder2", "falcon", "opt", "gpt_bigcode"}) {
    if (type == plain) put(part, "gated", "false", fmt::format("derived: {} has no gate", type));
  }
  if (type == "gpt_oss") {
    put(part, "bias", "true", "derived: gpt_oss always has");
  } else if (fields.flag("mlp_bias").value_or(false)) {
    put(part, "bias", "true", fields.origin("mlp_bias"));
  }
  if (type == "gpt_oss" || type == "deepseek_v3")
    put(part, "router_bias", "true", fmt::format("derived: {} always has", type));
  const auto experts = fields.first_count({"n_routed_experts", "num_experts", "num_local_experts"});
  if (experts && experts->value > 0) {
    put(part, "experts", std::to_string(experts->value), fields.origin(experts->key));
    if (const auto chosen = fields.first_count({"num_experts_per_tok", "experts_per_token"})) {
      put(part, "experts_per_token", std::to_string(chosen->value), fields.origin(chosen->key));
    }
    // Mixtral and gpt-oss have no size of their own for experts: intermediate_size is it.
    const auto size = fields.first_count({"moe_intermediate_size", "intermediate_size"});
    put(part, "expert_intermediate", std::to_string(size->value), fields.origin(size->key));
    if (const auto shared = fields.count("n_shared_experts")) {
      put(part, "shared_experts", std::to_string(*shared), fields.origin("n_shared_experts"));
    } else if (const auto width = fields.count("shared_expert_intermediate_size");
               width && size->value > 0 && *width % size->value == 0) {
      put(part, "shared_experts", std::to_string(*width / size->value),
          fields.origin("shared_expert_intermediate_size"));
    }
    if (const auto first = fields.count("first_k_dense_replace")) {
      put(part, "first_dense_layers", std::to_string(*first), fields.origin("first_k_dense_replace"));
    }
    if (const auto step = fields.count("decoder_sparse_step"); step && *step > 0) {
      put(part, "expert_every", std::to_string(*step), fields.origin("decoder_sparse_step"));
    }
    Value dense;
    dense.kind = Value::Kind::sequence;
    if (const json* only = fields.find("mlp_only_layers"); only != nullptr && only->is_array()) {
      dense.origin = fields.origin("mlp_only_layers");
      for (const json& layer : *only) dense.items.push_back(Value::scalar(layer.dump(), dense.origin));
    }
    // DeepSeek counts from layer 0: layers whose index is a multiple of moe_layer_freq are mixtures.
    if (const auto frequency = fields.count("moe_layer_freq"); frequency && *frequency > 1) {
      dense.origin = fields.origin("moe_layer_freq");
      for (std::int64_t i = 0; i < fields.count("num_hidden_layers").value_or(0); ++i) {
        if (i % *frequency != 0) dense.items.push_back(Value::scalar(std::to_string(i), dense.origin));
      }
    }
    const std::string dense_origin = dense.origin;
    if (!dense.items.empty()) part.set("dense_layers", std::move(dense), dense_origin);
  }
  model.set("feed_forward", std::move(part), origin);
}

void put_weight_dtype(Value& model, const HfFields& quantized, const HfFields& fields, std::string_view file,
                      std::vector<std::string>& warnings) {
  if (const json* config = quantized.find("quantization_config"); config != nullptr && config->is_object()) {
    Quantization quantization;
    try {
      quantization = quantization_of(*config);
    } catch (const json::exception&) {
      throw Error("the quantization_config cannot be read", quantized.origin("quantization_config"), {});
    }
    if (!quantization.weight_dtype.empty()) {
      put(model, "weight_dtype", quantization.weight_dtype, quantized.origin("quantization_config"));
    } else {
      warnings.push_back(
          fmt::format("{}: the quantization {} is not known, so weights are counted in the workload's dtype", file,
                      quantization.method.empty() ? "(none)" : quantization.method));
    }
    return;
  }
  for (const HfFields* place : {&fields, &quantized}) {
    for (const std::string_view key : {"dtype", "torch_dtype"}) {
      const std::string name = place->text(key);
      const std::string_view dtype = name == "bfloat16"  ? "bf16"
                                     : name == "float16" ? "fp16"
                                     : name == "float32" ? "fp32"
                                                         : "";
      if (dtype.empty()) continue;
      put(model, "weight_dtype", dtype, place->origin(key));
      return;
    }
  }
}

}  // namespace ringsim::scenarios
