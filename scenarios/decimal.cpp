#include "scenarios/decimal.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace ringsim::scenarios {
namespace {

constexpr long largest_exponent = 100000;  // far beyond what a double holds, far below what a long does

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t count_digits(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - from;
}

void normalise(Decimal& decimal) {
  const std::size_t first = decimal.digits.find_first_not_of('0');
  if (first == std::string::npos) {
    decimal.digits.clear();
    decimal.exponent = 0;
    return;
  }
  decimal.digits.erase(0, first);
  const std::size_t last = decimal.digits.find_last_not_of('0');
  decimal.exponent += static_cast<long>(decimal.digits.size() - last - 1);
  decimal.digits.erase(last + 1);
}

}  // namespace

std::optional<Decimal> take_decimal(std::string_view& text) {
  Decimal decimal;
  std::size_t at = 0;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) decimal.negative = text[at++] == '-';
  const std::size_t whole = count_digits(text, at);
  decimal.digits = text.substr(at, whole);
  at += whole;
  std::size_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    fraction = count_digits(text, at + 1);
    decimal.digits += text.substr(at + 1, fraction);
    at += 1 + fraction;
  }
  if (whole + fraction == 0) return std::nullopt;
  decimal.exponent = -static_cast<long>(fraction);
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t digits_at = at + 1;
    if (digits_at < text.size() && (text[digits_at] == '+' || text[digits_at] == '-')) ++digits_at;
    const std::size_t exponent_digits = count_digits(text, digits_at);
    if (exponent_digits > 0) {  // else the letter belongs to what follows
      long exponent = largest_exponent;
      if (exponent_digits <= 5)
        std::from_chars(text.data() + digits_at, text.data() + digits_at + exponent_digits, exponent);
      decimal.exponent += text[at + 1] == '-' ? -exponent : exponent;
      at = digits_at + exponent_digits;
    }
  }
  text.remove_prefix(at);
  normalise(decimal);
  return decimal;
}

std::optional<double> to_double(const Decimal& decimal, long shift) {
  if (decimal.zero()) return 0.0;
  const std::string text =
      fmt::format("{}{}e{}", decimal.negative ? "-" : "", decimal.digits, decimal.exponent + shift);
  double value = 0.0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || !std::isfinite(value) || value == 0.0) return std::nullopt;
  return value;
}

Decimal shortest(double value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  std::string_view rest(buffer, static_cast<std::size_t>(end - buffer));
  return take_decimal(rest).value_or(Decimal{});
}

std::string to_text(const Decimal& decimal) {
  if (decimal.zero()) return "0";
  std::string text = decimal.digits;
  const long length = static_cast<long>(text.size());
  const long point = length + decimal.exponent;  // digits before the decimal point
  if (point > 21 || point < -5) {
    if (length > 1) text.insert(1, ".");
    text += fmt::format("e{}", point - 1);
  } else if (point >= length) {
    text.append(static_cast<std::size_t>(point - length), '0');
  } else if (point > 0) {
    text.insert(static_cast<std::size_t>(point), ".");
  } else {
    text = "0." + std::string(static_cast<std::size_t>(-point), '0') + text;
  }
  return decimal.negative ? "-" + text : text;
}

}  // namespace ringsim::scenarios
