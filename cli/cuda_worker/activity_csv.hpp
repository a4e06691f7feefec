#pragma once
// Records of a device as a table.

#include "kernels/cuda/activity.hpp"

#include <string>
#include <vector>

namespace ringsim::cli {

/// A row a record, by start: kind (kernel, copy, copy-between-devices), name, device, stream, start_s and end_s from the first record's start,
/// bytes, channel (sms, copy-engine, other, unknown). A name is in quotes, as it may have commas.
[[nodiscard]] std::string activity_csv(const std::vector<cuda::ActivityRecord>& records);

}  // namespace ringsim::cli
