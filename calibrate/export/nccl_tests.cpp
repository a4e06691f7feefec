#include "calibrate/export/nccl_tests.hpp"

#include "calibrate/statistics.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace ringsim::calibrate {
namespace {

using Json = nlohmann::ordered_json;

struct Row {
  const TransferPoint* point;
  const SampleSet* set;
};

// "2026-01-02T03:04:05Z" as nccl-tests writes times.
std::string plain_time(std::string iso) {
  std::replace(iso.begin(), iso.end(), 'T', ' ');
  if (iso.ends_with('Z')) iso.pop_back();
  return iso;
}

// 22809 of "..., NCCL 2.28.9, ..."; 0 where the software names no NCCL.
int nccl_version_of(const std::string& software) {
  const std::string mark = "NCCL ";
  const std::size_t at = software.find(mark);
  if (at == std::string::npos) return 0;
  const char* next = software.data() + at + mark.size();
  const char* end = software.data() + software.size();
  int code = 0;
  for (const int unit : {10000, 100, 1}) {
    int number = 0;
    const auto [stop, failure] = std::from_chars(next, end, number);
    if (failure != std::errc()) break;
    code += unit * number;
    next = stop != end && *stop == '.' ? stop + 1 : stop;
  }
  return code;
}

Json environment_of(const std::vector<std::string>& all) {
  Json kept = Json::array();
  for (const std::string& one : all) {
    if (one.starts_with("NCCL_") || one.starts_with("CUDA_")) kept.push_back(one);
  }
  return kept;
}

std::vector<double> in_microseconds(const std::vector<double>& samples_s) {
  std::vector<double> times_us;
  times_us.reserve(samples_s.size());
  for (const double s : samples_s) times_us.push_back(1e6 * s);
  return times_us;
}

Json iterations_of(const std::vector<double>& times_us) {
  const auto count = static_cast<double>(times_us.size());
  const double mean = std::accumulate(times_us.begin(), times_us.end(), 0.0) / count;
  double squares = 0;
  for (const double t : times_us) squares += (t - mean) * (t - mean);
  const double deviation = count > 1 ? std::sqrt(squares / (count - 1)) : 0.0;
  const auto [least, most] = std::minmax_element(times_us.begin(), times_us.end());
  return {{"min_us", *least},
          {"max_us", *most},
          {"avg_us", mean},
          {"p50_us", median(times_us)},
          {"p95_us", quantile(times_us, 0.95)},
          {"p99_us", quantile(times_us, 0.99)},
          {"stdev_us", deviation},
          {"cv_pct", 100 * deviation / mean},
          {"times_us", times_us}};
}

Json result_of(const Row& row, const std::string& link_class) {
  const std::vector<double> times_us = in_microseconds(row.set->samples_s);
  const double time_us =
      times_us.empty() ? 1e6 * row.point->time.median_s
                       : std::accumulate(times_us.begin(), times_us.end(), 0.0) / static_cast<double>(times_us.size());
  const double gb_per_s = row.point->bytes / (1e3 * time_us);
  const auto size = static_cast<std::int64_t>(row.point->bytes);
  Json json{{"size", size}, {"count", size / 4}, {"type", "float"}, {"redop", "none"}, {"root", "-1"}};
  json["out_of_place"] = {{"time", time_us}, {"alg_bw", gb_per_s}, {"bus_bw", gb_per_s}, {"nwrong", nullptr}};
  json["in_place"] = nullptr;
  if (!times_us.empty()) json["out_of_place_per_iter"] = iterations_of(times_us);
  json["actual_iterations"] = row.point->time.samples;
  json["experiment_name"] = link_class;
  return json;
}

std::string report(const Samples& samples, const std::string& link_class, std::int64_t ranks,
                   const std::vector<Row>& rows, const NcclTestsOptions& options) {
  double least = rows.front().point->bytes;
  double most = least;
  double rates = 0;
  for (const Row& row : rows) {
    least = std::min(least, row.point->bytes);
    most = std::max(most, row.point->bytes);
    rates += row.point->bytes / (1e9 * row.point->time.median_s);
  }
  const Provenance& from = samples.provenance;
  Json devices = Json::array();
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    devices.push_back({{"rank", rank},
                       {"group", 0},
                       {"pid", 0},
                       {"hostname", options.hostname},
                       {"device", rank},
                       {"device_info", from.machine}});
  }
  Json json;
  json["version"] = 3;
  json["start_time"] = plain_time(from.date);
  json["args"] = {"ringsim/sendrecv_perf"};
  json["env"] = environment_of(options.environment);
  json["nccl_version"] = nccl_version_of(from.software);
  json["config"] = {{"nthreads", 1},
                    {"ngpus", ranks},
                    {"minimum_bytes", static_cast<std::int64_t>(least)},
                    {"maximum_bytes", static_cast<std::int64_t>(most)},
                    {"validation", 0},
                    {"graph", 0},
                    {"per_iter_timing", "true"},
                    {"devices", devices}};
  json["results"] = Json::array();
  for (const Row& row : rows) json["results"].push_back(result_of(row, link_class));
  json["out_of_bounds"] = {{"count", 0}, {"okay", "unchecked"}};
  json["average_bus_bandwidth"] = {{"bandwidth", rates / static_cast<double>(rows.size())}, {"okay", "unchecked"}};
  json["end_time"] = plain_time(from.date);
  return json.dump(2) + "\n";
}

// "hops.json" and "paced-50-gb" make "hops.paced-50-gb.json".
std::string with_part(const std::string& json_name, const std::string& part) {
  const std::size_t dot = json_name.rfind('.');
  if (dot == std::string::npos) return json_name + "." + part;
  return json_name.substr(0, dot) + "." + part + json_name.substr(dot);
}

}  // namespace

std::map<std::string, std::string> write_nccl_tests(const Samples& samples, const std::string& json_name,
                                                    const NcclTestsOptions& options) {
  std::map<std::pair<std::string, std::int64_t>, std::vector<Row>> groups;
  std::map<std::string, std::set<std::int64_t>> ranks_of;
  for (const Benchmark& benchmark : samples.benchmarks) {
    const auto* point = std::get_if<TransferPoint>(&benchmark.point);
    if (point == nullptr) continue;
    groups[{point->link_class, point->ranks}].push_back({point, &benchmark.sets.at(0)});
    ranks_of[point->link_class].insert(point->ranks);
  }
  std::map<std::string, std::string> files;
  for (const auto& [key, rows] : groups) {
    const auto& [link_class, ranks] = key;
    std::string name = json_name;
    if (groups.size() > 1) {
      const bool several = ranks_of.at(link_class).size() > 1;
      name = with_part(json_name, several ? fmt::format("{}.{}", link_class, ranks) : link_class);
    }
    files[name] = report(samples, link_class, ranks, rows, options);
  }
  return files;
}

}  // namespace ringsim::calibrate
