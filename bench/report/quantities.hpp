#pragma once
// Numbers for people: three digits, with the unit's prefix.

#include <string>

namespace ringsim::bench {

/// 0.00123 s: "1.23 ms". From ns to s.
[[nodiscard]] std::string time_text(double seconds);

/// 2104000000: "2.10 G".
[[nodiscard]] std::string count_text(double count);

/// 7.034: "7.03"; 70.34: "70.3"; 7034: "7,034".
[[nodiscard]] std::string ratio_text(double ratio);

/// 1048576 bytes: "1 MiB".
[[nodiscard]] std::string bytes_text(double bytes);

}  // namespace ringsim::bench
