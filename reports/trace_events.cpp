#include "reports/trace_events.hpp"

#include "reports/humanise.hpp"
#include "reports/json_parts.hpp"
#include "reports/trace_threads.hpp"
#include "version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <ostream>
#include <set>
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

/// "rank 3"; of a pipeline, whose stages' ranks follow each other, "rank 3 (stage 1)".
std::string name_of_rank(std::int64_t rank, std::int64_t ranks_of_stage, bool stages) {
  return stages ? fmt::format("rank {} (stage {})", rank, rank / ranks_of_stage) : fmt::format("rank {}", rank);
}

void write_names(EventList& events, const sim::Timeline& timeline, const std::vector<Slice>& slices) {
  std::set<std::int64_t> ranks;
  std::set<int> threads = {compute_thread, transfer_thread};
  for (const Slice& slice : slices) {
    ranks.insert(slice.span->rank);
    threads.insert(slice.thread);
  }
  const bool stages = !ranks.empty() && timeline.ranks > 0 && *ranks.rbegin() >= timeline.ranks;
  for (const std::int64_t rank : ranks) {
    events.add(fmt::format(R"({{"ph":"M","pid":{0},"name":"process_name","args":{{"name":"{1}"}}}})", rank,
                           name_of_rank(rank, timeline.ranks, stages)));
    events.add(fmt::format(R"({{"ph":"M","pid":{0},"name":"process_sort_index","args":{{"sort_index":{0}}}}})", rank));
    for (const int thread : threads) {
      events.add(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":"{}"}}}})", rank,
                             thread, name_of_thread(thread)));
      events.add(fmt::format(
          R"({{"ph":"M","pid":{0},"tid":{1},"name":"thread_sort_index","args":{{"sort_index":{1}}}}})", rank, thread));
    }
  }
}

void write_slice(EventList& events, const Slice& slice) {
  const Span& span = *slice.span;
  const std::int64_t start = nanoseconds(span.start_s);
  std::string args = fmt::format(R"("layer":{},"step":{})", span.layer, span.step);
  if (span.kind == SpanKind::collective) {
    args += fmt::format(R"(,"bytes":{})", span.bytes);
    const std::int64_t waited = nanoseconds(span.flight_start_s) - start;
    if (waited > 0) args += fmt::format(R"(,"waits_for_members_us":{})", microseconds(waited));
  }
  if (span.kind == SpanKind::transfer) {
    args += fmt::format(R"(,"bytes":{},"to_rank":{})", span.bytes, span.peer);
    if (span.flight_end_s > span.flight_start_s) {
      const double rate = span.bytes / (span.flight_end_s - span.flight_start_s);
      args += fmt::format(R"(,"flight_us":{},"bytes_per_s":{})",
                          microseconds(nanoseconds(span.flight_end_s) - nanoseconds(span.flight_start_s)), rate);
    }
  }
  events.add(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{},"cat":"{}","args":{{{}}}}})",
                         span.rank, slice.thread, microseconds(start), microseconds(nanoseconds(span.end_s) - start),
                         quoted(span.name), category_of(span.kind), args));
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
void write_flows(EventList& events, const std::vector<Slice>& slices) {
  const auto transfers = transfers_of(slices);
  std::int64_t id = 0;
  for (const auto& [key, senders] : transfers) {
    for (std::size_t i = 0; i < senders.size(); ++i) {
      const Span& sender = *senders[i].span;
      const auto found = transfers.find({sender.peer, sender.layer, sender.step, sender.name});
      if (found == transfers.end() || found->second.size() <= i) continue;
      const Span& receiver = *found->second[i].span;
      const std::int64_t takes_off = nanoseconds(sender.flight_start_s);
      const std::int64_t lands = nanoseconds(sender.flight_end_s);
      const std::int64_t arrives = std::min(lands, nanoseconds(receiver.end_s) - 1);
      const bool inside = nanoseconds(sender.start_s) <= takes_off && takes_off < nanoseconds(sender.end_s) &&
                          nanoseconds(receiver.start_s) <= arrives && lands <= nanoseconds(receiver.end_s) &&
                          takes_off <= arrives;
      if (!inside) continue;
      ++id;
      const auto end = [&](const char* phase, const Slice& slice, std::int64_t at) {
        events.add(fmt::format(R"({{"ph":{},"id":{},"pid":{},"tid":{},"ts":{},"name":"hop","cat":"hop"}})", phase, id,
                               slice.span->rank, slice.thread, microseconds(at)));
      };
      end(R"("s")", senders[i], takes_off);
      end(R"("f","bp":"e")", found->second[i], arrives);
    }
  }
}

std::string window_text(const sim::Timeline& timeline) {
  if (!timeline.truncated && timeline.ranks_shown >= timeline.ranks) return "the whole run";
  std::string text =
      timeline.ranks_shown < timeline.ranks
          ? fmt::format("the first {} of {} ranks", human_count(timeline.ranks_shown), human_count(timeline.ranks))
          : std::string("all ranks");
  return text + (timeline.truncated ? "; some steps and layers of a longer run" : "");
}

}  // namespace

void write_trace(std::ostream& out, const TraceTitle& title, const sim::Timeline& timeline) {
  const bool cut = timeline.truncated || timeline.ranks_shown < timeline.ranks;
  out << R"({"displayTimeUnit":"ms","otherData":{"ringsim_version":)" << quoted(std::string(version))
      << R"(,"scenario":)" << quoted(title.scenario_name) << R"(,"scenario_hash":)" << quoted(title.scenario_hash)
      << R"(,"made_by":)" << quoted(title.made_by) << R"(,"truncated":)" << (cut ? "true" : "false") << R"(,"window":)"
      << quoted(window_text(timeline)) << R"(,"rounding":"times are rounded to 1 ns"},"traceEvents":[)";
  EventList events(out);
  const std::vector<int> threads = threads_of(timeline.spans);
  std::vector<Slice> slices;
  slices.reserve(timeline.spans.size());
  for (std::size_t i = 0; i < timeline.spans.size(); ++i) slices.push_back({&timeline.spans[i], threads[i]});
  write_names(events, timeline, slices);

  // Viewers want slices of a thread by start; of two that start together the longer one encloses the other.
  std::sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
    return std::tuple(a.span->rank, a.thread, a.span->start_s, -a.span->end_s, a.span) <
           std::tuple(b.span->rank, b.thread, b.span->start_s, -b.span->end_s, b.span);
  });
  std::int64_t last = 0;
  for (const Slice& slice : slices) {
    write_slice(events, slice);
    last = std::max(last, nanoseconds(slice.span->end_s));
  }
  write_flows(events, slices);
  if (cut) {
    events.add(fmt::format(R"({{"ph":"i","pid":{},"tid":{},"ts":{},"s":"g","name":{}}})",
                           slices.empty() ? 0 : slices.front().span->rank, compute_thread, microseconds(last),
                           quoted("shown: " + window_text(timeline))));
  }
  out << "\n]}\n";
}

}  // namespace ringsim::reports
