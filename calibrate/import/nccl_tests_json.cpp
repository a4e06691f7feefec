#include "calibrate/import/nccl_tests_json.hpp"

#include "calibrate/import/json_text.hpp"
#include "calibrate/import/nccl_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ringsim::calibrate {
namespace {

/// Printed with six decimals; "nan" is no number.
std::optional<PrintedNumber> printed(const std::optional<JsonPlace>& place) {
  if (!place) return std::nullopt;
  const double value = place->number();
  if (std::isnan(value)) return std::nullopt;
  // Where the file was written by another hand, a number may have as few digits as it likes: two are taken for granted.
  return PrintedNumber{value, 0.005};
}

NcclRow read_row(const JsonPlace& place, bool& cpu_time) {
  NcclRow row;
  row.where = place.where();
  row.size_bytes = static_cast<double>(place.at("size").count());
  const auto half = place.find("out_of_place");  // null where a test has no such half
  if (!half) return row;
  const auto issued = half->find("cpu_time");
  cpu_time = cpu_time || issued;
  row.time_us = printed(issued ? issued : half->at("time"));
  row.algorithm_gb_per_s = printed(half->find("alg_bw"));
  if (const auto wrong = half->find("nwrong")) {
    const double count = wrong->number();
    row.wrong = std::isnan(count) ? 0 : count;
  }
  if (const auto iterations = place.find("out_of_place_per_iter")) {
    if (const auto times = iterations->find("times_us")) {
      for (const JsonPlace& time : times->items()) {
        const double time_us = time.number();
        if (!(time_us > 0)) time.fail(fmt::format("{} is no time", time_us), "a positive number of microseconds");
        row.samples_us.push_back(time_us);
      }
    }
  }
  return row;
}

/// "2.29.0" of 22900; 2.8 and older wrote 2804 for 2.8.4.
std::string version_of(std::int64_t code) {
  return code >= 10000 ? fmt::format("{}.{}.{}", code / 10000, code / 100 % 100, code % 100)
                       : fmt::format("{}.{}.{}", code / 1000, code / 100 % 10, code % 100);
}

}  // namespace

bool is_nccl_tests_json(const nlohmann::json& root) {
  return root.is_object() && root.contains("results") && root.contains("config") && root.contains("nccl_version");
}

Points import_nccl_tests_json(const std::string& name, const nlohmann::json& root, const ImportOptions& options) {
  const JsonPlace top(root, name);
  NcclRun run;
  run.file = name;
  run.provenance.device = "cuda";
  if (const auto arguments = top.find("args")) {
    const auto items = arguments->items();
    if (!items.empty()) run.test = items.front().text();
  }
  run.provenance.software = "nccl-tests, NCCL " + version_of(top.at("nccl_version").count());
  if (const auto start = top.find("start_time")) run.provenance.date = start->text() + " (local time)";

  const JsonPlace config = top.at("config");
  // A process that drives several GPUs may be listed once: its first device.
  std::set<std::pair<std::string, std::int64_t>> processes;
  for (const JsonPlace& device : config.at("devices").items()) {
    const std::string host = device.at("hostname").text();
    processes.emplace(host, device.at("pid").count());
    const auto group = device.find("group");
    run.hosts[group ? group->count() : 0].insert(host);
    if (run.provenance.machine.empty()) run.provenance.machine = device.at("device_info").text();
  }
  run.ranks = static_cast<std::int64_t>(processes.size()) * config.at("nthreads").count() * config.at("ngpus").count();
  for (const JsonPlace& row : top.at("results").items()) run.rows.push_back(read_row(row, run.cpu_time));
  return points_of(run, options);
}

}  // namespace ringsim::calibrate
