// Traces of all kinds of runs are sound, and the check that says so finds every kind of mistake.

#include "tests/unit/reports/trace_format.hpp"

#include "reports/trace_events.hpp"
#include "scenarios/reader.hpp"
#include "sim/predict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace ringsim::reports {
namespace {

using nlohmann::json;
using testing::Each;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using trace_format::problems_of;

std::string written(const sim::Timeline& timeline) {
  std::ostringstream out;
  write_trace(out, {"sample", "0123", "recurrence"}, timeline);
  return out.str();
}

sim::Timeline timeline_of(const std::string& scenario, const std::optional<sim::TimelineWindow>& window = {}) {
  const Scenario s = scenarios::read_scenario_text("name: sample\n" + scenario, "sample.yaml");
  sim::PredictOptions how;
  how.engine = sim::EngineChoice::recurrence;
  how.interval = false;
  how.windows = {window.value_or(sim::trace_window(sim::extent_of(s)))};
  return sim::predict(s, how).timelines.front();
}

struct Kind {
  std::string name;
  std::string scenario;
  std::vector<std::string> categories;  // that must occur
};

std::vector<Kind> kinds() {
  const std::string eight = "model: llama3-8b\ncluster: dgx-h100\nparallel: {ring: 8}\n";
  const std::string work = "workload: {tokens: 64Ki, phase: train, scope: attention}\n";
  const std::vector<std::string> ring = {"attention", "merge", "transfer", "hop"};
  const std::vector<std::string> model = {"attention", "transfer", "dense", "collective", "hop"};
  return {{"one way", eight + work + "profile: datasheet\n", {"attention", "transfer", "hop"}},
          {"both ways", eight + work + "ring: {exchange: both-ways}\n", ring},
          {"queries travel", eight + work + "ring: {travels: q, backward: q}\n", ring},
          {"two levels",
           "model: llama3-8b\ncluster: {use: dgx-h100, nodes: 2}\nparallel: {ring: 16}\nring: {exchange: two-level, "
           "inner: 8}\n" +
               work,
           ring},
          {"jitter and a straggler",
           eight + work +
               "noise: {compute: {lognormal: 5%}, links: {lognormal: 5%}, stragglers: [{rank: 3, slowdown: 1.3}]}\n",
           ring},
          {"kernels and hops that slow each other down",
           "model: llama3-8b\ncluster: dgx-a100\nparallel: {ring: 8}\nprofile: a100-sxm\n" + work, ring},
          {"copy engine", eight + work + "ring: {transfer: copy-engine}\n", ring},
          {"a training step on four stages",
           "model: llama3-8b\ncluster: {use: dgx-h100, nodes: 2}\nparallel: {tensor: 2, ring: 2, pipeline: 4}\n"
           "workload: {tokens: 16Ki, phase: train, scope: model, batch: 4}\ntraining: {recompute: full}\n",
           model},
          {"a prefill in chunks",
           "model: llama3-8b\ncluster: dgx-h100\nparallel: {tensor: 2, ring: 4}\n"
           "workload: {tokens: 64Ki, chunk: 16Ki, scope: model}\n",
           model},
          {"decode",
           "model: llama3-8b\ncluster: dgx-h100\nparallel: {tensor: 2, ring: 4}\n"
           "workload: {tokens: 64Ki, phase: decode, output_tokens: 8, batch: 4, scope: model}\n",
           {"dense", "collective"}}};
}

TEST(TraceFormat, EveryKindOfRunGivesASoundTrace) {
  for (const Kind& kind : kinds()) {
    const std::string text = written(timeline_of(kind.scenario));
    EXPECT_THAT(problems_of(text), IsEmpty()) << kind.name;
    std::map<std::string, int> categories;
    const json trace = json::parse(text);
    for (const json& event : trace["traceEvents"]) {
      if (event.contains("cat")) ++categories[event["cat"]];
    }
    for (const std::string& category : kind.categories)
      EXPECT_GT(categories[category], 0) << kind.name << ": " << category;
  }
}

TEST(TraceFormat, WindowsAreSoundWhereverTheyCut) {
  // Ranks, steps and layers from the middle: arrows that leave the window are left out, and counters come back to 0.
  const Kind kind = kinds().front();
  sim::TimelineWindow window{{2, 3}, {3, 2}, {7, 1}};
  window.layer_order = sim::LayerOrder::numbered;
  const std::string text = written(timeline_of(kind.scenario, window));
  EXPECT_THAT(problems_of(text), IsEmpty());
  const json trace = json::parse(text);
  EXPECT_EQ(trace["otherData"]["window"], "ranks 2 to 4 of 8; layer 7 of 32; steps 3 to 4 of 9")
      << "backward there is one more: the gradients' way home";
}

TEST(TraceFormat, PredictedAndMeasuredStandSideBySide) {
  // "Measured" begins a second later and all of it is shifted back: both begin at 0.
  const sim::Timeline predicted = timeline_of(kinds().front().scenario, sim::TimelineWindow{2, 2, 1});
  sim::Timeline measured = predicted;
  for (sim::Span& span : measured.spans) {
    for (double* time : {&span.start_s, &span.end_s, &span.flight_start_s, &span.flight_end_s}) *time += 1;
  }
  std::ostringstream out;
  const std::vector<TracePart> parts = {{"predicted", &predicted}, {"measured", &measured}};
  write_trace(out, {"sample", "0123", "both"}, parts);
  EXPECT_THAT(problems_of(out.str()), IsEmpty());
  std::map<std::int64_t, std::string> processes;
  std::map<std::int64_t, std::vector<double>> times;
  const json trace = json::parse(out.str());
  for (const json& event : trace["traceEvents"]) {
    if (event["name"] == "process_name") processes[event["pid"]] = event["args"]["name"];
    if (event["ph"] == "X") times[event["pid"]].push_back(event["ts"]);
  }
  EXPECT_EQ(processes, (std::map<std::int64_t, std::string>{{0, "rank 0 predicted"},
                                                            {1, "rank 0 measured"},
                                                            {2, "rank 1 predicted"},
                                                            {3, "rank 1 measured"},
                                                            {4, "links of the shown ranks predicted"},
                                                            {5, "links of the shown ranks measured"}}));
  ASSERT_FALSE(times[0].empty());
  EXPECT_EQ(times[0], times[1]);
  EXPECT_EQ(times[0].front(), 0.0);
}

/// The first event that `is` one, changed.
json changed(json trace, const std::function<bool(const json&)>& is, const std::function<void(json&)>& change) {
  for (json& event : trace["traceEvents"]) {
    if (!is(event)) continue;
    change(event);
    return trace;
  }
  ADD_FAILURE() << "no such event";
  return trace;
}

TEST(TraceFormat, EveryRuleRejectsATraceThatBreaksIt) {
  const json sound = json::parse(written(timeline_of(kinds().front().scenario, sim::TimelineWindow{2, 3, 1})));
  ASSERT_THAT(problems_of(sound.dump()), IsEmpty());
  const auto kind = [](const char* ph) { return [ph](const json& e) { return e["ph"] == ph; }; };
  const auto named = [](const char* name) { return [name](const json& e) { return e["name"] == name; }; };
  const auto transfer = [](const json& e) { return e["ph"] == "X" && e["cat"] == "transfer"; };
  struct Broken {
    const char* rule;
    const char* how;
    json trace;
  };
  json no_events = sound;
  no_events.erase("traceEvents");
  json unit = sound;
  unit["displayTimeUnit"] = "s";
  json twice = sound;
  twice["traceEvents"].push_back(*std::find_if(sound["traceEvents"].begin(), sound["traceEvents"].end(), kind("s")));
  const std::vector<Broken> all = {
      {"object", "no events", no_events},
      {"object", "a unit that viewers do not know", unit},
      {"event", "a kind that there is not", changed(sound, kind("X"), [](json& e) { e["ph"] = "Q"; })},
      {"event", "a process that is a text", changed(sound, kind("X"), [](json& e) { e["pid"] = "0"; })},
      {"event", "no thread", changed(sound, kind("X"), [](json& e) { e.erase("tid"); })},
      {"event", "no name", changed(sound, kind("X"), [](json& e) { e["name"] = ""; })},
      {"event", "a time that is a text", changed(sound, kind("X"), [](json& e) { e["ts"] = "1.5"; })},
      {"event", "a time before 0", changed(sound, kind("C"), [](json& e) { e["ts"] = -1; })},
      {"event", "seconds for microseconds",
       changed(sound, kind("C"), [](json& e) { e["ts"] = e["ts"].get<double>() * 1e-6 + 1e-5; })},
      {"slices", "no duration", changed(sound, kind("X"), [](json& e) { e.erase("dur"); })},
      {"slices", "a duration below 0", changed(sound, kind("X"), [](json& e) { e["dur"] = -1; })},
      {"slices", "one runs into the next",
       changed(sound, kind("X"), [](json& e) { e["dur"] = e["dur"].get<double>() + 1; })},
      {"flows", "no end", changed(sound, kind("f"), [](json& e) { e["id"] = 1000000; })},
      {"flows", "two beginnings", twice},
      {"flows", "an end before the beginning", changed(sound, kind("s"), [](json& e) { e["ts"] = 1e9; })},
      {"flows", "two names", changed(sound, kind("f"), [](json& e) { e["cat"] = "leap"; })},
      {"flows", "bound to the next slice", changed(sound, kind("f"), [](json& e) { e.erase("bp"); })},
      {"flows", "outside of its slice", changed(sound, transfer, [](json& e) { e["dur"] = 0; })},
      {"counters", "a text", changed(sound, kind("C"), [](json& e) { e["args"]["GB/s"] = "25"; })},
      {"counters", "nothing", changed(sound, kind("C"), [](json& e) { e["args"] = json::object(); })},
      {"counters", "backwards", changed(sound, kind("C"), [](json& e) { e["ts"] = 1e9; })},
      {"counters", "no way back to 0",
       changed(
           sound, [](const json& e) { return e["ph"] == "C" && e["args"]["GB/s"] == 0; },
           [](json& e) {
             e["name"] = "another";
             e["args"]["GB/s"] = 1;
           })},
      {"names", "a process without",
       changed(sound, named("process_name"),
               [](json& e) {
                 e["name"] = "process_sort_index";
                 e["args"] = {{"sort_index", 0}};
               })},
      {"names", "a thread without", changed(sound, named("thread_name"), [](json& e) { e["tid"] = 77; })},
      {"names", "a process with two", changed(sound, named("process_name"), [](json& e) { e["pid"] = 1; })},
  };
  for (const Broken& broken : all) {
    const std::vector<std::string> problems = problems_of(broken.trace.dump());
    EXPECT_THAT(problems, Not(IsEmpty())) << broken.rule << ": " << broken.how;
    EXPECT_THAT(problems, testing::Contains(StartsWith(broken.rule))) << broken.how;
  }
  EXPECT_THAT(problems_of("{"), SizeIs(1)) << "no JSON";
}

}  // namespace
}  // namespace ringsim::reports
