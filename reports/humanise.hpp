#pragma once
// Numbers for people: rounded, with a unit, never in the optimistic direction where a decision hangs on them.
// Machines get full precision from exact().

#include "models/quantity.hpp"

#include <cstdint>
#include <string>

namespace ringsim::reports {

/// 1048576 -> "1,048,576".
[[nodiscard]] std::string human_count(std::int64_t value);

/// Four significant digits, thousands separated, no exponent between 1e-4 and 1e15: 1234567 -> "1,235,000".
[[nodiscard]] std::string human_number(double value);

/// "3.210 us", "45.60 ms", "12.30 s", "14.20 min", "3.100 h": four significant digits; beyond a
/// million hours "1.234e+07 h".
[[nodiscard]] std::string human_time(double seconds);

/// Decimal units: "43.10 GB", "524.3 kB".
[[nodiscard]] std::string human_bytes(Bytes size);
/// "450.0 GB/s".
[[nodiscard]] std::string human_bandwidth(Bandwidth bandwidth);
/// "989.0 TFLOP/s".
[[nodiscard]] std::string human_rate(FlopRate rate);

/// One decimal. What is not zero never shows as "0.0 %" nor what is not all as "100.0 %": "<0.1 %", ">99.9 %".
[[nodiscard]] std::string human_percent(double fraction);

/// "+4.5 %", "-12.0 %". What is not zero never shows as zero: "±<0.1 %".
[[nodiscard]] std::string human_signed_percent(double fraction);

/// Two decimals, or four significant digits below one: "1,234.50", "0.6260".
[[nodiscard]] std::string human_money(double value);

/// "12.30 kWh"; below one watt-hour in joules.
[[nodiscard]] std::string human_energy(double joules);

/// B_min: one decimal, rounded up. An excess of less than 1e-9 of the value is noise of the search for it.
[[nodiscard]] std::string human_tokens_up(double tokens);

/// "54.3": three significant digits. A margin to spare is rounded down, a lack is rounded up.
[[nodiscard]] std::string human_factor_down(double factor);
[[nodiscard]] std::string human_factor_up(double factor);

/// Shortest decimal text that reads back as the same double; for CSV and the like.
[[nodiscard]] std::string exact(double value);

}  // namespace ringsim::reports
