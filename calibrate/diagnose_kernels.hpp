#pragma once
// The attention kernels of a measured run by shape: only kernels of the same rectangle, with as many entries under the mask,
// are compared with each other. Shapes follow from the run's definition and a kernel's rank, layer and step.

#include "calibrate/diagnose.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ringsim::calibrate {

class ShapedKernels {
 public:
  /// Kernels whose layer and step are not known are left out.
  explicit ShapedKernels(const Measurement& measurement);

  /// Beside: a hop to or from the rank is in flight for at least 90 % of the kernel; alone: for at most 10 %. What lies
  /// between says little and is left out. Absent unless some shape has three kernels of each.
  [[nodiscard]] std::optional<KernelsBesideTransfers> beside_transfers() const;

  /// The rank with the largest ratio of its own to the other ranks' median time, by the median over the shapes that it shares with
  /// others; shapes count with three kernels on each side. Absent: no rank shares a shape.
  [[nodiscard]] std::optional<SlowRank> slowest_rank() const;

 private:
  struct Kernel {
    std::int64_t rank = 0;
    double seconds = 0;
    double in_flight = 0;  // share of its time
  };
  using Shape = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>;  // name, rows, columns, entries
  std::map<Shape, std::vector<Kernel>> shapes_;
  std::int64_t ring_ = 0;
};

}  // namespace ringsim::calibrate
