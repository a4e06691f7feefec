#include "reports/sweep_rows.hpp"

#include "models/error.hpp"
#include "models/names.hpp"
#include "reports/csv.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

namespace ringsim::reports {
namespace {

using sim::Figures;

// A figure as text for machines: numbers and words that need no quotes of CSV. Appends nothing where it is absent.
using Append = void (*)(std::string& to, const Figures& f);

void put(std::string& to, double value) {
  if (std::isfinite(value)) fmt::format_to(std::back_inserter(to), "{}", value);
}
void put(std::string& to, std::int64_t value) { fmt::format_to(std::back_inserter(to), "{}", value); }
void put(std::string& to, bool value) { to += value ? "true" : "false"; }
template <class T>
void put(std::string& to, const std::optional<T>& value) {
  if (value) put(to, *value);
}

template <auto member>
void put_member(std::string& to, const Figures& f) {
  put(to, f.*member);
}

struct Figure {
  std::string_view name;
  Append append;
  bool usual = true;
  bool share_of_time = false;
  bool text = false;  // JSON wants quotes
};

constexpr std::array<Figure, 23> all_figures = {{
    {"engine", [](std::string& to, const Figures& f) { to += name_of(f.engine); }, true, false, true},
    {"ranks", put_member<&Figures::ranks>},
    {"idle_gpus", put_member<&Figures::idle_gpus>, false},
    {"tokens_per_rank", put_member<&Figures::tokens_per_rank>, false},
    {"makespan_s", put_member<&Figures::makespan_s>},
    {"makespan_is_bound", put_member<&Figures::makespan_is_bound>},
    {"compute_s", put_member<&Figures::compute_s>, true, true},
    {"exposed_communication_s", put_member<&Figures::exposed_communication_s>, true, true},
    {"bubble_s", put_member<&Figures::bubble_s>, true, true},
    {"overlap", put_member<&Figures::overlap>, true, true},
    {"ring_efficiency", put_member<&Figures::ring_efficiency>},
    {"mfu", put_member<&Figures::mfu>},
    {"hfu", put_member<&Figures::hfu>, false},
    {"tokens_per_s", put_member<&Figures::tokens_per_s>},
    {"ttft_s", put_member<&Figures::ttft_s>},
    {"tpot_s", put_member<&Figures::tpot_s>},
    {"step_time_s", put_member<&Figures::step_time_s>},
    {"gpu_hours", put_member<&Figures::gpu_hours>},
    {"cost", put_member<&Figures::cost>},
    {"memory_total_bytes", put_member<&Figures::memory_total_bytes>},
    {"memory_capacity_bytes", put_member<&Figures::memory_capacity_bytes>},
    {"memory_fits", put_member<&Figures::memory_fits>},
    {"links_are_shared", put_member<&Figures::shared_links>},
}};

std::string json_text(std::string_view text) {
  return nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Of an error nothing but one line belongs into a row.
std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }, ' ');
  return line;
}

std::string_view line_end(RowFormat format) { return format == RowFormat::csv ? "\r\n" : "}\n"; }

}  // namespace

std::vector<std::string_view> figure_names() {
  std::vector<std::string_view> names;
  for (const Figure& figure : all_figures) names.push_back(figure.name);
  return names;
}

std::vector<std::string> usual_figures() {
  std::vector<std::string> names;
  for (const Figure& figure : all_figures) {
    if (figure.usual) names.emplace_back(figure.name);
  }
  return names;
}

SweepRows::SweepRows(RowFormat format, std::vector<std::string> axes, const std::vector<std::string>& figures)
    : format_(format), axes_(std::move(axes)) {
  for (const std::string& name : figures) {
    const auto* known =
        std::find_if(all_figures.begin(), all_figures.end(), [&](const Figure& figure) { return figure.name == name; });
    if (known == all_figures.end()) {
      throw Error(fmt::format("there is no column {}", name.empty() ? "without a name" : name), "--columns",
                  name_hint(name, figure_names(), "columns"));
    }
    const auto index = static_cast<std::size_t>(known - all_figures.begin());
    if (std::find(figures_.begin(), figures_.end(), index) != figures_.end()) {
      throw Error(fmt::format("the column {} is named twice", name), "--columns", "each column once");
    }
    figures_.push_back(index);
    names_.emplace_back(known->name);
    shares_of_time_ = shares_of_time_ || known->share_of_time;
  }
  if (format_ == RowFormat::csv) return;
  for (std::vector<std::string>* names : {&axes_, &names_}) {
    for (std::string& name : *names) name = json_text(name) + ":";
  }
}

std::string SweepRows::header() const {
  if (format_ == RowFormat::json_lines) return {};
  std::vector<std::string> names = axes_;
  names.insert(names.end(), names_.begin(), names_.end());
  names.insert(names.end(), {"error", "hint"});
  return csv_line(names);
}

void SweepRows::append_values(std::string& to, const std::vector<AxisValue>& values) const {
  const bool csv = format_ == RowFormat::csv;
  if (!csv) to += '{';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!csv) to += axes_[i];
    if (const auto* text = std::get_if<std::string>(&values[i])) {
      to += csv ? csv_quoted(*text) : json_text(*text);
    } else if (const auto* whole = std::get_if<std::int64_t>(&values[i])) {
      put(to, *whole);
    } else {
      put(to, std::get<double>(values[i]));
    }
    to += ',';
  }
}

std::string SweepRows::beginning(const std::vector<AxisValue>& values) const {
  std::string text;
  append_values(text, values);
  return text;
}

void SweepRows::append(std::string& to, const std::vector<AxisValue>& values, const Figures& figures) const {
  append_values(to, values);
  const bool csv = format_ == RowFormat::csv;
  for (std::size_t i = 0; i < figures_.size(); ++i) {
    const Figure& figure = all_figures[figures_[i]];
    if (csv) {
      figure.append(to, figures);
    } else {
      to += names_[i];
      if (figure.text) to += '"';
      const std::size_t before = to.size();
      figure.append(to, figures);
      if (to.size() == before) to += "null";
      if (figure.text) to += '"';
    }
    to += ',';
  }
  to += csv ? "," : "\"error\":null,\"hint\":null";
  to += line_end(format_);
}

void SweepRows::append_error(std::string& to, const std::vector<AxisValue>& values, std::string_view error,
                             std::string_view hint) const {
  append_values(to, values);
  const bool csv = format_ == RowFormat::csv;
  for (const std::string& name : names_) {
    if (!csv) to += name + "null";
    to += ',';
  }
  if (csv) {
    to += csv_quoted(one_line(error)) + "," + csv_quoted(one_line(hint));
  } else {
    to +=
        "\"error\":" + json_text(one_line(error)) + ",\"hint\":" + (hint.empty() ? "null" : json_text(one_line(hint)));
  }
  to += line_end(format_);
}

}  // namespace ringsim::reports
