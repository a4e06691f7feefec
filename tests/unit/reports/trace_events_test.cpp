// The trace is read back and held to what viewers ask for: slices of a thread nest, arrows end inside slices.

#include "reports/trace_events.hpp"

#include "tests/unit/reports/sample.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ringsim::reports {
namespace {

using nlohmann::json;
using sim::Span;
using sim::SpanKind;

/// A lockstep ring of `ranks` ranks: each step computes 3.3 us from its start while a block travels for 2.1 us, then
/// merges. Odd numbers in binary, so that rounding has something to do.
sim::Timeline ring(std::int64_t ranks, std::int64_t shown, std::int64_t steps) {
  sim::Timeline timeline;
  timeline.ranks = ranks;
  timeline.ranks_shown = shown;
  for (const char* pass : {"forward", "backward"}) {
    const double offset = pass[0] == 'f' ? 0.0 : 1e-3;
    for (std::int64_t r = 0; r < shown; ++r) {
      for (std::int64_t k = 0; k < steps; ++k) {
        const double start = offset + static_cast<double>(k) * 4.4e-6;
        timeline.spans.push_back({r, SpanKind::attention, "attend", 0, k, start, start + 3.3e-6});
        timeline.spans.push_back({r, SpanKind::merge, "merge O", 0, k, start + 3.3e-6, start + 4.4e-6});
        timeline.spans.push_back({r, SpanKind::transfer, "shift K/V", 0, k, start, start + 2.1e-6, (r + 1) % ranks,
                                  33554432.0, start + 1e-7, start + 2.1e-6});
      }
    }
  }
  return timeline;
}

json trace_of(const sim::Timeline& timeline) {
  std::ostringstream out;
  const sim::Prediction p = sample::prediction();
  write_trace(out, {p.scenario_name, p.scenario_hash, p.engine}, timeline);
  return json::parse(out.str());
}

std::int64_t nanoseconds(const json& microseconds) { return std::llround(microseconds.get<double>() * 1000.0); }

struct Slice {
  std::int64_t start;
  std::int64_t end;
};
using Thread = std::pair<int, int>;

std::map<Thread, std::vector<Slice>> slices_of(const json& trace) {
  std::map<Thread, std::vector<Slice>> slices;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    const std::int64_t start = nanoseconds(event["ts"]);
    slices[{event["pid"], event["tid"]}].push_back({start, start + nanoseconds(event["dur"])});
  }
  return slices;
}

TEST(TraceEvents, SlicesOfAThreadNest) {
  const auto slices = slices_of(trace_of(ring(4, 4, 50)));
  ASSERT_EQ(slices.size(), 8U) << "computation and transfers of four ranks";
  for (const auto& [thread, list] : slices) {
    for (std::size_t i = 1; i < list.size(); ++i) {
      EXPECT_LE(list[i - 1].start, list[i].start);
      const bool after = list[i].start >= list[i - 1].end;
      const bool within = list[i].end <= list[i - 1].end;
      EXPECT_TRUE(after || within) << "thread " << thread.second << " of rank " << thread.first << ", slice " << i;
    }
  }
}

TEST(TraceEvents, ArrowsComeInPairsAndEndInsideTransfers) {
  const json trace = trace_of(ring(4, 4, 5));
  const auto slices = slices_of(trace);
  std::map<int, std::map<std::string, json>> arrows;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] != "s" && event["ph"] != "f") continue;
    EXPECT_TRUE(arrows[event["id"]].emplace(event["ph"], event).second) << "an id is used twice";
  }
  EXPECT_EQ(arrows.size(), 4U * 5U * 2U) << "a hop a rank, step and pass";
  for (const auto& [id, ends] : arrows) {
    ASSERT_EQ(ends.size(), 2U);
    EXPECT_EQ(ends.at("f")["bp"], "e");
    EXPECT_EQ(ends.at("f")["pid"], (ends.at("s")["pid"].get<int>() + 1) % 4);
    EXPECT_LE(nanoseconds(ends.at("s")["ts"]), nanoseconds(ends.at("f")["ts"]));
    for (const auto& [phase, event] : ends) {
      const std::int64_t at = nanoseconds(event["ts"]);
      int inside = 0;
      for (const Slice& slice : slices.at({event["pid"], event["tid"]}))
        inside += slice.start <= at && at < slice.end ? 1 : 0;
      EXPECT_EQ(inside, 1) << phase << " of arrow " << id;
    }
  }
}

TEST(TraceEvents, HopsToRanksOutsideTheWindowHaveNoArrow) {
  const json trace = trace_of(ring(8, 3, 1));
  int arrows = 0;
  for (const json& event : trace["traceEvents"]) arrows += event["ph"] == "s" ? 1 : 0;
  EXPECT_EQ(arrows, 2 * 2) << "0 to 1 and 1 to 2, in both passes; 2 to 3 leaves the window, 7 to 0 is not in it";
}

TEST(TraceEvents, NamesProcessesAndThreads) {
  std::map<std::string, int> names;
  const json trace = trace_of(ring(4, 4, 1));
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == "M") ++names[event["name"]];
  }
  EXPECT_EQ(names["process_name"], 4);
  EXPECT_EQ(names["process_sort_index"], 4);
  EXPECT_EQ(names["thread_name"], 8);
}

TEST(TraceEvents, TransfersCarryBytesStepAndLayer) {
  const json trace = trace_of(ring(2, 2, 3));
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    EXPECT_TRUE(event["args"].contains("step"));
    EXPECT_TRUE(event["args"].contains("layer"));
    if (event["cat"] == "transfer") {
      EXPECT_EQ(event["args"]["bytes"], 33554432.0);
    }
  }
}

TEST(TraceEvents, SaysWhenTheWindowCuts) {
  EXPECT_EQ(trace_of(ring(4, 4, 1))["otherData"]["truncated"], false);
  const json cut = trace_of(ring(128, 64, 1));
  EXPECT_EQ(cut["otherData"]["truncated"], true);
  EXPECT_EQ(cut["otherData"]["window"], "the first 64 of 128 ranks");
}

sim::Span span(std::int64_t rank, SpanKind kind, const char* name, double start_us, double end_us) {
  sim::Span s;
  s.rank = rank;
  s.kind = kind;
  s.name = name;
  s.start_s = start_us * 1e-6;
  s.end_s = end_us * 1e-6;
  return s;
}

std::map<std::string, json> slices_by_name(const json& trace) {
  std::map<std::string, json> slices;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") slices[event["name"]] = event;
  }
  return slices;
}

TEST(TraceEvents, WhatRunsTogetherHasThreadsOfItsOwn) {
  // A blocking collective is part of the computation; the gradients' one runs beside it. The outer hop is in flight while two
  // inner ones are: it needs a second thread, the second inner hop takes up the first again.
  sim::Timeline timeline;
  timeline.ranks = timeline.ranks_shown = 1;
  Span blocking = span(0, SpanKind::collective, "all-reduce", 4, 6);
  blocking.computes = true;
  blocking.flight_start_s = 5e-6;  // the other members come 1 us later
  blocking.bytes = 1024;
  timeline.spans = {span(0, SpanKind::dense, "projections", 0, 4),    blocking,
                    span(0, SpanKind::collective, "gradients", 1, 9), span(0, SpanKind::transfer, "inner 1", 0, 3),
                    span(0, SpanKind::transfer, "outer", 0.5, 8),     span(0, SpanKind::transfer, "inner 2", 3, 5)};
  const json trace = trace_of(timeline);
  const auto slices = slices_by_name(trace);
  EXPECT_EQ(slices.at("projections")["tid"], 0);
  EXPECT_EQ(slices.at("projections")["cat"], "dense");
  EXPECT_EQ(slices.at("all-reduce")["tid"], 0);
  EXPECT_EQ(slices.at("all-reduce")["args"]["waits_for_members_us"], 1.0);
  EXPECT_EQ(slices.at("all-reduce")["args"]["bytes"], 1024.0);
  EXPECT_EQ(slices.at("gradients")["tid"], 2);
  EXPECT_EQ(slices.at("inner 1")["tid"], 1);
  EXPECT_EQ(slices.at("outer")["tid"], 3);
  EXPECT_EQ(slices.at("inner 2")["tid"], 1);
  std::map<int, std::string> names;
  for (const json& event : trace["traceEvents"]) {
    if (event["name"] == "thread_name") names[event["tid"]] = event["args"]["name"];
  }
  EXPECT_EQ(names,
            (std::map<int, std::string>{{0, "compute"}, {1, "transfer"}, {2, "collectives"}, {3, "transfer 2"}}));
}

TEST(TraceEvents, RanksOfAPipelineNameTheirStage) {
  // Stages of two ranks: rank 3 is of stage 1.
  sim::Timeline timeline;
  timeline.ranks = timeline.ranks_shown = 2;
  timeline.spans = {span(0, SpanKind::dense, "embedding", 0, 1), span(3, SpanKind::dense, "logits", 1, 2)};
  std::map<int, std::string> names;
  const json trace = trace_of(timeline);
  for (const json& event : trace["traceEvents"]) {
    if (event["name"] == "process_name") names[event["pid"]] = event["args"]["name"];
  }
  EXPECT_EQ(names, (std::map<int, std::string>{{0, "rank 0 (stage 0)"}, {3, "rank 3 (stage 1)"}}));
}

TEST(TraceEvents, CountersSayWhatLinksCarry) {
  // Rank 0 sends 2,000 bytes in 1 us and, from half of that time on, 500 bytes in 1 us: 2 GB/s, both 2.5, then 0.5, then nothing. Rank 1
  // sends 1,000 bytes in the same 1 us over another kind of link.
  sim::Timeline timeline;
  timeline.ranks = timeline.ranks_shown = 2;
  timeline.link_classes = {"nvlink", "infiniband"};
  const auto hop = [&](std::int64_t rank, double from_us, double to_us, double bytes) {
    Span s = span(rank, SpanKind::transfer, "shift", from_us, to_us);
    s.bytes = bytes;
    s.flight_start_s = s.start_s;
    s.flight_end_s = s.end_s;
    timeline.spans.push_back(s);
  };
  hop(0, 1, 2, 2000);
  hop(0, 1.5, 2.5, 500);
  hop(1, 1, 2, 1000);
  using Steps = std::vector<std::pair<double, double>>;
  std::map<std::pair<std::int64_t, std::string>, Steps> counters;
  std::map<std::int64_t, std::string> processes;
  const json trace = trace_of(timeline);
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == "C") counters[{event["pid"], event["name"]}].emplace_back(event["ts"], event["args"]["GB/s"]);
    if (event["name"] == "process_name") processes[event["pid"]] = event["args"]["name"];
  }
  const Steps first = {{1, 2}, {1.5, 2.5}, {2, 0.5}, {2.5, 0}};
  const Steps second = {{1, 1}, {2, 0}};
  ASSERT_EQ(counters.size(), 4U);
  EXPECT_EQ((counters[{0, "outgoing hops"}]), first);
  EXPECT_EQ((counters[{1, "outgoing hops"}]), second);
  EXPECT_EQ((counters[{2, "outgoing hops by nvlink"}]), first) << "of the one rank that has such a link";
  EXPECT_EQ((counters[{2, "outgoing hops by infiniband"}]), second);
  EXPECT_EQ(processes[2], "links of all ranks");
}

TEST(TraceEvents, KernelsThatOverlapHaveThreadsOfTheirOwn) {
  // As a profiler's trace may have them: a merge on another stream begins before the kernel has ended.
  sim::Timeline timeline;
  timeline.ranks = timeline.ranks_shown = 1;
  timeline.spans = {span(0, SpanKind::attention, "attend", 0, 4), span(0, SpanKind::merge, "merge O", 3, 5)};
  const auto slices = slices_by_name(trace_of(timeline));
  EXPECT_EQ(slices.at("attend")["tid"], 0);
  EXPECT_EQ(slices.at("merge O")["tid"], 1000);
}

TEST(TraceEvents, AnEmptyTimelineIsStillATrace) { EXPECT_TRUE(trace_of({})["traceEvents"].empty()); }

}  // namespace
}  // namespace ringsim::reports
