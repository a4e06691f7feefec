#pragma once
// Which sources this program was built from.

#include <string_view>

namespace ringsim::cli {

/// Of the repository at build time: 12 hexadecimal digits, "-dirty" behind them where files were changed; empty where unknown.
[[nodiscard]] std::string_view commit();

}  // namespace ringsim::cli
