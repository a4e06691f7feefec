#pragma once
// What `ringsim` and its worker for GPUs say to each other, as JSON, beyond the messages of every measured run (measure_job.hpp).

#include "calibrate/measure_job.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ringsim::calibrate {

struct CudaMeasureJob {
  MeasureJob run;
  std::string kernels = "cudnn";  // as AttentionKernels::name(): cudnn, sm90, reference
  bool fused_merge = false;       // sm90 alone: the kernel folds its result into the accumulator
  bool graph = false;             // launch one captured graph instead of every operation
  /// One GPU plays all ranks, one after the other, with copies at this rate for hops [B/s]; 0: a GPU a rank, and NCCL.
  double link_bytes_per_s = 0;
  bool copy_engine = false;          // who copies: a copy engine, or thread blocks
  std::int64_t transfer_blocks = 8;  // of a copy by thread blocks, at most; of NCCL, its channels
  bool activity = false;             // one more run with CUPTI's records
};

[[nodiscard]] std::string to_json(const CudaMeasureJob& job);
/// Throws Error for a text that the function above did not write.
[[nodiscard]] CudaMeasureJob cuda_measure_job_of(std::string_view text);

}  // namespace ringsim::calibrate
