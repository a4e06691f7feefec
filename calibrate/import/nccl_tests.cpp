#include "calibrate/import/nccl_tests.hpp"

#include "calibrate/import/text.hpp"
#include "calibrate/statistics.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::calibrate {
namespace {

/// "sendrecv" of "./build/sendrecv_perf"; empty where nothing says it.
std::string test_of(const NcclRun& run, const ImportOptions& options) {
  std::string test = run.test.substr(run.test.rfind('/') + 1);
  if (test.empty()) {
    const auto given = options.constants.find("collective");
    if (given == options.constants.end()) {
      throw Error("the file does not say which test of nccl-tests it is from", run.file,
                  "give the import the constant collective: sendrecv for sendrecv_perf");
    }
    test = given->second;
  }
  if (test.ends_with("_perf")) test.resize(test.size() - 5);
  return test;
}

/// A group of ranks on several hosts sends over the slowest of its links.
std::string link_class_of(const NcclRun& run, const ImportOptions& options) {
  if (run.hosts.empty()) {
    if (options.intra_class.empty() != options.inter_class.empty()) {
      return options.intra_class + options.inter_class;  // the one that is given
    }
    throw Error("the file does not say on which hosts its ranks were", run.file,
                "give the import either intra_class or inter_class, not both");
  }
  const bool between =
      std::any_of(run.hosts.begin(), run.hosts.end(), [](const auto& group) { return group.second.size() > 1; });
  const std::string& name = between ? options.inter_class : options.intra_class;
  if (name.empty()) {
    throw Error(fmt::format("the link class of hops {} is not known", between ? "between nodes" : "inside a node"),
                run.file,
                between ? "its ranks are on several hosts: give the import inter_class, such as ib-ndr"
                        : "its ranks are on one host: give the import intra_class, such as nvlink4");
  }
  return name;
}

/// size / time must be the bandwidth within the rounding of both; else a unit or a column is not what it seems.
void check_bandwidth(const NcclRow& row) {
  if (!row.algorithm_gb_per_s) return;
  const double expected = row.size_bytes / (row.time_us->value * 1e3);  // B/us / 1e3 = GB/s
  const double rounding = row.algorithm_gb_per_s->half_unit + expected * row.time_us->half_unit / row.time_us->value;
  constexpr double slack = 1.02;  // of what is divided, itself rounded
  if (std::abs(row.algorithm_gb_per_s->value - expected) <= slack * rounding + 1e-9) return;
  throw Error(fmt::format("{:.0f} B in {:g} us are {:.4g} GB/s, but the row says {:g} GB/s", row.size_bytes,
                          row.time_us->value, expected, row.algorithm_gb_per_s->value),
              row.where, "time in us and algbw in GB/s (10^9 B/s), as nccl-tests prints them");
}

Timing timing_of(const NcclRow& row) {
  if (row.samples_us.empty()) {
    const double time_s = row.time_us->value / 1e6;
    return {time_s, time_s, time_s, 1};
  }
  const MedianInterval interval = median_interval(row.samples_us);
  return {interval.median / 1e6, interval.low / 1e6, interval.high / 1e6,
          static_cast<std::int64_t>(row.samples_us.size())};
}

}  // namespace

std::optional<PrintedNumber> printed_number(std::string_view text) {
  const auto value = finite_number(text);
  if (!value) return std::nullopt;
  const std::size_t exponent_at = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, exponent_at);
  const std::size_t point = digits.find('.');
  const auto decimals = point == std::string_view::npos ? 0 : static_cast<double>(digits.size() - point - 1);
  double exponent = 0;
  if (exponent_at != std::string_view::npos) {
    std::string_view shift = text.substr(exponent_at + 1);
    if (shift.starts_with('+')) shift.remove_prefix(1);
    exponent = static_cast<double>(whole_number(shift).value_or(0));
  }
  return PrintedNumber{*value, 0.5 * std::pow(10.0, exponent - decimals)};
}

Points points_of(const NcclRun& run, const ImportOptions& options) {
  Points points;
  points.provenance = run.provenance;
  points.provenance.ranks = std::max<std::int64_t>(run.ranks, 1);
  const std::string test = test_of(run, options);
  if (test != "sendrecv") {
    points.notes.push_back(
        fmt::format("{}: {} measures no hop of a ring; {} rows are skipped", run.file, test, run.rows.size()));
    return points;
  }
  if (run.cpu_time) {
    throw Error("the times are those of the CPU that issues the operations (cputime)", run.file,
                "measure again without -C (--report_cputime)");
  }
  const std::string link_class = link_class_of(run, options);
  const auto groups = std::max<std::int64_t>(1, static_cast<std::int64_t>(run.hosts.size()));
  bool means = false;
  for (const NcclRow& row : run.rows) {
    const auto refuse = [&](const std::string& why, const std::string& reason) {
      points.notes.push_back(fmt::format("{}: {}; the row is left out", row.where, why));
      ++points.provenance.discarded[reason];
    };
    if (!row.time_us || row.time_us->value <= 0) {
      refuse("no out-of-place time", "no time");
    } else if (row.wrong > 0) {
      refuse(fmt::format("{:g} wrong elements", row.wrong), "wrong result");
    } else if (row.size_bytes <= 0) {
      refuse("an empty message", "empty message");
    } else {
      check_bandwidth(row);
      means = means || row.samples_us.empty();
      points.transfer.push_back(
          {link_class, row.size_bytes, points.provenance.ranks / groups, timing_of(row), row.where});
    }
  }
  if (means) {
    points.notes.push_back(fmt::format(
        "{}: times are means over the iterations, without an interval; -I 1 with -J records every iteration",
        run.file));
  }
  return points;
}

}  // namespace ringsim::calibrate
