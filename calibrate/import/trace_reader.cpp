#include "calibrate/import/trace_reader.hpp"

#include "calibrate/import/json_text.hpp"
#include "calibrate/import/text.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ringsim::calibrate {
namespace {

using nlohmann::json;

/// Bytes of an element of PyTorch's scalar types; 0 for one that is not known.
double element_bytes(const std::string& dtype) {
  static const std::map<std::string, double> known = {
      {"bfloat16", 2},      {"half", 2},        {"float16", 2}, {"float", 4}, {"float32", 4},
      {"double", 8},        {"float64", 8},     {"byte", 1},    {"char", 1},  {"long", 8},
      {"float8_e4m3fn", 1}, {"float8_e5m2", 1}, {"int", 4}};
  const auto found = known.find(lower_case(dtype));
  return found == known.end() ? 0 : found->second;
}

class TraceReader {
 public:
  TraceReader(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {}

  TraceFile read() {
    // Events are handled as they end and dropped, so that the parser never holds more than one of them.
    const json::parser_callback_t callback = [this](int depth, json::parse_event_t event, json& parsed) {
      return visit(depth, event, parsed);
    };
    json root;
    try {
      root = json::parse(text_, callback);
    } catch (const json::parse_error& error) {
      fail_as_json(name_, text_, error);
    } catch (const json::out_of_range&) {
      fail_as_number(name_);
    }
    if (!seen_events_) {
      throw Error("the JSON is no trace", name_, "an array of events, or an object with the array traceEvents");
    }
    if (root.is_object()) read_head(JsonPlace(root, name_));
    if (!file_.has_kernel_category && (from_pytorch_ || cpu_operations_)) {
      throw Error("the trace holds no GPU kernels", name_,
                  "record with torch.profiler.ProfilerActivity.CUDA among the activities");
    }
    for (const auto& [thread, stack] : begun_) file_.open_begins += static_cast<std::int64_t>(stack.size());
    return std::move(file_);
  }

 private:
  bool visit(int depth, json::parse_event_t event, json& parsed) {
    if (depth == 0 && event == json::parse_event_t::array_start) bare_ = seen_events_ = true;
    if (depth == 1 && event == json::parse_event_t::key) in_events_ = parsed == "traceEvents";
    if (depth == 1 && in_events_ && event == json::parse_event_t::array_start) seen_events_ = true;
    const bool is_event = event == json::parse_event_t::object_end && depth == (bare_ ? 1 : 2) && (bare_ || in_events_);
    if (!is_event) return true;
    take(JsonPlace(parsed, name_, fmt::format("{}[{}]", bare_ ? "" : "traceEvents", index_++)));
    return false;
  }

  void take(const JsonPlace& event) {
    const auto phase = event.find("ph");
    if (!phase) event.fail("an event without ph", "the phase of a Trace Event, such as X");
    const std::string ph = phase->text();
    if (ph != "X" && ph != "B" && ph != "E") return;  // metadata, flows, counters, instants
    const auto category = event.find("cat");
    const std::string cat = category ? lower_case(category->text()) : "";
    const bool on_gpu = cat == "kernel" || cat == "gpu_memcpy";
    cpu_operations_ = cpu_operations_ || cat == "cpu_op" || cat == "cuda_runtime";
    if (cat == "kernel" && !file_.has_kernel_category) {
      file_.has_kernel_category = true;  // what came before was kept for a trace without categories
      std::erase_if(file_.kernels, [this](const TraceKernel& kernel) { return !copies_[kernel.name]; });
      begun_.clear();
    }
    if (file_.has_kernel_category && !on_gpu) return;
    if (ph == "X") {
      add(event, time_of(event, "ts"), time_of(event, "dur"), cat == "gpu_memcpy");
    } else if (ph == "B") {
      (void)time_of(event, "ts");
      begun_[thread_of(event)].emplace_back(event.at("name").text(), event.at("ts").number());
    } else {
      end(event);
    }
  }

  /// Microseconds.
  static double time_of(const JsonPlace& event, const char* key) {
    const double value_us = event.at(key).number();
    if (!std::isfinite(value_us) || (value_us < 0 && std::string_view(key) == "dur")) {
      event.at(key).fail(fmt::format("{} is no time", value_us), "microseconds");
    }
    return value_us;
  }

  std::size_t intern(const std::string& name, bool copy) {
    const auto [found, added] = index_of_name_.emplace(name, file_.names.size());
    if (added) {
      file_.names.push_back(name);
      copies_.push_back(copy);
    }
    return found->second;
  }

  /// Processes and threads are numbers, or texts ("stream 7").
  std::int64_t number_of(const std::optional<JsonPlace>& id) {
    if (!id) return 0;
    if (id->value().is_number_integer()) return id->value().get<std::int64_t>();
    const std::string text = id->value().dump(-1, ' ', true, json::error_handler_t::replace);
    return -1 - static_cast<std::int64_t>(labels_.emplace(text, labels_.size()).first->second);
  }
  std::pair<std::int64_t, std::int64_t> thread_of(const JsonPlace& event) {
    return {number_of(event.find("pid")), number_of(event.find("tid"))};
  }

  void end(const JsonPlace& event) {
    auto& stack = begun_[thread_of(event)];
    if (stack.empty()) event.fail("an event ends (E) that has not begun (B)", "pairs on the same pid and tid");
    const auto [name, start_us] = stack.back();
    stack.pop_back();
    const auto [process, thread] = thread_of(event);
    const double end_us = time_of(event, "ts");
    if (end_us < start_us) event.fail("an event ends before it begins");
    file_.kernels.push_back({intern(name, false), start_us, end_us - start_us, process, thread});
  }

  void add(const JsonPlace& event, double start_us, double duration_us, bool copy) {
    TraceKernel kernel{intern(event.at("name").text(), copy), start_us, duration_us};
    std::tie(kernel.device, kernel.stream) = thread_of(event);
    if (const auto args = event.find("args"); args && args->value().is_object()) {
      if (const auto device = args->find("device")) kernel.device = device->count();
      if (const auto stream = args->find("stream")) kernel.stream = number_of(stream);
      if (const auto bytes = args->find("bytes")) kernel.bytes = bytes->number();
      read_message(*args, kernel);
    }
    file_.kernels.push_back(kernel);
  }

  static void read_message(const JsonPlace& args, TraceKernel& kernel) {
    if (const auto collective = args.find("Collective name")) {
      const std::string name = lower_case(collective->text());
      kernel.all_to_all = name.find("all") != std::string::npos;  // all_to_all, alltoallv_base, all_gather by sends
    }
    const auto elements = args.find("In msg nelems");
    const auto dtype = args.find("dtype");
    if (elements && dtype) kernel.bytes = elements->number() * element_bytes(dtype->text());
  }

  void read_head(const JsonPlace& root) {
    from_pytorch_ = root.value().contains("deviceProperties") || root.value().contains("schemaVersion");
    if (const auto job = root.find("distributedInfo")) {
      if (const auto rank = job->find("rank")) file_.rank = rank->count();
      if (const auto size = job->find("world_size")) file_.world_size = size->count();
      if (const auto backend = job->find("backend")) file_.backend = backend->text();
    }
    if (const auto base = root.find("baseTimeNanoseconds")) file_.base_time_ns = base->count();
    if (const auto devices = root.find("deviceProperties")) {
      for (const JsonPlace& device : devices->items()) {
        const auto name = device.find("name");
        if (name && file_.machine.empty()) file_.machine = name->text();
      }
    }
  }

  std::string name_;
  std::string_view text_;
  TraceFile file_;
  bool bare_ = false;
  bool in_events_ = false;
  bool seen_events_ = false;
  bool from_pytorch_ = false;
  bool cpu_operations_ = false;
  std::size_t index_ = 0;
  std::unordered_map<std::string, std::size_t> index_of_name_;
  std::vector<bool> copies_;  // by name: a copy on the GPU, not a kernel
  std::map<std::string, std::size_t> labels_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::pair<std::string, double>>> begun_;
};

}  // namespace

TraceFile read_trace(const std::string& name, std::string_view text) {
  refuse_what_is_no_text(name, text);
  return TraceReader(name, without_mark(text)).read();
}

}  // namespace ringsim::calibrate
