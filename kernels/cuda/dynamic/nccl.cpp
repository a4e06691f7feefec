#include "kernels/cuda/dynamic/nccl.hpp"

namespace ringsim::cuda {

#if RINGSIM_HAS_NCCL

namespace {

NcclLibrary open_nccl() {
  const Library library(
      {"NCCL",
       {"libnccl.so.2"},
       "It comes with PyTorch (the Python package nvidia-nccl-cu13) or from NVIDIA; name its folder in "
       "RINGSIM_CUDA_LIBRARIES."});
  return {
      .path = library.path(),
      .get_version = library.function<decltype(ncclGetVersion)>("ncclGetVersion"),
      .get_unique_id = library.function<decltype(ncclGetUniqueId)>("ncclGetUniqueId"),
      .comm_init_rank_config = library.function<decltype(ncclCommInitRankConfig)>("ncclCommInitRankConfig"),
      .comm_destroy = library.function<decltype(ncclCommDestroy)>("ncclCommDestroy"),
      .comm_get_async_error = library.function<decltype(ncclCommGetAsyncError)>("ncclCommGetAsyncError"),
      .group_start = library.function<decltype(ncclGroupStart)>("ncclGroupStart"),
      .group_end = library.function<decltype(ncclGroupEnd)>("ncclGroupEnd"),
      .send = library.function<decltype(ncclSend)>("ncclSend"),
      .receive = library.function<decltype(ncclRecv)>("ncclRecv"),
      .get_error_string = library.function<decltype(ncclGetErrorString)>("ncclGetErrorString"),
      .get_last_error = library.function<decltype(ncclGetLastError)>("ncclGetLastError"),
  };
}

}  // namespace

const NcclLibrary& nccl_library() {
  static const NcclLibrary library = open_nccl();
  return library;
}

std::string nccl_version() {
  int version = 0;  // 22809: 10000 major + 100 minor + patch
  const ncclResult_t status = nccl_library().get_version(&version);
  if (status != ncclSuccess) {
    throw Error(std::string("ncclGetVersion: ") + nccl_library().get_error_string(status));
  }
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

std::string nccl_path() { return nccl_library().path; }

#else

std::string nccl_version() { throw_not_built_in("NCCL", "nccl.h"); }
std::string nccl_path() { throw_not_built_in("NCCL", "nccl.h"); }

#endif

}  // namespace ringsim::cuda
