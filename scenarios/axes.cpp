#include "scenarios/axes.hpp"

#include "models/error.hpp"
#include "models/names.hpp"
#include "scenarios/plain_value.hpp"
#include "scenarios/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>

namespace ringsim::scenarios {
namespace {

constexpr std::int64_t most_points = std::int64_t{1} << 53U;

std::string trimmed_text(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

// Parts between commas that stand outside of brackets, braces and quotes.
std::vector<std::string> values_of(std::string_view text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth <= 0) {
      parts.push_back(trimmed_text(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  parts.push_back(trimmed_text(text.substr(begin)));
  return parts;
}

std::string number_text(double value, Kind kind) {
  switch (kind) {
    case Kind::count:
      return fmt::format("{}", static_cast<std::int64_t>(value));
    case Kind::ratio:
      return format_ratio(value);
    case Kind::duration:
      return format_duration(Duration::from_si(value));
    case Kind::bytes:
      return format_bytes(Bytes::from_si(value));
    case Kind::bandwidth:
      return format_bandwidth(Bandwidth::from_si(value));
    case Kind::flop_rate:
      return format_flop_rate(FlopRate::from_si(value));
    case Kind::power:
      return format_power(Power::from_si(value));
    default:
      return format_number(value);
  }
}

// The nearest number of 15 digits: what one would write.
double written(double value) { return std::strtod(fmt::format("{:.15g}", value).c_str(), nullptr); }

// Where the step of a range begins: its last * or +, which may not be part of an exponent (1e+3).
std::size_t step_sign(std::string_view text) {
  for (std::size_t i = text.size(); i-- > 0;) {
    const bool exponent = text[i] == '+' && i > 1 && (text[i - 1] == 'e' || text[i - 1] == 'E') &&
                          (std::isdigit(static_cast<unsigned char>(text[i - 2])) != 0 || text[i - 2] == '.');
    if ((text[i] == '*' || text[i] == '+') && !exponent) return i;
  }
  return std::string_view::npos;
}

// Throws what is wrong with one of the numbers of a range at the key.
double range_number(const std::string& text, Kind kind, const std::string& where) {
  try {
    return number_of(text, kind);
  } catch (const Error& error) {
    throw Error(error.message(), where, error.hint());
  }
}

std::string key_of(std::string_view assignment) { return std::string(assignment.substr(0, assignment.find('='))); }

bool is_at_or_above(std::string_view key, std::string_view other) {
  return other == key || (other.starts_with(key) && other[key.size()] == '.');
}

}  // namespace

bool holds_number(Kind kind) {
  switch (kind) {
    case Kind::count:
    case Kind::number:
    case Kind::ratio:
    case Kind::duration:
    case Kind::bytes:
    case Kind::bandwidth:
    case Kind::flop_rate:
    case Kind::power:
      return true;
    default:
      return false;
  }
}

double number_of(const std::string& text, Kind kind) {
  switch (kind) {
    case Kind::count:
      return static_cast<double>(parse_count(text));
    case Kind::ratio:
      return parse_ratio(text);
    case Kind::duration:
      return parse_duration(text).si();
    case Kind::bytes:
      return parse_bytes(text).si();
    case Kind::bandwidth:
      return parse_bandwidth(text).si();
    case Kind::flop_rate:
      return parse_flop_rate(text).si();
    case Kind::power:
      return parse_power(text).si();
    default:
      return parse_number(text);
  }
}

SweepAxis::SweepAxis(std::string key, const std::string& text) : key_(std::move(key)) {
  const Field* field = field_at(key_);
  const std::optional<Field> row = field != nullptr && field->kind == Kind::table && field->mapping == nullptr
                                       ? std::optional(row_of(*field))
                                       : std::nullopt;
  if (row) field = &*row;
  if (field != nullptr) kind_ = field->kind;
  for (const std::string& value : values_of(text)) {
    pieces_.push_back(piece_of(value, field));
    const std::int64_t more = pieces_.back().size;
    if (size_ > most_points - more)
      throw Error("more values than this program counts", "--set " + key_, "2^53 at most");
    size_ += more;
  }
}

SweepAxis::Piece SweepAxis::piece_of(const std::string& text, const Field* field) const {
  const std::string where = "--set " + key_;
  if (text.empty()) throw Error("a value is empty", where, fmt::format("--set {}=a,b,c", key_));
  const std::size_t dots = text.find("..");
  const bool numbers = field != nullptr && holds_number(kind_);
  if (dots == std::string::npos || !numbers) {
    // What is wrong with a value by itself is wrong with every point that has it.
    const bool plain =
        field != nullptr && text.find_first_of("[]{}\"'") == std::string::npos && field->kind < Kind::mapping;
    if (plain) {
      try {
        static_cast<void>(normal_text(text, *field));
      } catch (const Error& error) {
        throw Error(fmt::format("{}: {}", key_, error.message()), where, error.hint());
      }
    }
    return {1, text, {}};
  }
  const std::string rest = text.substr(dots + 2);
  const std::size_t sign = step_sign(rest);
  const std::string from = trimmed_text(std::string_view(text).substr(0, dots));
  const std::string to = trimmed_text(std::string_view(rest).substr(0, sign));
  const auto wrong = [&](const std::string& what, const std::string& hint) {
    return Error(fmt::format("the range {}: {}", text, what), where, hint);
  };
  Piece piece;
  Range& range = piece.range;
  for (const std::string& end : {from, to}) {
    if (end.empty()) throw wrong("it has no " + std::string(&end == &from ? "start" : "end"), "8..512*2");
    try {
      static_cast<void>(normal_text(end, *field));
    } catch (const Error& error) {
      throw wrong(error.message(), error.hint());
    }
  }
  range.first = range_number(from, kind_, where);
  const double last = range_number(to, kind_, where);
  if (sign == std::string::npos) {
    if (kind_ != Kind::count) {
      throw wrong("how far its values are apart is not said",
                  fmt::format("{}..{}*2, or a step: {}..{}+{}", from, to, from, to, from));
    }
    range.step = 1;
  } else if (rest[sign] == '+') {
    range.step = range_number(trimmed_text(std::string_view(rest).substr(sign + 1)), kind_, where);
    if (!(range.step > 0)) throw wrong("a step of 0 never arrives", fmt::format("{}..{}+1", from, to));
  } else {
    range.factor = range_number(trimmed_text(std::string_view(rest).substr(sign + 1)), Kind::number, where);
    if (!(range.factor > 1)) {
      throw wrong(fmt::format("a factor of {} never arrives", format_number(range.factor)),
                  fmt::format("{}..{}*2", from, to));
    }
    if (!(range.first > 0)) throw wrong("0 times any factor stays 0", fmt::format("0,1..{}*2", to));
    if (kind_ == Kind::count && range.factor != std::floor(range.factor)) {
      throw wrong("values that are no whole numbers", "a whole factor, such as 2");
    }
  }
  if (range.first > last) throw wrong("it begins beyond its end, so that it is empty", fmt::format("{}..{}", to, from));
  // A value that is at the end but for rounding belongs to it.
  const double most = last * (1 + 1e-12);
  const double steps =
      range.step > 0 ? (most - range.first) / range.step : std::log(most / range.first) / std::log(range.factor);
  if (!(steps < static_cast<double>(most_points)))
    throw wrong("it has more values than this program counts", "a larger step");
  piece.size = static_cast<std::int64_t>(std::floor(steps)) + 1;
  while (value(range, piece.size) <= most) ++piece.size;  // the logarithm may be off by a little
  while (piece.size > 1 && value(range, piece.size - 1) > most) --piece.size;
  return piece;
}

double SweepAxis::value(const Range& range, std::int64_t index) const {
  const auto i = static_cast<double>(index);
  const double value = range.step > 0 ? range.first + i * range.step : range.first * std::pow(range.factor, i);
  return kind_ == Kind::count ? std::round(value) : written(value);
}

std::string SweepAxis::text(std::int64_t index) const {
  for (const Piece& piece : pieces_) {
    if (index < piece.size) return piece.text.empty() ? number_text(value(piece.range, index), kind_) : piece.text;
    index -= piece.size;
  }
  throw std::out_of_range("no value of the axis " + key_);
}

SweepAxes::SweepAxes(const std::vector<std::string>& sets) {
  for (const std::string& set : sets) {
    const std::size_t equals = set.find('=');
    const std::string key = key_of(set);
    for (const SweepAxis& axis : axes_) {
      if (!is_at_or_above(key, axis.key())) continue;
      throw Error(fmt::format("{} is an axis of the sweep already", axis.key()), "--set " + key,
                  fmt::format("all its values in one: --set {}=a,b,c", axis.key()));
    }
    if (equals != std::string::npos && equals > 0) {
      SweepAxis axis(key, set.substr(equals + 1));
      if (axis.size() > 1) {
        if (axis.size() > most_points / points_) {
          throw Error("the sweep has more points than this program counts", "--set " + key, "2^53 at most");
        }
        points_ *= axis.size();
        assignments_.push_back({{}, axes_.size()});
        axes_.push_back(std::move(axis));
        continue;
      }
      // A range of one value is that value.
      assignments_.push_back({fmt::format("{}={}", key, axis.text(0)), 0});
      continue;
    }
    assignments_.push_back({set, 0});
  }
  stride_.assign(axes_.size(), 1);
  for (std::size_t i = axes_.size(); i-- > 1;) stride_[i - 1] = stride_[i] * axes_[i].size();
}

std::vector<std::string> SweepAxes::sets(std::int64_t point) const {
  std::vector<std::string> all;
  for (const Assignment& assignment : assignments_) {
    if (!assignment.text.empty()) {
      all.push_back(assignment.text);
      continue;
    }
    const SweepAxis& axis = axes_[assignment.axis];
    all.push_back(fmt::format("{}={}", axis.key(), axis.text(index(point, assignment.axis))));
  }
  return all;
}

}  // namespace ringsim::scenarios
