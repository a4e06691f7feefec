#include "scenarios/plain_value.hpp"

#include "models/error.hpp"
#include "models/names.hpp"
#include "scenarios/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ringsim::scenarios {
namespace {

/// A limit for people: whole numbers have separators.
std::string limit_text(double limit, const Field& field) {
  switch (field.kind) {
    case Kind::ratio:
      return format_ratio(limit);
    case Kind::duration:
      return format_duration(Duration::from_si(limit));
    case Kind::bytes:
      return format_bytes(Bytes::from_si(limit));
    case Kind::bandwidth:
      return format_bandwidth(Bandwidth::from_si(limit));
    case Kind::flop_rate:
      return format_flop_rate(FlopRate::from_si(limit));
    case Kind::power:
      return format_power(Power::from_si(limit));
    default:
      return limit == std::floor(limit) ? fmt::format("{}", fmt::group_digits(static_cast<std::int64_t>(limit)))
                                        : format_number(limit);
  }
}

/// What is legal of a number, then an example.
std::string range_hint(const Field& field) {
  std::string example = example_of(field);
  if (field.kind == Kind::text || field.kind == Kind::boolean || field.kind == Kind::choice ||
      field.kind == Kind::choices || field.kind == Kind::names) {
    return example;
  }
  return fmt::format("legal: {}{}{}", legal_range(field), example.empty() ? "" : "; ", example);
}

void check_range(double value, const Field& field, const std::string& text) {
  const Limits limits = limits_of(field);
  if (value < limits.least) {
    throw Error(fmt::format("{} is too small: at least {}", text, limit_text(limits.least, field)), {},
                range_hint(field));
  }
  if (value > limits.most) {
    const std::string most = limit_text(limits.most, field);
    const bool one_value = limits.least == limits.most;
    throw Error(fmt::format("{} is too large: at most {}{}{}", text, most, field.beyond.empty() ? "" : ", since ",
                            field.beyond),
                {}, one_value ? fmt::format("{}: {}, or leave it out", field.key, most) : range_hint(field));
  }
}

void check_boolean(const std::string& text) {
  if (text == "true" || text == "false") return;
  std::string low = text;
  std::transform(low.begin(), low.end(), low.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const bool yes = low == "yes" || low == "on" || low == "true" || low == "1";
  const bool no = low == "no" || low == "off" || low == "false" || low == "0";
  throw Error(fmt::format("{} is neither true nor false", text), {}, yes ? "write true" : no ? "write false" : "");
}

void check_choice(const std::string& text, const Field& field) {
  for (const Refused& refused : field.refused) {
    if (text == refused.name) throw Error(std::string(refused.message), {}, std::string(refused.hint));
  }
  if (std::find(field.choices.begin(), field.choices.end(), text) != field.choices.end()) return;
  throw Error(fmt::format("{} is not known here", text), {}, name_hint(text, field.choices, "one of"));
}

void check_text(const std::string& text) {
  if (text.empty()) throw Error("the text is empty", {}, {});
  if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; })) {
    throw Error("the text holds a line break or another control character", {}, "one line of text");
  }
}

}  // namespace

std::string_view what_kind(Kind kind) {
  switch (kind) {
    case Kind::text:
      return "a text";
    case Kind::boolean:
      return "true or false";
    case Kind::choice:
      return "one of its names";
    case Kind::count:
      return "a whole number";
    case Kind::number:
      return "a number";
    case Kind::ratio:
      return "a ratio";
    case Kind::duration:
      return "a duration";
    case Kind::bytes:
      return "a size";
    case Kind::bandwidth:
      return "a bandwidth";
    case Kind::flop_rate:
      return "a FLOP rate";
    case Kind::power:
      return "a power";
    case Kind::mapping:
      return "a mapping";
    case Kind::choices:
      return "a list of names";
    case Kind::counts:
      return "a list of whole numbers";
    case Kind::names:
      return "a list of names";
    case Kind::mappings:
      return "a list of mappings";
    case Kind::table:
      break;
  }
  return "a mapping";
}

std::string example_of(const Field& field) {
  if (!field.examples.empty()) return fmt::format("for example {}: {}", field.key, field.examples.front());
  if (!field.choices.empty()) return fmt::format("one of {}", joined(field.choices));
  if (!field.fallback.empty()) return fmt::format("for example {}: {}", field.key, field.fallback);
  return {};
}

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

std::string legal_range(const Field& field) {
  const Limits limits = limits_of(field);
  return fmt::format("{} to {}", limit_text(limits.least, field), limit_text(limits.most, field));
}

std::string normal_text(const std::string& text, const Field& field) {
  switch (field.kind) {
    case Kind::text:
      check_text(text);
      return text;
    case Kind::boolean:
      check_boolean(text);
      return text;
    case Kind::choice:
    case Kind::choices:
      check_choice(text, field);
      return text;
    case Kind::names:
      if (!is_name(text)) throw Error(fmt::format("{} is no name of letters, digits, - and _", text), {}, {});
      return text;
    case Kind::count:
    case Kind::counts: {
      const std::int64_t value = parse_count(text);
      check_range(static_cast<double>(value), field, text);
      return format_count(value);
    }
    case Kind::number: {
      const double value = parse_number(text);
      check_range(value, field, text);
      return format_number(value);
    }
    case Kind::ratio: {
      const double value = parse_ratio(text);
      check_range(value, field, text);
      return format_ratio(value);
    }
    case Kind::duration: {
      const auto value = parse_duration(text);
      check_range(value.si(), field, text);
      return format_duration(value);
    }
    case Kind::bytes: {
      const auto value = parse_bytes(text);
      check_range(value.si(), field, text);
      return format_bytes(value);
    }
    case Kind::bandwidth: {
      const auto value = parse_bandwidth(text);
      check_range(value.si(), field, text);
      return format_bandwidth(value);
    }
    case Kind::flop_rate: {
      const auto value = parse_flop_rate(text);
      check_range(value.si(), field, text);
      return format_flop_rate(value);
    }
    case Kind::power: {
      const auto value = parse_power(text);
      check_range(value.si(), field, text);
      return format_power(value);
    }
    case Kind::mapping:
    case Kind::mappings:
    case Kind::table:
      break;
  }
  return text;
}

void complete_plain(Value& value, const Field& field, const std::string& path) {
  if (value.kind == Value::Kind::null) {
    throw Error(fmt::format("{} has no value", path), value.origin, example_of(field));
  }
  if (!value.is_scalar()) {
    throw Error(fmt::format("{} needs {}, not {}", path, what_kind(field.kind), describe(value)), value.origin,
                example_of(field));
  }
  try {
    value.text = normal_text(value.text, field);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.message()), value.origin,
                error.hint().empty() ? range_hint(field) : error.hint());
  }
}

}  // namespace ringsim::scenarios
