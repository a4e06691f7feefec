#include "calibrate/import/kernel_summary.hpp"

#include "calibrate/import/csv_text.hpp"
#include "calibrate/import/text.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace ringsim::calibrate {
namespace {

bool is_header(std::string_view line) {
  return line.find("Total Time") != std::string_view::npos && line.find("Instances") != std::string_view::npos &&
         line.find("Name") != std::string_view::npos;
}

/// "med" and "ns" of "Med (ns)"; lower case, no unit for "Instances".
std::pair<std::string, std::string> split_unit(const std::string& column) {
  const std::size_t open = column.find('(');
  const std::string name = lower_case(trimmed(std::string_view(column).substr(0, open)));
  if (open == std::string::npos) return {name, {}};
  const std::size_t close = column.find(')', open);
  return {name, lower_case(trimmed(std::string_view(column).substr(open + 1, close - open - 1)))};
}

std::optional<double> per_second(const std::string& unit) {
  static const std::map<std::string, double> known = {{"ns", 1e9},   {"nsec", 1e9},         {"nanoseconds", 1e9},
                                                      {"us", 1e6},   {"\u00B5s", 1e6},      {"\u03BCs", 1e6},
                                                      {"usec", 1e6}, {"microseconds", 1e6}, {"ms", 1e3},
                                                      {"msec", 1e3}, {"milliseconds", 1e3}, {"s", 1},
                                                      {"sec", 1},    {"seconds", 1}};
  const auto found = known.find(unit);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

/// Where the columns that matter stand.
struct Columns {
  std::map<std::string, std::pair<std::size_t, double>> times;  // -> index, units in a second
  std::size_t instances = 0, name = 0;                          // always there: the header is told by them
};

Columns read_header(const std::string& file, const CsvRow& header) {
  static const std::map<std::string, std::string> times = {
      {"total time", "total"}, {"avg", "avg"},     {"average", "avg"}, {"med", "med"},    {"median", "med"},
      {"min", "min"},          {"minimum", "min"}, {"max", "max"},     {"maximum", "max"}};
  Columns columns;
  std::string total_unit;  // old versions give the unit of the total only, which is that of all
  for (const std::string& cell : header.cells) {
    const auto [name, unit] = split_unit(cell);
    if (name == "total time") total_unit = unit;
  }
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    const auto [name, unit] = split_unit(header.cells[i]);
    if (name == "instances") columns.instances = i;
    if (name == "name") columns.name = i;
    const auto time = times.find(name);
    if (time == times.end()) continue;
    const auto units = per_second(unit.empty() ? total_unit : unit);
    if (!units) {
      throw Error(fmt::format("the unit of {} is not known", header.cells[i]), place(file, header.line),
                  "ns, us, ms or s in brackets");
    }
    columns.times[time->second] = {i, *units};
  }
  const auto need = [&](bool there, std::string_view name) {
    if (there) return;
    throw Error(fmt::format("the table lacks the column {}", name), place(file, header.line),
                "the columns of nsys stats --report cuda_gpu_kern_sum --format csv");
  };
  need(columns.times.contains("avg"), "Avg");
  need(columns.times.contains("min"), "Min");
  need(columns.times.contains("max"), "Max");
  return columns;
}

}  // namespace

bool is_kernel_summary(std::string_view text) {
  while (!text.empty()) {
    if (is_header(take_line(text))) return true;
  }
  return false;
}

KernelTable import_kernel_summary(const std::string& name, std::string_view text,
                                  const std::vector<NamePattern>& patterns) {
  refuse_what_is_no_text(name, text);
  std::string_view rest = without_mark(text);
  std::string_view table_text = rest;
  std::size_t line_number = 1;
  for (; !is_header(take_line(rest)); table_text = rest, ++line_number) {
    if (rest.empty()) {
      throw Error(fmt::format("no table of kernels; the file begins with {}", beginning_of(text)), name,
                  "the output of nsys stats --report cuda_gpu_kern_sum --format csv");
    }
  }
  // The table ends at a blank line; another report may follow.
  while (!rest.empty()) {
    const std::string_view before = rest;
    if (!trimmed(take_line(rest)).empty()) continue;
    table_text.remove_suffix(before.size());
    break;
  }
  const CsvTable table = parse_csv(name, table_text, line_number);
  const Columns columns = read_header(name, table.header);
  KernelTable result;
  if (!columns.times.contains("med")) result.notes.push_back(name + ": the table has no medians; means stand for them");
  KernelNames names(patterns);
  double elementwise_s = 0;
  for (const CsvRow& row : table.rows) {
    const auto time_s = [&](const char* column) {
      const auto [index, units] = columns.times.at(column);
      const auto number = finite_number(row.cells[index]);
      if (!number || *number < 0) {
        throw Error(fmt::format("\"{}\" is no time", row.cells[index]),
                    fmt::format("{}: {}", place(name, row.line), table.header.cells[index]),
                    "a number without separators");
      }
      return *number / units;
    };
    KernelSummary kernel;
    kernel.name = row.cells[columns.name];
    const auto instances = whole_number(row.cells[columns.instances]);
    if (!instances || *instances <= 0) {
      throw Error(fmt::format("\"{}\" is no number of instances", row.cells[columns.instances]),
                  fmt::format("{}: Instances", place(name, row.line)), "a positive whole number");
    }
    kernel.instances = *instances;
    kernel.total_s = time_s("total");
    kernel.median_s = time_s(columns.times.contains("med") ? "med" : "avg");
    kernel.min_s = time_s("min");
    kernel.max_s = time_s("max");
    const KernelClass meaning = names.classify(kernel.name);
    kernel.kind = meaning.kind == KernelKind::elementwise ? KernelKind::other : meaning.kind;
    kernel.pass = meaning.pass;
    if (meaning.kind == KernelKind::elementwise) elementwise_s += kernel.total_s;
    result.kernels.push_back(std::move(kernel));
  }
  if (elementwise_s > 0) {
    result.notes.push_back(
        fmt::format("{}: elementwise kernels took {:.3g} s; the table does not say which of them are merges: give a "
                    "pattern for those",
                    name, elementwise_s));
  }
  return result;
}

std::vector<OperationSummary> per_operation(const std::vector<KernelSummary>& kernels) {
  struct Parts {
    OperationSummary summary;
    std::vector<std::pair<double, std::int64_t>> medians;  // of the main kernels, and how often
    double helpers_s = 0;                                  // sum of median · instances
  };
  std::map<std::pair<KernelKind, std::optional<Pass>>, Parts> operations;
  for (const KernelSummary& kernel : kernels) {
    const bool helper = kernel.kind == KernelKind::preparation || kernel.kind == KernelKind::completion;
    const bool counts = helper || kernel.kind == KernelKind::attention || kernel.kind == KernelKind::transfer ||
                        kernel.kind == KernelKind::merge;
    if (!counts) continue;
    const KernelKind kind = helper ? KernelKind::attention : kernel.kind;
    Parts& parts = operations[{kind, kernel.pass}];
    parts.summary.kind = kind;
    parts.summary.pass = kernel.pass;
    parts.summary.total_s += kernel.total_s;
    if (helper) {
      parts.helpers_s += kernel.median_s * static_cast<double>(kernel.instances);
    } else {
      parts.summary.instances += kernel.instances;
      parts.medians.emplace_back(kernel.median_s, kernel.instances);
    }
  }
  std::vector<OperationSummary> result;
  for (auto& [key, parts] : operations) {
    if (parts.summary.instances == 0) continue;  // helpers of kernels that did not run
    std::sort(parts.medians.begin(), parts.medians.end());
    std::int64_t seen = 0;
    for (const auto& [median_s, instances] : parts.medians) {
      seen += instances;
      if (2 * seen < parts.summary.instances) continue;
      parts.summary.median_s = median_s;
      break;
    }
    parts.summary.median_s += parts.helpers_s / static_cast<double>(parts.summary.instances);
    result.push_back(parts.summary);
  }
  return result;
}

}  // namespace ringsim::calibrate
