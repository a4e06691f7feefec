#pragma once
// Decimal numbers as text: digits and a power of ten, so that a prefix such as "milli" moves the decimal point exactly
// and rounding to a double happens once.

#include <optional>
#include <string>
#include <string_view>

namespace ringsim::scenarios {

/// ± digits · 10^exponent. `digits` has neither leading nor trailing zeros; empty means zero.
struct Decimal {
  bool negative = false;
  std::string digits;
  long exponent = 0;

  [[nodiscard]] bool zero() const { return digits.empty(); }
};

/// Reads a number at the start of `text` and removes it from there: [sign] digits [. digits] [e [sign] digits].
/// Empty where no number stands. "inf", "nan" and hexadecimal are no numbers.
[[nodiscard]] std::optional<Decimal> take_decimal(std::string_view& text);

/// The double nearest to decimal · 10^shift; empty where it overflows or vanishes.
[[nodiscard]] std::optional<double> to_double(const Decimal& decimal, long shift);

/// The shortest decimal that reads back as `value` (finite).
[[nodiscard]] Decimal shortest(double value);

/// Plain notation for moderate sizes ("0.05", "2847.5"), scientific ("1e-30") else.
[[nodiscard]] std::string to_text(const Decimal& decimal);

}  // namespace ringsim::scenarios
