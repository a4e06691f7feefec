#include "reports/trace_events.hpp"

#include "reports/json_parts.hpp"
#include "reports/trace_counters.hpp"
#include "reports/trace_threads.hpp"
#include "reports/window_text.hpp"
#include "version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace ringsim::reports {
namespace {

using sim::Span;
using sim::SpanKind;

/// Whole nanoseconds as decimal microseconds, exactly.
std::string microseconds(std::int64_t nanoseconds) {
  return fmt::format("{}{}.{:03}", nanoseconds < 0 ? "-" : "", std::abs(nanoseconds) / 1000,
                     std::abs(nanoseconds) % 1000);
}

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// A span and the thread that it is drawn on.
struct Slice {
  const Span* span = nullptr;
  int thread = 0;
};

/// One timeline of the trace.
struct Part {
  const sim::Timeline* timeline = nullptr;
  std::string label;       // empty: the only one
  std::int64_t index = 0;  // of so many
  std::int64_t count = 1;
  std::int64_t origin = 0;  // what is 0 in the trace [ns]
  std::vector<Slice> slices{};
  std::int64_t past_ranks = 0;  // one more than the highest rank of all parts

  [[nodiscard]] std::int64_t process(std::int64_t rank) const { return rank * count + index; }
  [[nodiscard]] std::int64_t links() const { return process(past_ranks); }  // process of the sums by kind of link
  [[nodiscard]] std::int64_t at(double seconds) const { return nanoseconds(seconds) - origin; }
};

std::string_view category_of(SpanKind kind) {
  switch (kind) {
    case SpanKind::attention:
      return "attention";
    case SpanKind::merge:
      return "merge";
    case SpanKind::dense:
      return "dense";
    case SpanKind::collective:
      return "collective";
    case SpanKind::transfer:
      break;
  }
  return "transfer";
}

/// Puts commas between events.
class EventList {
 public:
  explicit EventList(std::ostream& out) : out_(out) {}
  void add(const std::string& event) {
    out_ << (first_ ? "\n" : ",\n") << event;
    first_ = false;
  }

 private:
  std::ostream& out_;
  bool first_ = true;
};

/// "rank 3"; of a pipeline, whose stages' ranks follow each other, "rank 3 (stage 1)"; of several parts "rank 3 predicted".
std::string name_of_rank(std::int64_t rank, const Part& part, bool stages) {
  std::string name = fmt::format("rank {}", rank);
  if (stages) name += fmt::format(" (stage {})", rank / part.timeline->ranks);
  return part.label.empty() ? name : name + " " + part.label;
}

void name_process(EventList& events, std::int64_t process, const std::string& name) {
  events.add(fmt::format(R"({{"ph":"M","pid":{},"name":"process_name","args":{{"name":{}}}}})", process, quoted(name)));
  events.add(fmt::format(R"({{"ph":"M","pid":{0},"name":"process_sort_index","args":{{"sort_index":{0}}}}})", process));
}

void write_names(EventList& events, const Part& part) {
  std::set<std::int64_t> ranks;
  std::set<int> threads = {compute_thread, transfer_thread};
  for (const Slice& slice : part.slices) {
    ranks.insert(slice.span->rank);
    threads.insert(slice.thread);
  }
  const bool stages = !ranks.empty() && part.timeline->ranks > 0 && *ranks.rbegin() >= part.timeline->ranks;
  for (const std::int64_t rank : ranks) {
    const std::int64_t process = part.process(rank);
    name_process(events, process, name_of_rank(rank, part, stages));
    for (const int thread : threads) {
      events.add(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":"{}"}}}})", process,
                             thread, name_of_thread(thread)));
      events.add(
          fmt::format(R"({{"ph":"M","pid":{0},"tid":{1},"name":"thread_sort_index","args":{{"sort_index":{1}}}}})",
                      process, thread));
    }
  }
}

void write_slice(EventList& events, const Part& part, const Slice& slice) {
  const Span& span = *slice.span;
  const std::int64_t start = part.at(span.start_s);
  std::string args = fmt::format(R"("layer":{},"step":{})", span.layer, span.step);
  if (span.kind == SpanKind::collective) {
    args += fmt::format(R"(,"bytes":{})", span.bytes);
    const std::int64_t waited = part.at(span.flight_start_s) - start;
    if (waited > 0) args += fmt::format(R"(,"waits_for_members_us":{})", microseconds(waited));
  }
  if (span.kind == SpanKind::transfer) {
    args += fmt::format(R"(,"bytes":{},"to_rank":{})", span.bytes, span.peer);
    if (span.flight_end_s > span.flight_start_s) {
      const double rate = span.bytes / (span.flight_end_s - span.flight_start_s);
      args += fmt::format(R"(,"flight_us":{},"bytes_per_s":{})",
                          microseconds(part.at(span.flight_end_s) - part.at(span.flight_start_s)), rate);
    }
  }
  events.add(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{},"cat":"{}","args":{{{}}}}})",
                         part.process(span.rank), slice.thread, microseconds(start),
                         microseconds(part.at(span.end_s) - start), quoted(span.name), category_of(span.kind), args));
}

/// Which transfer of a rank a span is: the passes of one layer may use the same name and step, so equals are numbered.
using TransferKey = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string>;  // rank, layer, step, name

std::map<TransferKey, std::vector<Slice>> transfers_of(const std::vector<Slice>& slices) {
  std::map<TransferKey, std::vector<Slice>> transfers;
  for (const Slice& slice : slices) {
    const Span& span = *slice.span;
    if (span.kind == SpanKind::transfer) transfers[{span.rank, span.layer, span.step, span.name}].push_back(slice);
  }
  for (auto& [key, equal] : transfers) {
    std::sort(equal.begin(), equal.end(), [](const Slice& a, const Slice& b) {
      return std::tuple(a.span->start_s, a.span) < std::tuple(b.span->start_s, b.span);
    });
  }
  return transfers;
}

/// Arrows are drawn between slices in which their ends really lie; `f` strictly before the slice's end, or a viewer
/// would bind it to whatever follows.
void write_flows(EventList& events, const Part& part, std::int64_t& id) {
  const auto transfers = transfers_of(part.slices);
  for (const auto& [key, senders] : transfers) {
    for (std::size_t i = 0; i < senders.size(); ++i) {
      const Span& sender = *senders[i].span;
      const auto found = transfers.find({sender.peer, sender.layer, sender.step, sender.name});
      if (found == transfers.end() || found->second.size() <= i) continue;
      const Span& receiver = *found->second[i].span;
      const std::int64_t takes_off = part.at(sender.flight_start_s);
      const std::int64_t lands = part.at(sender.flight_end_s);
      const std::int64_t arrives = std::min(lands, part.at(receiver.end_s) - 1);
      const bool inside = part.at(sender.start_s) <= takes_off && takes_off < part.at(sender.end_s) &&
                          part.at(receiver.start_s) <= arrives && lands <= part.at(receiver.end_s) &&
                          takes_off <= arrives;
      if (!inside) continue;
      ++id;
      const auto end = [&](const char* phase, const Slice& slice, std::int64_t at) {
        events.add(fmt::format(R"({{"ph":{},"id":{},"pid":{},"tid":{},"ts":{},"name":"hop","cat":"hop"}})", phase, id,
                               part.process(slice.span->rank), slice.thread, microseconds(at)));
      };
      end(R"("s")", senders[i], takes_off);
      end(R"("f","bp":"e")", found->second[i], arrives);
    }
  }
}

void write_counter(EventList& events, std::int64_t process, const std::string& name, const std::vector<RateStep>& steps,
                   std::int64_t origin) {
  for (const RateStep& step : steps) {
    events.add(fmt::format(R"({{"ph":"C","pid":{},"ts":{},"name":{},"args":{{"GB/s":{}}}}})", process,
                           microseconds(step.at_ns - origin), quoted(name),
                           static_cast<double>(step.bytes_per_s) / 1e9));
  }
}

void write_counters(EventList& events, const Part& part) {
  const LinkRates rates = link_rates(*part.timeline);
  for (const auto& [rank, steps] : rates.by_rank) {
    write_counter(events, part.process(rank), "outgoing hops", steps, part.origin);
  }
  if (rates.by_link_class.empty()) return;
  name_process(events, part.links(),
               fmt::format("links of {}{}{}", part.timeline->cut() ? "the shown ranks" : "all ranks",
                           part.label.empty() ? "" : " ", part.label));
  for (const auto& [name, steps] : rates.by_link_class) {
    write_counter(events, part.links(), "outgoing hops by " + name, steps, part.origin);
  }
}

Part part_of(const TracePart& of, std::size_t index, std::size_t count) {
  Part part;
  part.timeline = of.timeline;
  part.label = of.label;
  part.index = static_cast<std::int64_t>(index);
  part.count = static_cast<std::int64_t>(count);
  const std::vector<Span>& spans = of.timeline->spans;
  const std::vector<int> threads = threads_of(spans);
  part.slices.reserve(spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) part.slices.push_back({&spans[i], threads[i]});
  // Viewers want slices of a thread by start; of two that start together the longer one encloses the other.
  std::sort(part.slices.begin(), part.slices.end(), [](const Slice& a, const Slice& b) {
    return std::tuple(a.span->rank, a.thread, a.span->start_s, -a.span->end_s, a.span) <
           std::tuple(b.span->rank, b.thread, b.span->start_s, -b.span->end_s, b.span);
  });
  if (count == 1 || spans.empty()) return part;
  const auto first =
      std::min_element(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.start_s < b.start_s; });
  part.origin = nanoseconds(first->start_s);
  return part;
}

void write_part(EventList& events, const Part& part, std::int64_t& arrows) {
  write_names(events, part);
  std::int64_t last = 0;
  for (const Slice& slice : part.slices) {
    write_slice(events, part, slice);
    last = std::max(last, part.at(slice.span->end_s));
  }
  write_flows(events, part, arrows);
  write_counters(events, part);
  if (part.timeline->cut() && !part.slices.empty()) {
    events.add(fmt::format(R"({{"ph":"i","pid":{},"tid":{},"ts":{},"s":"g","name":{}}})",
                           part.process(part.slices.front().span->rank), compute_thread, microseconds(last),
                           quoted("shown: " + window_text(*part.timeline))));
  }
}

std::string window_of_all(std::span<const TracePart> all) {
  std::string text;
  for (const TracePart& part : all) {
    if (!text.empty()) text += "; ";
    text += (part.label.empty() ? "" : part.label + ": ") + window_text(*part.timeline);
  }
  return text;
}

}  // namespace

void write_trace(std::ostream& out, const TraceTitle& title, std::span<const TracePart> parts) {
  const bool cut = std::any_of(parts.begin(), parts.end(), [](const TracePart& p) { return p.timeline->cut(); });
  out << R"({"displayTimeUnit":"ms","otherData":{"ringsim_version":)" << quoted(std::string(version))
      << R"(,"scenario":)" << quoted(title.scenario_name) << R"(,"scenario_hash":)" << quoted(title.scenario_hash)
      << R"(,"made_by":)" << quoted(title.made_by) << R"(,"truncated":)" << (cut ? "true" : "false") << R"(,"window":)"
      << quoted(window_of_all(parts)) << R"(,"rounding":"times are rounded to 1 ns"},"traceEvents":[)";
  std::vector<Part> all;
  std::int64_t past_ranks = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    all.push_back(part_of(parts[i], i, parts.size()));
    for (const Span& span : parts[i].timeline->spans) past_ranks = std::max(past_ranks, span.rank + 1);
  }
  EventList events(out);
  std::int64_t arrows = 0;
  for (Part& part : all) {
    part.past_ranks = past_ranks;
    write_part(events, part, arrows);
  }
  out << "\n]}\n";
}

void write_trace(std::ostream& out, const TraceTitle& title, const sim::Timeline& timeline) {
  const TracePart alone{{}, &timeline};
  write_trace(out, title, std::span(&alone, 1));
}

}  // namespace ringsim::reports
