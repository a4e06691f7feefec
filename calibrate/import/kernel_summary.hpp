#pragma once
// The kernel table of Nsight Systems: nsys stats --report cuda_gpu_kern_sum --format csv. Totals and medians by kernel
// name, over the whole profile; no times of single operations.

#include "calibrate/import/kernel_names.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::calibrate {

struct KernelSummary {
  std::string name;
  KernelKind kind = KernelKind::other;
  std::optional<Pass> pass;
  std::int64_t instances = 0;
  double total_s = 0;
  double median_s = 0;  // the mean where the table has no medians
  double min_s = 0;
  double max_s = 0;
};

/// An operation of a ring: an attention kernel of a pass with its helpers, a transfer, a merge.
struct OperationSummary {
  KernelKind kind = KernelKind::attention;
  std::optional<Pass> pass;  // of attention
  std::int64_t instances = 0;
  double total_s = 0;
  double median_s = 0;  // of one operation; see per_operation()
};

struct KernelTable {
  std::vector<KernelSummary> kernels;
  std::vector<std::string> notes;
};

/// Lines before the header and the GridXYZ and BlockXYZ columns of some versions are skipped; the unit is the header's.
/// Elementwise kernels count as other: a table does not say what they follow. Throws Error with file, line and column.
[[nodiscard]] KernelTable import_kernel_summary(const std::string& name, std::string_view text,
                                                const std::vector<NamePattern>& patterns);

/// Kernels by operation. Attention: as many instances as there are kernels of kind attention, the total with preparation
/// and completion. The median is that of the kernels' medians, each as often as it ran, plus the helpers' medians in
/// proportion to how often they ran: exact where one kernel name does all of an operation.
[[nodiscard]] std::vector<OperationSummary> per_operation(const std::vector<KernelSummary>& kernels);

/// Whether a line of the text is the table's header.
[[nodiscard]] bool is_kernel_summary(std::string_view text);

}  // namespace ringsim::calibrate
