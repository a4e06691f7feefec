#include "bench/report/run_file.hpp"

#include "bench/report/files.hpp"
#include "models/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace ringsim::bench {
namespace {

using nlohmann::json;

constexpr std::string_view what_is_right =
    "a run is written by ./dev bench --json FILE, or by ringsim-bench --benchmark_out=FILE --benchmark_out_format=json";

// Numbers of an entry that are no counters.
constexpr std::array no_counters = {"family_index", "per_family_instance_index",
                                    "repetitions",  "repetition_index",
                                    "threads",      "iterations",
                                    "real_time",    "cpu_time"};

[[noreturn]] void refuse(const std::string& what, const std::string& path) {
  throw Error(what, path, std::string(what_is_right));
}

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

double number_of(const json& object, const char* key, double otherwise = 0) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : otherwise;
}

Machine machine_of(const json& context) {
  Machine machine;
  machine.host = text_of(context, "host_name");
  machine.cpus = static_cast<int>(number_of(context, "num_cpus"));
  machine.mhz = number_of(context, "mhz_per_cpu");
  machine.library_build = text_of(context, "library_build_type");
  machine.build = text_of(context, "build");
  machine.commit = text_of(context, "commit");
  machine.date = text_of(context, "date").substr(0, 10);
  if (const auto load = context.find("load_avg"); load != context.end() && load->is_array() && !load->empty()) {
    if (load->front().is_number()) machine.load = load->front().get<double>();
  }
  if (const auto caches = context.find("caches"); caches != context.end() && caches->is_array()) {
    for (const json& cache : *caches) {
      if (!cache.is_object()) continue;
      machine.caches.push_back({text_of(cache, "type"), static_cast<int>(number_of(cache, "level")),
                                number_of(cache, "size"), static_cast<int>(number_of(cache, "num_sharing"))});
    }
  }
  return machine;
}

double seconds_in(const std::string& unit, const std::string& name, const std::string& path) {
  if (unit == "ns") return 1e-9;
  if (unit == "us") return 1e-6;
  if (unit == "ms") return 1e-3;
  if (unit == "s") return 1;
  refuse(fmt::format("the time of {} is in \"{}\", not in ns, us, ms or s", name, unit), path);
}

Measured measured_of(const json& entry, const std::string& path) {
  Measured m;
  m.name = text_of(entry, "name");
  m.label = text_of(entry, "label");
  if (entry.value("error_occurred", json(false)) == json(true)) {
    m.failure = text_of(entry, "error_message");
    if (m.failure.empty()) m.failure = "no reason given";
    return m;
  }
  const auto time = entry.find("real_time");
  if (time == entry.end() || !time->is_number()) refuse(m.name + " has no real_time", path);
  m.time_s = time->get<double>() * seconds_in(text_of(entry, "time_unit"), m.name, path);
  for (const auto& [key, value] : entry.items()) {
    if (value.is_number() && std::find(no_counters.begin(), no_counters.end(), key) == no_counters.end()) {
      m.counters[key] = value.get<double>();
    }
  }
  return m;
}

// Of an even number the mean of the two in the middle.
double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Measured together(const std::vector<Measured>& repetitions) {
  Measured result = repetitions.front();
  std::map<std::string, std::vector<double>> counters;
  for (const Measured& m : repetitions) {
    if (!m.failure.empty()) return m;
    result.time_s = std::min(result.time_s, m.time_s);
    for (const auto& [name, value] : m.counters) counters[name].push_back(value);
  }
  for (auto& [name, values] : counters) result.counters[name] = median_of(std::move(values));
  return result;
}

}  // namespace

const Measured* Run::find(std::string_view name) const {
  const auto found = std::find_if(measured.begin(), measured.end(), [&](const Measured& m) { return m.name == name; });
  return found == measured.end() ? nullptr : &*found;
}

Run read_run_text(std::string_view text, const std::string& path) {
  json file;
  try {
    file = json::parse(text);
  } catch (const json::parse_error& error) {
    refuse(fmt::format("this is not JSON, from byte {} on", error.byte), path);
  }
  if (!file.is_object() || !file.contains("context") || !file["context"].is_object() || !file.contains("benchmarks") ||
      !file["benchmarks"].is_array()) {
    refuse("this is JSON, but no output of Google Benchmark: `context` and `benchmarks` are missing", path);
  }
  Run run;
  run.machine = machine_of(file["context"]);
  std::vector<std::vector<Measured>> repetitions;
  for (const json& entry : file["benchmarks"]) {
    if (!entry.is_object() || text_of(entry, "name").empty()) refuse("a benchmark has no name", path);
    // Means, medians and fits over others: they are made from the repetitions here.
    if (text_of(entry, "run_type") == "aggregate") continue;
    Measured one = measured_of(entry, path);
    const auto same = std::find_if(repetitions.begin(), repetitions.end(),
                                   [&](const std::vector<Measured>& r) { return r.front().name == one.name; });
    if (same == repetitions.end()) {
      repetitions.push_back({std::move(one)});
    } else {
      same->push_back(std::move(one));
    }
  }
  if (repetitions.empty()) refuse("it holds no single measurement of a benchmark", path);
  for (const std::vector<Measured>& r : repetitions) run.measured.push_back(together(r));
  return run;
}

Run read_run(const std::string& path) { return read_run_text(text_of_file(path, what_is_right), path); }

bool is_ratio(std::string_view counter) {
  return counter.find(':') != std::string_view::npos || counter.ends_with("_ratio");
}

bool is_rate(std::string_view counter) { return counter.ends_with("/s"); }

}  // namespace ringsim::bench
