#include "kernels/cuda/dynamic/cupti.hpp"

#include <cstdint>

namespace ringsim::cuda {

#if RINGSIM_HAS_CUPTI

namespace {

constexpr const char* how_to_get =
    "It comes with the CUDA 13 toolkit or with PyTorch (the Python package nvidia-cuda-cupti); name its folder in "
    "RINGSIM_CUDA_LIBRARIES.";

std::uint32_t version_of(const CuptiLibrary& library) {
  std::uint32_t version = 0;
  check(library, library.get_version(&version), "cuptiGetVersion");
  return version;
}

CuptiLibrary open_cupti() {
  const Library library({"CUPTI", {"libcupti.so.13"}, how_to_get});
  CuptiLibrary cupti{
      .path = library.path(),
      .get_version = library.function<decltype(cuptiGetVersion)>("cuptiGetVersion"),
      .get_result_string = library.function<decltype(cuptiGetResultString)>("cuptiGetResultString"),
      .activity_enable = library.function<decltype(cuptiActivityEnable)>("cuptiActivityEnable"),
      .activity_disable = library.function<decltype(cuptiActivityDisable)>("cuptiActivityDisable"),
      .activity_register_callbacks =
          library.function<decltype(cuptiActivityRegisterCallbacks)>("cuptiActivityRegisterCallbacks"),
      .activity_flush_all = library.function<decltype(cuptiActivityFlushAll)>("cuptiActivityFlushAll"),
      .activity_get_next_record = library.function<decltype(cuptiActivityGetNextRecord)>("cuptiActivityGetNextRecord"),
      .activity_get_num_dropped_records =
          library.function<decltype(cuptiActivityGetNumDroppedRecords)>("cuptiActivityGetNumDroppedRecords"),
  };
  if (const std::uint32_t version = version_of(cupti); version < CUPTI_API_VERSION) {
    throw MissingLibrary("CUPTI " + std::to_string(version) + " is older than " + std::to_string(CUPTI_API_VERSION) +
                             ", which this program was compiled with",
                         cupti.path, how_to_get);
  }
  return cupti;
}

}  // namespace

const CuptiLibrary& cupti_library() {
  static const CuptiLibrary library = open_cupti();
  return library;
}

void check(const CuptiLibrary& library, CUptiResult status, const char* what) {
  if (status == CUPTI_SUCCESS) return;
  const char* name = nullptr;
  static_cast<void>(library.get_result_string(status, &name));
  throw Error(std::string(what) + ": " + (name == nullptr ? std::to_string(status) : std::string(name)));
}

std::string cupti_version() { return std::to_string(version_of(cupti_library())); }

std::string cupti_path() { return cupti_library().path; }

#else

std::string cupti_version() { throw_not_built_in("CUPTI", "cupti.h"); }
std::string cupti_path() { throw_not_built_in("CUPTI", "cupti.h"); }

#endif

}  // namespace ringsim::cuda
