#include "cli/sweep/evaluator.hpp"

#include "models/error.hpp"
#include "scenarios/reader_steps.hpp"
#include "scenarios/resolved.hpp"
#include "scenarios/spec.hpp"
#include "scenarios/value.hpp"

#include <fmt/format.h>

#include <exception>
#include <string_view>

namespace ringsim::cli {
namespace {

using scenarios::Kind;

std::string_view unit_of(Kind kind) {
  switch (kind) {
    case Kind::duration:
      return "_s";
    case Kind::bytes:
      return "_bytes";
    case Kind::bandwidth:
      return "_bytes_per_s";
    case Kind::flop_rate:
      return "_flop_per_s";
    case Kind::power:
      return "_w";
    default:
      return "";
  }
}

Kind kind_of_axis(const scenarios::SweepAxis& axis) {
  const scenarios::Field* field = scenarios::field_at(axis.key());
  if (field == nullptr) return Kind::text;
  return field->kind == Kind::table && field->mapping == nullptr ? field->rows : field->kind;
}

std::vector<std::string> columns_of(const scenarios::SweepAxes& axes) {
  std::vector<std::string> names;
  for (const scenarios::SweepAxis& axis : axes.axes()) {
    names.push_back(axis.key() + std::string(unit_of(kind_of_axis(axis))));
  }
  return names;
}

reports::AxisValue value_of(const std::string& text, Kind kind) {
  if (!scenarios::holds_number(kind)) return text;
  try {
    const double number = scenarios::number_of(text, kind);
    if (kind == Kind::count) return static_cast<std::int64_t>(number);
    return number;
  } catch (const Error&) {
    return text;  // the point's error says what is wrong with it
  }
}

std::string hash_of_first(const SweepJob& job, const scenarios::SweepAxes& axes) {
  std::vector<ResolvedValue> values;
  try {
    const scenarios::CompleteDocument first =
        scenarios::complete_document(scenarios::parse_document(job.text, job.name), job.directory, axes.sets(0));
    scenarios::list_values(first.root, scenarios::scenario_spec(), "", values);
  } catch (const Error&) {
    values = {{"text", job.text, {}}};
  }
  return scenarios::hash_of(values);
}

// An axis or --set may change it, but it is the file's that people know.
std::string name_of_scenario(const SweepJob& job) {
  const scenarios::Value root = scenarios::parse_document(job.text, job.name);
  const scenarios::Value* name = root.is_mapping() ? root.find("name") : nullptr;
  return name != nullptr && name->is_scalar() ? name->text : std::string();
}

// What was wrong at a key, with the key; elsewhere the message names it.
std::string text_of(const Error& error) {
  const std::string& where = error.where();
  const bool is_key = !where.empty() && where.find_first_of(": ") == std::string::npos;
  return is_key ? fmt::format("{}: {}", where, error.message()) : error.message();
}

}  // namespace

Evaluator::Evaluator(const SweepJob& job)
    : variants_(scenarios::parse_document(job.text, job.name), job.directory, scenarios::SweepAxes(job.sets)),
      rows_(job.json_lines ? reports::RowFormat::json_lines : reports::RowFormat::csv, columns_of(variants_.axes()),
            job.columns.empty() ? reports::usual_figures() : job.columns),
      figures_({engine_of(job), job.seed, rows_.needs_shares_of_time()}),
      hash_(hash_of_first(job, variants_.axes())),
      name_(name_of_scenario(job)) {
  for (const scenarios::SweepAxis& axis : variants_.axes().axes()) kinds_.push_back(kind_of_axis(axis));
  values_.resize(kinds_.size());
  value_index_.assign(kinds_.size(), -1);
}

void Evaluator::find_values(std::int64_t point) {
  const scenarios::SweepAxes& axes = variants_.axes();
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const std::int64_t index = axes.index(point, i);
    if (value_index_[i] == index) continue;
    values_[i] = value_of(axes.axes()[i].text(index), kinds_[i]);
    value_index_[i] = index;
  }
}

std::string Evaluator::beginning(std::int64_t point) {
  find_values(point);
  return rows_.beginning(values_);
}

void Evaluator::append_rows(std::int64_t first, std::int64_t count, std::string& to) {
  for (std::int64_t point = first; point < first + count; ++point) {
    find_values(point);
    try {
      rows_.append(to, values_, figures(point));
    } catch (const Error& error) {
      ++failed_;
      rows_.append_error(to, values_, text_of(error), error.hint());
    } catch (const std::exception& error) {
      ++failed_;
      rows_.append_error(to, values_, std::string("internal error, please report it: ") + error.what(), "");
    }
  }
}

}  // namespace ringsim::cli
