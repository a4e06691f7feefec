#include "kernels/cuda/activity.hpp"

#include "kernels/cuda/activity_records.hpp"
#include "kernels/cuda/dynamic/cupti.hpp"
#include "kernels/cuda/error.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace ringsim::cuda {

#if RINGSIM_HAS_CUPTI

namespace {

constexpr std::array kinds{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                           CUPTI_ACTIVITY_KIND_MEMCPY2};

/// CUPTI's callbacks carry no pointer of ours, and come from a thread of its own.
struct Collected {
  std::mutex mutex;
  bool running = false;
  std::vector<ActivityRecord> records;
  std::size_t dropped = 0;
};

/// Never destroyed: CUPTI may hand over a last buffer while the process ends.
Collected& collected() {
  static Collected& of_the_process = *new Collected;
  return of_the_process;
}

constexpr std::size_t buffer_bytes = std::size_t{1} << 20U;
constexpr std::size_t buffer_alignment = 8;  // CUPTI's ACTIVITY_RECORD_ALIGNMENT

void CUPTIAPI provide_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
  *size = *buffer == nullptr ? 0 : buffer_bytes;
  *most_records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t /*size*/,
                          std::size_t valid_bytes) {
  const CuptiLibrary& library = cupti_library();
  const std::scoped_lock lock(collected().mutex);
  CUpti_Activity* activity = nullptr;
  while (valid_bytes > 0 && library.activity_get_next_record(buffer, valid_bytes, &activity) == CUPTI_SUCCESS) {
    if (auto record = to_record(*activity)) collected().records.push_back(std::move(*record));
  }
  std::size_t dropped = 0;
  if (library.activity_get_num_dropped_records(context, stream, &dropped) == CUPTI_SUCCESS) {
    collected().dropped += dropped;
  }
  std::free(buffer);  // NOLINT(cppcoreguidelines-no-malloc): the counterpart of aligned_alloc
}

void disable_all(const CuptiLibrary& library) {
  for (const CUpti_ActivityKind kind : kinds) static_cast<void>(library.activity_disable(kind));
  const std::scoped_lock lock(collected().mutex);
  collected().running = false;
}

}  // namespace

ActivityTrace::ActivityTrace() {
  const CuptiLibrary& library = cupti_library();
  {
    const std::scoped_lock lock(collected().mutex);
    if (collected().running) throw Error("a trace of the device is already under way");
    collected().running = true;
    collected().records.clear();
    collected().dropped = 0;
  }
  try {
    check(library, library.activity_register_callbacks(provide_buffer, take_buffer), "cuptiActivityRegisterCallbacks");
    for (const CUpti_ActivityKind kind : kinds) check(library, library.activity_enable(kind), "cuptiActivityEnable");
  } catch (...) {
    disable_all(library);
    throw;
  }
  running_ = true;
}

ActivityTrace::~ActivityTrace() {
  if (running_) disable_all(cupti_library());
}

std::vector<ActivityRecord> ActivityTrace::stop() {
  if (!running_) return {};
  const CuptiLibrary& library = cupti_library();
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  check(library, library.activity_flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll");
  running_ = false;
  disable_all(library);
  const std::scoped_lock lock(collected().mutex);
  if (collected().dropped > 0) {
    throw Error("CUPTI dropped " + std::to_string(collected().dropped) + " records of what the device did");
  }
  std::vector<ActivityRecord> records = std::move(collected().records);
  std::ranges::stable_sort(records, {}, &ActivityRecord::start_ns);
  return records;
}

#else

ActivityTrace::ActivityTrace() { throw_not_built_in("CUPTI", "cupti.h"); }
ActivityTrace::~ActivityTrace() = default;
std::vector<ActivityRecord> ActivityTrace::stop() { return {}; }

#endif

}  // namespace ringsim::cuda
