#pragma once
// CUPTI, opened at run time: its records of what a device did (the Activity API).

#include "kernels/cuda/dynamic/library.hpp"

#if __has_include(<cupti.h>)
#define RINGSIM_HAS_CUPTI 1
#include <cupti.h>
#else
#define RINGSIM_HAS_CUPTI 0
#endif

namespace ringsim::cuda {

#if RINGSIM_HAS_CUPTI
struct CuptiLibrary {
  std::string path;
  decltype(cuptiGetVersion)* get_version;
  decltype(cuptiGetResultString)* get_result_string;
  decltype(cuptiActivityEnable)* activity_enable;
  decltype(cuptiActivityDisable)* activity_disable;
  decltype(cuptiActivityRegisterCallbacks)* activity_register_callbacks;
  decltype(cuptiActivityFlushAll)* activity_flush_all;
  decltype(cuptiActivityGetNextRecord)* activity_get_next_record;
  decltype(cuptiActivityGetNumDroppedRecords)* activity_get_num_dropped_records;
};

/// Opened at the first call. Throws MissingLibrary, also where it is older than the header that this program was
/// compiled with, as records may then be laid out otherwise.
[[nodiscard]] const CuptiLibrary& cupti_library();

/// Throws Error "WHAT: CUPTI's name of the status" unless `status` is success.
void check(const CuptiLibrary& library, CUptiResult status, const char* what);
#endif

/// The number of its interface: "130001". Throws MissingLibrary.
[[nodiscard]] std::string cupti_version();
/// Of the file. Throws MissingLibrary.
[[nodiscard]] std::string cupti_path();

}  // namespace ringsim::cuda
