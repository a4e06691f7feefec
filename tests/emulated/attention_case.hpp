#pragma once
// A forward pass by the sm_90a kernel, beside plain attention in double precision. Written against the CUDA runtime
// alone, so that it runs on an emulated GPU and on a real one.

#include <cstdint>
#include <ostream>
#include <string>

namespace ringsim::cuda {

struct AttentionCase {
  std::int64_t heads = 1;
  std::int64_t key_heads = 1;
  std::int64_t queries = 0;
  std::int64_t keys = 0;
  bool causal = false;
  std::int64_t diagonal = 0;
  /// Elements between the end of a head and the beginning of the next; NaN in the inputs. A multiple of 8.
  std::int64_t gap = 0;
  int sms = 1;
  int key_rows = 0;                    // as HopperOptions
  double scale = 0.08838834764831845;  // 1/sqrt(128)
  bool merging = false;
};

/// What differs from the plain computation.
struct AttentionDeviation {
  double o = 0;    // |o − reference| / |reference|, Euclidean, over all elements; that of the accumulator where merging
  double lse = 0;  // largest difference of LSEs that are finite in the reference
  /// Empty, or the first thing that is exactly known and wrong: rows that see no key, elements never written, gaps
  /// written.
  std::string wrong;
};

/// Inputs are normal numbers drawn by `seed`; outputs are NaN before. Throws Error where the call or the kernel fails.
[[nodiscard]] AttentionDeviation run(const AttentionCase& asked, std::uint64_t seed);

/// For messages and names of tests.
std::ostream& operator<<(std::ostream& out, const AttentionCase& asked);

}  // namespace ringsim::cuda
