#pragma once
// ringsim's own CSV of kernel times, for people to write: docs/IMPORT.md.

#include "calibrate/import/import.hpp"

namespace ringsim::calibrate {

/// Whether at least two names of the first row are columns of such a file.
[[nodiscard]] bool is_kernel_times_csv(std::string_view text, const ImportOptions& options);
[[nodiscard]] Points import_kernel_times_csv(const std::string& name, std::string_view text,
                                             const ImportOptions& options);

}  // namespace ringsim::calibrate
