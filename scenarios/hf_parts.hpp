#pragma once
// Parts of the conversion of a Hugging Face config that differ most between families. Each adds keys to a `model`
// mapping of the scenario language. For hf_config.cpp alone.

#include "scenarios/hf_fields.hpp"
#include "scenarios/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringsim::scenarios {

/// Adds one plain value.
void put(Value& model, std::string_view key, std::string_view text, std::string_view origin);

/// Which layers see a sliding window, and how wide it is.
void put_sliding(Value& model, const HfFields& fields, std::string_view type);

/// Dense and expert layers.
void put_feed_forward(Value& model, const HfFields& fields, std::string_view type);

/// Number format of the stored weights: a quantization_config goes before the dtype.
void put_weight_dtype(Value& model, const HfFields& quantized, const HfFields& fields, std::string_view file,
                      std::vector<std::string>& warnings);

}  // namespace ringsim::scenarios
