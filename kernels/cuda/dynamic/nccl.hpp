#pragma once
// NCCL, opened at run time: the functions that rings need.

#include "kernels/cuda/dynamic/library.hpp"

#if __has_include(<nccl.h>)
#define RINGSIM_HAS_NCCL 1
#include <nccl.h>
#else
#define RINGSIM_HAS_NCCL 0
#endif

namespace ringsim::cuda {

#if RINGSIM_HAS_NCCL
struct NcclLibrary {
  std::string path;
  decltype(ncclGetVersion)* get_version;
  decltype(ncclGetUniqueId)* get_unique_id;
  decltype(ncclCommInitRankConfig)* comm_init_rank_config;
  decltype(ncclCommDestroy)* comm_destroy;
  decltype(ncclCommGetAsyncError)* comm_get_async_error;
  decltype(ncclGroupStart)* group_start;
  decltype(ncclGroupEnd)* group_end;
  decltype(ncclSend)* send;
  decltype(ncclRecv)* receive;
  decltype(ncclGetErrorString)* get_error_string;
  decltype(ncclGetLastError)* get_last_error;
};

/// Opened at the first call. Throws MissingLibrary.
[[nodiscard]] const NcclLibrary& nccl_library();
#endif

/// "2.28.9". Throws MissingLibrary.
[[nodiscard]] std::string nccl_version();
/// Of the file. Throws MissingLibrary.
[[nodiscard]] std::string nccl_path();

}  // namespace ringsim::cuda
