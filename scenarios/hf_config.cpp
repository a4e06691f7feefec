#include "scenarios/hf_config.hpp"

#include "models/error.hpp"
#include "scenarios/complete.hpp"
#include "scenarios/hf_fields.hpp"
#include "scenarios/hf_parts.hpp"
#include "scenarios/read_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

namespace ringsim::scenarios {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 19> known_types = {
    "llama",       "mistral", "mixtral", "qwen2",       "qwen2_moe", "qwen3", "qwen3_moe",
    "gemma",       "gemma2",  "gemma3",  "gemma3_text", "gpt_oss",   "phi3",  "deepseek_v2",
    "deepseek_v3", "cohere",  "cohere2", "olmo2",       "granite"};

// Of a key that stands twice the parser would keep the last; which one was meant is not for it to say.
json::parser_callback_t refuse_duplicates(std::string_view file) {
  return [file, open = std::vector<std::set<std::string>>()](int, json::parse_event_t event, json& parsed) mutable {
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end) open.pop_back();
    if (event == json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second) {
      const auto key = parsed.get<std::string>();
      throw Error(fmt::format("the key {} stands twice in one object", key), fmt::format("{}: {}", file, key),
                  "keep one of the two");
    }
    return true;
  };
}

json parse_json(std::string_view text, std::string_view file) {
  try {
    json root = json::parse(text, refuse_duplicates(file));
    if (!root.is_object()) throw Error("a Hugging Face config is one JSON object", fmt::format("{}:1:1", file), {});
    return root;
  } catch (const json::parse_error& error) {
    const std::size_t byte = std::min<std::size_t>(error.byte > 0 ? error.byte - 1 : 0, text.size());
    const std::string_view before = text.substr(0, byte);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t column = byte - (before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1) + 1;
    throw Error("not valid JSON", fmt::format("{}:{}:{}", file, line, column),
                "the config.json of a Hugging Face repository");
  } catch (const json::exception&) {
    throw Error("not valid JSON", std::string(file), "the config.json of a Hugging Face repository");
  }
}

std::string name_of_model(const HfFields& top, std::string_view file) {
  std::string path = top.text("_name_or_path");
  if (path.empty()) {
    const std::size_t slash = file.rfind('/');
    path = slash == std::string_view::npos ? top.text("model_type") : std::string(file.substr(0, slash));
  }
  while (path.ends_with('/')) path.pop_back();
  path = path.substr(path.rfind('/') + 1);
  return path.empty() || path == "." || path == ".." ? "custom" : path;
}

}  // namespace

void put(Value& model, std::string_view key, std::string_view text, std::string_view origin) {
  model.set(key, Value::scalar(text, origin), origin);
}

namespace {

void put_count(Value& model, std::string_view key, const HfFields& fields, std::string_view hf_key) {
  if (const auto value = fields.count(hf_key)) put(model, key, std::to_string(*value), fields.origin(hf_key));
}

void put_heads(Value& model, const HfFields& fields) {
  put_count(model, "heads", fields, "num_attention_heads");
  if (fields.has("num_key_value_heads")) {
    put_count(model, "kv_heads", fields, "num_key_value_heads");
  } else if (const auto heads = fields.count("num_attention_heads")) {
    put(model, "kv_heads", std::to_string(*heads), "derived: no num_key_value_heads, so as many as heads");
  }
}

void put_head_dim(Value& model, const HfFields& fields) {
  const auto heads = fields.count("num_attention_heads");
  const auto hidden = fields.count("hidden_size");
  if (fields.has("head_dim")) {
    put_count(model, "head_dim", fields, "head_dim");
  } else if (heads && hidden && *heads > 0) {
    if (*hidden % *heads != 0) {
      throw Error(fmt::format("hidden_size {} is no multiple of num_attention_heads {}, and there is no head_dim",
                              *hidden, *heads),
                  fields.origin("num_attention_heads"), "give model.head_dim beside hf_config");
    }
    put(model, "head_dim", std::to_string(*hidden / *heads), "derived: hidden / heads");
  }
}

// Latent attention: num_key_value_heads and head_dim say nothing about the cache (the class sets head_dim to the rotary
// part alone); the query/key dimension is the sum of both parts.
void put_latent(Value& model, const HfFields& fields) {
  const std::string origin = fields.origin("kv_lora_rank");
  Value latent = Value::mapping(origin);
  for (const std::string_view key :
       {"kv_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim", "q_lora_rank"}) {
    put_count(latent, key, fields, key);  // q_lora_rank null: queries are not compressed
  }
  const auto rope = fields.count("qk_rope_head_dim");
  const auto nope = fields.count("qk_nope_head_dim");
  if (rope && nope)
    put(model, "head_dim", std::to_string(*rope + *nope), "derived: qk_nope_head_dim + qk_rope_head_dim");
  model.set("latent", std::move(latent), origin);
}

void put_bias(Value& model, const HfFields& fields, std::string_view type) {
  if (const auto bias = fields.flag("attention_bias")) {
    put(model, "attention_bias", *bias ? "true" : "false", fields.origin("attention_bias"));
    // In these families the flag is of all four projections.
    const bool of_output = type == "llama" || type == "mistral" || type == "qwen3" || type == "qwen3_moe" ||
                           type == "gpt_oss" || type == "granite" || type.starts_with("gemma") ||
                           type.starts_with("cohere") || type == "olmo2";
    if (*bias && of_output) put(model, "output_bias", "true", fields.origin("attention_bias"));
  } else if (type == "qwen2" || type == "qwen2_moe") {
    put(model, "attention_bias", "true", fmt::format("derived: {} always has one", type));
  }
}

// What a family has and its config does not say.
void put_norms_and_sinks(Value& model, std::string_view type) {
  const auto always = [&](std::string_view key) {
    put(model, key, "true", fmt::format("derived: {} always has", type));
  };
  if (type == "qwen3" || type == "qwen3_moe" || type == "gemma3" || type == "gemma3_text") always("qk_norm");
  if (type == "gemma2" || type == "gemma3" || type == "gemma3_text") always("post_norms");
  if (type == "gpt_oss") always("attention_sinks");
}

void put_tied(Value& model, const HfFields& fields, const HfFields& top, std::string_view type) {
  for (const HfFields* place : {&fields, &top}) {
    if (const auto tied = place->flag("tie_word_embeddings")) {
      put(model, "tied_embeddings", *tied ? "true" : "false", place->origin("tie_word_embeddings"));
      return;
    }
  }
  if (type.starts_with("gemma")) put(model, "tied_embeddings", "true", fmt::format("derived: the default of {}", type));
}

}  // namespace

Value hf_model_document(std::string_view text, std::string_view file, std::vector<std::string>& warnings) {
  const json root = parse_json(text, file);
  const HfFields top(root, file, "");
  const bool nested = !top.has("num_hidden_layers") && root.contains("text_config") && root["text_config"].is_object();
  const json& object = nested ? root["text_config"] : root;
  const HfFields fields(object, file, nested ? "text_config." : "");
  std::string type = fields.text("model_type");
  if (type.empty()) type = top.text("model_type");
  if (top.flag("is_encoder_decoder").value_or(false)) {
    throw Error("an encoder-decoder model", top.origin("is_encoder_decoder"), "decoder-only transformers are modelled");
  }
  if (std::find(known_types.begin(), known_types.end(), type) == known_types.end()) {
    warnings.push_back(fmt::format(
        "{}: the model_type {} is not known; its fields are read as usual ones, check them with `ringsim show`", file,
        type.empty() ? "(none)" : type));
  }
  if (fields.has("index_topk")) {
    warnings.push_back(
        fmt::format("{}: sparse attention (index_topk) is not modelled, attention is counted as dense", file));
  }

  Value model = Value::mapping(std::string(file));
  put(model, "name", name_of_model(top, file), std::string(file));
  put_count(model, "layers", fields, "num_hidden_layers");
  put_count(model, "hidden", fields, "hidden_size");
  put_heads(model, fields);
  if (fields.has("kv_lora_rank")) {
    put_latent(model, fields);
  } else {
    put_head_dim(model, fields);
  }
  put_sliding(model, fields, type);
  put_feed_forward(model, fields, type);
  put_count(model, "vocabulary", fields, "vocab_size");
  put_tied(model, fields, top, type);
  put_bias(model, fields, type);
  put_norms_and_sinks(model, type);
  put_count(model, "maximum_positions", fields, "max_position_embeddings");
  put_weight_dtype(model, fields.has("quantization_config") ? fields : top, fields, file, warnings);
  return model;
}

Transformer read_hf_config(std::string_view text, std::string_view file, std::vector<std::string>& warnings) {
  Value model = hf_model_document(text, file, warnings);
  complete(model, model_spec(), "model");
  Transformer transformer = read_model(model);
  check(transformer);
  return transformer;
}

}  // namespace ringsim::scenarios
