#pragma once
// CUPTI's records as ours. Apart from the trace, as it needs the header and no library.

#include "kernels/cuda/activity.hpp"

#if __has_include(<cupti.h>)

#include <cupti.h>

#include <optional>

namespace ringsim::cuda {

/// Empty for records of other kinds.
[[nodiscard]] std::optional<ActivityRecord> to_record(const CUpti_Activity& activity);

}  // namespace ringsim::cuda

#endif
