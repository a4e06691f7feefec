#pragma once
// JSON of NVIDIA's nvbench: one state of a benchmark is one row of kernel_row.hpp, its axes the columns.
//
// The benchmark's name says which kernel it is: attn, attention, flash or fmha with fwd, forward, bwd or backward;
// gemm or matmul; merge. The time is the GPU's of cold runs (tag nv/cold/time/gpu/median, or mean where there is none).

#include "calibrate/import/import.hpp"

#include <nlohmann/json_fwd.hpp>

namespace ringsim::calibrate {

[[nodiscard]] bool is_nvbench(const nlohmann::json& root);
[[nodiscard]] Points import_nvbench(const std::string& name, const nlohmann::json& root, const ImportOptions& options);

}  // namespace ringsim::calibrate
