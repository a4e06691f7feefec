#pragma once
// Holds a trace to the Trace Event format, JSON object form, as the viewers read it ("Trace Event Format", Google, 2016; Perfetto's
// "External trace formats"), and to what a trace of ours promises beyond it.
//
//   object     traceEvents is an array of objects; displayTimeUnit is ms or ns
//   event      ph is a kind that we write; pid is a whole number, so is tid where the event is of a thread; ts is microseconds from 0 on, in
//              whole nanoseconds; names and categories are texts
//   slices     dur is there and not negative; two slices of a thread either nest or do not touch
//   flows      one s and one f an id, f not before s, with the same name and category; both inside a slice of their thread, f with bp e
//   counters   numbers, one more a time, ascending; the last one is 0
//   names      every process and every thread that is used has one name
//
// Gives one line for each thing that is wrong, beginning with the rule: "slices: ...".

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ringsim::trace_format {

using nlohmann::json;

class Checker {
 public:
  std::vector<std::string> problems;

  void check(const std::string& text) {
    const json trace = json::parse(text, nullptr, false);
    if (trace.is_discarded()) return wrong("object", "this is no JSON");
    if (!trace.is_object() || !trace.contains("traceEvents") || !trace["traceEvents"].is_array()) {
      return wrong("object", "no array traceEvents");
    }
    const json unit = trace.value("displayTimeUnit", json("ms"));
    if (unit != "ms" && unit != "ns") wrong("object", "displayTimeUnit " + unit.dump());
    for (const json& event : trace["traceEvents"]) {
      if (is_sound(event)) sort_in(event);
    }
    slices();
    flows();
    counters();
    names();
  }

 private:
  using Thread = std::pair<std::int64_t, std::int64_t>;  // pid, tid
  struct Slice {
    std::int64_t start = 0, end = 0;
  };

  void wrong(const std::string& rule, const std::string& what) { problems.push_back(rule + ": " + what); }
  void wrong_event(const std::string& rule, const json& event) { wrong(rule, event.dump()); }

  static bool is_whole(const json& event, const char* key) {
    return event.contains(key) && event[key].is_number_integer();
  }
  static bool is_text(const json& event, const char* key) {
    return event.contains(key) && event[key].is_string() && !event[key].get<std::string>().empty();
  }
  /// Microseconds that are whole nanoseconds, from 0 on.
  static bool is_time(const json& event, const char* key) {
    if (!event.contains(key) || !event[key].is_number()) return false;
    const double ns = event[key].get<double>() * 1e3;
    return ns >= 0 && std::abs(ns - std::round(ns)) < 1e-3;
  }
  static std::int64_t ns(const json& microseconds) { return std::llround(microseconds.get<double>() * 1e3); }

  bool is_sound(const json& event) {
    static const std::set<std::string> kinds = {"X", "M", "s", "f", "C", "i"};
    static const std::set<std::string> of_threads = {"X", "s", "f", "i"};
    if (!event.is_object() || !is_text(event, "ph") || !kinds.contains(event["ph"])) {
      wrong_event("event", event);
      return false;
    }
    const std::string kind = event["ph"];
    bool sound = is_whole(event, "pid") && is_text(event, "name") && (!event.contains("cat") || is_text(event, "cat"));
    sound = sound && (!of_threads.contains(kind) || is_whole(event, "tid"));
    sound = sound && (kind == "M" || is_time(event, "ts"));
    if (kind == "i")
      sound = sound && (!event.contains("s") || event["s"] == "g" || event["s"] == "p" || event["s"] == "t");
    if (!sound) wrong_event("event", event);
    return sound;
  }

  void sort_in(const json& event) {
    const std::string kind = event["ph"];
    const std::int64_t pid = event["pid"];
    used_processes_.insert(pid);
    if (kind == "M") {
      meta(event);
      return;
    }
    if (kind == "C") {
      counters_[{pid, event["name"]}].push_back(event);
      return;
    }
    const Thread thread{pid, event["tid"]};
    used_threads_.insert(thread);
    if (kind == "X") {
      if (!is_time(event, "dur")) return wrong_event("slices", event);
      slices_[thread].push_back({ns(event["ts"]), ns(event["ts"]) + ns(event["dur"])});
    } else if (kind != "i") {
      if (!is_whole(event, "id")) return wrong_event("flows", event);
      flows_[event["id"]].push_back(event);
    }
  }

  void meta(const json& event) {
    const std::string name = event["name"];
    const json args = event.value("args", json::object());
    if (name == "process_name" || name == "thread_name") {
      if (!is_text(args, "name")) return wrong_event("names", event);
      const bool process = name == "process_name";
      if (!process && !is_whole(event, "tid")) return wrong_event("names", event);
      const Thread which{event["pid"], process ? std::int64_t{-1} : event["tid"].get<std::int64_t>()};
      if (!named_.emplace(which, args["name"]).second) wrong_event("names", event);
    } else if (name == "process_sort_index" || name == "thread_sort_index") {
      if (!is_whole(args, "sort_index")) wrong_event("names", event);
    } else {
      wrong_event("event", event);
    }
  }

  void slices() {
    for (auto& [thread, list] : slices_) {
      std::stable_sort(list.begin(), list.end(), [](const Slice& a, const Slice& b) {
        return std::tuple(a.start, -a.end) < std::tuple(b.start, -b.end);
      });
      std::vector<Slice> open;  // slices that the next one may be inside of
      for (const Slice& slice : list) {
        while (!open.empty() && open.back().end <= slice.start) open.pop_back();
        if (!open.empty() && slice.end > open.back().end) {
          wrong("slices", "pid " + std::to_string(thread.first) + " tid " + std::to_string(thread.second) + ": " +
                              std::to_string(slice.start) + " ns to " + std::to_string(slice.end) +
                              " begins inside one that ends at " + std::to_string(open.back().end));
        }
        open.push_back(slice);
      }
    }
  }

  bool is_inside(const json& end) {
    const std::int64_t at = ns(end["ts"]);
    const auto found = slices_.find({end["pid"], end["tid"]});
    return found != slices_.end() && std::any_of(found->second.begin(), found->second.end(), [&](const Slice& slice) {
             return slice.start <= at && at < slice.end;
           });
  }

  void flows() {
    for (const auto& [id, ends] : flows_) {
      const bool pair = ends.size() == 2 && ends[0]["ph"] != ends[1]["ph"];
      if (!pair) {
        wrong("flows", "id " + std::to_string(id) + " has not one beginning and one end");
        continue;
      }
      const json& s = ends[0]["ph"] == "s" ? ends[0] : ends[1];
      const json& f = ends[0]["ph"] == "s" ? ends[1] : ends[0];
      if (ns(f["ts"]) < ns(s["ts"])) wrong("flows", "lands before it takes off: " + f.dump());
      if (s["name"] != f["name"] || s.value("cat", "") != f.value("cat", "")) wrong("flows", "two names: " + f.dump());
      if (f.value("bp", "") != "e") wrong("flows", "bound to what follows: " + f.dump());
      for (const json& end : ends) {
        if (!is_inside(end)) wrong("flows", "outside of every slice: " + end.dump());
      }
    }
  }

  void counters() {
    for (const auto& [which, list] : counters_) {
      std::int64_t before = -1;
      for (const json& event : list) {
        const json args = event.value("args", json::object());
        const bool numbers = args.is_object() && !args.empty() &&
                             std::all_of(args.begin(), args.end(), [](const json& v) { return v.is_number(); });
        if (!numbers) wrong_event("counters", event);
        if (ns(event["ts"]) <= before) wrong("counters", "not later than the one before: " + event.dump());
        before = ns(event["ts"]);
      }
      const json last = list.back().value("args", json::object());
      if (!std::all_of(last.begin(), last.end(), [](const json& v) { return v == 0.0; })) {
        wrong("counters", "does not come back to 0: " + list.back().dump());
      }
    }
  }

  void names() {
    for (const std::int64_t pid : used_processes_) {
      if (!named_.contains({pid, -1})) wrong("names", "process " + std::to_string(pid) + " has none");
    }
    for (const Thread& thread : used_threads_) {
      if (named_.contains(thread)) continue;
      wrong("names",
            "thread " + std::to_string(thread.second) + " of process " + std::to_string(thread.first) + " has none");
    }
  }

  std::map<Thread, std::vector<Slice>> slices_;
  std::map<std::int64_t, std::vector<json>> flows_;                             // by id
  std::map<std::pair<std::int64_t, std::string>, std::vector<json>> counters_;  // by process and name
  std::set<std::int64_t> used_processes_;
  std::set<Thread> used_threads_;
  std::map<Thread, std::string> named_;  // thread -1: the process
};

/// What is wrong with a trace; nothing: it is sound.
inline std::vector<std::string> problems_of(const std::string& text) {
  Checker checker;
  checker.check(text);
  return checker.problems;
}

}  // namespace ringsim::trace_format
