#pragma once
// Microbenchmarks of the host executor: what a Profile of this machine is fitted to. All ranks do the same at once.
//
//   attention     forward and backward kernels alone, by rows, columns, mask and heads
//   merge         output, dQ, dK/dV
//   transfer      a hop: every rank sends and receives at once, 256 B to 64 MiB
//   interference  a kernel and a hop posted as it begins; moved by the kernel's thread between its tiles (sm-kernel), or by
//                 a thread beside it (copy-engine). The hop alone is in both the one of `transfer`, as a profile knows but
//                 one link: waking up the thread counts as interference.
//   launch        what the executor spends on an operation beside its kernel
//   gemm, stream  matrix products and copies of memory, to compare the others with

#include "calibrate/samples.hpp"
#include "calibrate/task.hpp"
#include "kernels/host/mpi/communicator.hpp"
#include "models/numeric.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::calibrate {

struct HostBenchmarkOptions {
  std::vector<std::int64_t> query_heads{4, 1, 8};  // of a rank; most kernels are timed with the first
  std::int64_t head_dim = 64;
  Dtype dtype = Dtype::fp32;  // fp32 or fp64
  double budget_s = 150;      // of all; ends within a few seconds of it
  double target = 0.02;       // half width of a median's 95 % interval / median at which a benchmark is content
  std::string link_class = "host-memory";
  std::string commit;  // of ringsim, for the provenance
};

/// Collective. On rank 0 the samples, elsewhere nothing; it reports its progress there. Throws Error for a dtype that CPUs do not compute in, for heads or
/// a dimension below 1.
[[nodiscard]] Samples run_host_benchmarks(const host::Communicator& ranks, const HostBenchmarkOptions& options,
                                          const ProgressCallback& progress = {});

}  // namespace ringsim::calibrate
