#pragma once
// The JSON report of nccl-tests (-J). Its "env", the whole environment of the run, is never kept.

#include "calibrate/import/import.hpp"

#include <nlohmann/json_fwd.hpp>

namespace ringsim::calibrate {

[[nodiscard]] bool is_nccl_tests_json(const nlohmann::json& root);
[[nodiscard]] Points import_nccl_tests_json(const std::string& name, const nlohmann::json& root,
                                            const ImportOptions& options);

}  // namespace ringsim::calibrate
