#pragma once
// Hugging Face config.json to a transformer, family by family: the same field means different things, and what is
// missing means something too (each trap has a unit test). What is not modelled is an error or a warning, never
// ignored.

#include "models/transformer.hpp"
#include "scenarios/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringsim::scenarios {

/// The config as a `model` mapping of the scenario language, with origins such as "config.json: num_hidden_layers".
/// Keys that the config does not give are left out. Throws Error with a place in `file`; adds to `warnings` what the
/// user should know.
[[nodiscard]] Value hf_model_document(std::string_view json, std::string_view file, std::vector<std::string>& warnings);

/// The same as a checked transformer.
[[nodiscard]] Transformer read_hf_config(std::string_view json, std::string_view file,
                                         std::vector<std::string>& warnings);

}  // namespace ringsim::scenarios
