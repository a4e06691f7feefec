#pragma once
// Takes samples on all ranks at once: a core is as fast as its neighbours let it be, and in a ring all of them work.
//
// The ranks begin a sample together; its time is that of the slowest. An operation shorter than 0.3 ms is repeated until
// a sample is that long, so that the clock's resolution and the start's skew do not count.

#include "calibrate/sampling.hpp"
#include "kernels/host/mpi/communicator.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace ringsim::calibrate {

/// Whether the operation has its rank's core for itself. One that brings a thread of its own is preempted by that, which is
/// what is measured and no disturbance.
enum class Core { alone, shared };

/// All calls are collective.
class CollectiveSampler {
 public:
  explicit CollectiveSampler(const host::Communicator& ranks) : ranks_(ranks) {}

  /// `operation(n)` executes the operation n times. The same samples, of one operation each, on all ranks.
  [[nodiscard]] Sampling sample(SamplingRule rule, const std::function<void(std::int64_t)>& operation);

  /// `operation()` executes once and returns the times [s] of `parts` things that went on in it.
  [[nodiscard]] std::vector<Sampling> sample_parts(SamplingRule rule, std::size_t parts, Core core,
                                                   const std::function<std::vector<double>()>& operation);

  [[nodiscard]] const host::Communicator& ranks() const { return ranks_; }

 private:
  RawSample disturbances_after(const std::function<void()>& work, Core core);
  void maximise(std::vector<double>& values) const;

  const host::Communicator& ranks_;
  double best_reference_s_ = 0;  // CPU time of the reference work, of this rank; 0: not yet known
};

}  // namespace ringsim::calibrate
