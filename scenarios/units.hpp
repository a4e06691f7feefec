#pragma once
// Text with units, both ways. Everything with a dimension needs its unit; counts, ratios and prices are bare.
//
//   duration   ns us µs ms s min h             5 us
//   size       B kB MB GB TB, KiB MiB GiB TiB  80 GB
//   bandwidth  B/s ... TB/s, GBps, GiB/s, and bits: Mb/s Gb/s Tb/s, Gbps, Gbit/s      450 GB/s, 400 Gb/s
//   rate       FLOP/s, FLOPS with k M G T P E  989 TFLOP/s
//   count      16384, 1K = 10^3, 1M, 1G; 1Ki = 1024, 1Mi, 1Gi; 1.5M where the result is whole
//   ratio      0.02 or 2%
//
// Decimal prefixes move the decimal point of the text before it becomes a double, so that "0.1 ms" is the double
// nearest to 1e-4, and parse(format(x)) == x bit for bit for every finite x that a kind allows. All parse functions
// throw Error with what is wrong and what would be right; the caller adds where it stands.

#include "models/quantity.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::scenarios {

[[nodiscard]] Duration parse_duration(std::string_view text);    // >= 0
[[nodiscard]] Bytes parse_bytes(std::string_view text);          // > 0
[[nodiscard]] Bandwidth parse_bandwidth(std::string_view text);  // > 0
[[nodiscard]] FlopRate parse_flop_rate(std::string_view text);   // > 0
[[nodiscard]] Power parse_power(std::string_view text);          // > 0
[[nodiscard]] std::int64_t parse_count(std::string_view text);   // >= 0
[[nodiscard]] double parse_ratio(std::string_view text);         // >= 0; a percent sign divides by 100
[[nodiscard]] double parse_number(std::string_view text);        // >= 0, bare

[[nodiscard]] std::string format_duration(Duration value);
[[nodiscard]] std::string format_bytes(Bytes value);
[[nodiscard]] std::string format_bytes_shortest(Bytes value);  // "64 KiB": in powers of 1024 where that is shorter
[[nodiscard]] std::string format_bandwidth(Bandwidth value);
[[nodiscard]] std::string format_flop_rate(FlopRate value);
[[nodiscard]] std::string format_power(Power value);
[[nodiscard]] std::string format_count(std::int64_t value);
[[nodiscard]] std::string format_ratio(double value);  // as a percentage
[[nodiscard]] std::string format_number(double value);

/// The units that a text may have, the usual ones first; of counts the endings.
[[nodiscard]] std::vector<std::string_view> duration_units();
[[nodiscard]] std::vector<std::string_view> bytes_units();
[[nodiscard]] std::vector<std::string_view> bandwidth_units();
[[nodiscard]] std::vector<std::string_view> flop_rate_units();
[[nodiscard]] std::vector<std::string_view> power_units();
[[nodiscard]] std::vector<std::string_view> count_endings();

/// Regular expressions of the accepted texts, for the JSON Schema.
[[nodiscard]] std::string duration_pattern();
[[nodiscard]] std::string bytes_pattern();
[[nodiscard]] std::string bandwidth_pattern();
[[nodiscard]] std::string flop_rate_pattern();
[[nodiscard]] std::string power_pattern();
[[nodiscard]] std::string count_pattern();
[[nodiscard]] std::string ratio_pattern();

}  // namespace ringsim::scenarios
