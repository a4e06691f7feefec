#include "reports/html/run_charts.hpp"

#include "reports/charts/tones.hpp"
#include "reports/extremes.hpp"
#include "reports/humanise.hpp"
#include "reports/trace_threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace ringsim::reports {
namespace {

constexpr std::size_t ranks_drawn = 64;
constexpr std::size_t terms_drawn = 8;

using sim::RankSummary;

double other_bubble(const RankSummary& r) {
  return std::max(0.0, r.bubble_s - r.bubble_masked_s - r.bubble_late_s - r.bubble_end_s);
}

/// A part of a rank's time. They sum to the makespan.
struct TimePart {
  const char* name;
  Tone tone;
  double (*of)(const RankSummary&);
};
constexpr std::array<TimePart, 9> time_parts = {{
    {"attention", Tone::attention, [](const RankSummary& r) { return r.attention_s; }},
    {"merging partial results", Tone::merge, [](const RankSummary& r) { return r.merge_s; }},
    {"dense kernels", Tone::dense, [](const RankSummary& r) { return r.dense_s; }},
    {"exposed transfers", Tone::exposed,
     [](const RankSummary& r) { return std::max(0.0, r.exposed_communication_s - r.collective_s); }},
    {"exposed collectives", Tone::collective, [](const RankSummary& r) { return r.collective_s; }},
    {"waiting for a peer or for SMs", Tone::late, [](const RankSummary& r) { return r.bubble_late_s; }},
    {"masked steps", Tone::masked, [](const RankSummary& r) { return r.bubble_masked_s; }},
    {"waiting for the slowest rank", Tone::end, [](const RankSummary& r) { return r.bubble_end_s; }},
    {"other waiting", Tone::series_8, other_bubble},
}};

std::string rank_name(const RankSummary& rank, bool stages) {
  return stages ? fmt::format("rank {} (stage {})", human_count(rank.rank), human_count(rank.stage))
                : "rank " + human_count(rank.rank);
}

Tone tone_of(const sim::Span& span) {
  switch (span.kind) {
    case sim::SpanKind::attention:
      return Tone::attention;
    case sim::SpanKind::merge:
      return Tone::merge;
    case sim::SpanKind::dense:
      return Tone::dense;
    case sim::SpanKind::collective:
      return Tone::collective;
    case sim::SpanKind::transfer:
      break;
  }
  return Tone::transfer;
}

std::string words_of_tone(Tone tone) {
  switch (tone) {
    case Tone::attention:
      return "attention";
    case Tone::merge:
      return "merging partial results";
    case Tone::dense:
      return "dense kernels";
    case Tone::collective:
      return "collective";
    default:
      return "hop in flight";
  }
}

std::string snake_to_words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace

BarChart rank_times_chart(const sim::RunSummary& run) {
  BarChart chart{.words = {"Time of each rank", ""},
                 .row_header = "rank",
                 .rows = {},
                 .value = {"time", Quantity::seconds, Scale::linear},
                 .series = {},
                 .lines = {}};
  const bool stages = std::any_of(run.per_rank.begin(), run.per_rank.end(), [](const auto& r) { return r.stage > 0; });
  const std::vector<ListedRank> listed = listed_ranks(run.per_rank, run.slowest_rank, ranks_drawn);
  for (const ListedRank& rank : listed) chart.rows.push_back(rank_name(*rank.summary, stages));
  // More than half of a part that is nowhere more than a rounding error is noise of its sum.
  const double least = 1e-9 * run.makespan_s;
  for (const TimePart& part : time_parts) {
    BarSeries series{part.name, part.tone, {}};
    double most = 0;
    for (const ListedRank& rank : listed) {
      series.values.push_back(part.of(*rank.summary));
      most = std::max(most, series.values.back());
    }
    if (most > least) chart.series.push_back(std::move(series));
  }
  if (listed.size() < run.per_rank.size()) {
    chart.words.title +=
        fmt::format(": {} of {}", listed.size(), human_count(static_cast<std::int64_t>(run.per_rank.size())));
  }
  chart.words.description = fmt::format(
      "A bar a rank, each {} long in all: the run lasts until its slowest rank, {}, has ended. On that rank {} "
      "compute, {} wait for "
      "communication and {} wait for anything else.",
      human_time(run.makespan_s), human_count(run.slowest_rank), human_time(run.compute_s),
      human_time(run.exposed_communication_s), human_time(run.bubble_s));
  return chart;
}

BarChart memory_chart(const std::vector<std::pair<std::string, const Memory*>>& memories) {
  BarChart chart{.words = {"Memory of the fullest GPU", ""},
                 .row_header = "of",
                 .rows = {},
                 .value = {"memory", Quantity::bytes, Scale::linear},
                 .series = {},
                 .lines = {}};
  std::map<std::string, double> largest;  // of a term, in any of them
  for (const auto& [name, memory] : memories) {
    chart.rows.push_back(name);
    for (const MemoryTerm& term : memory->terms) {
      largest[term.name] = std::max(largest[term.name], in_bytes(term.size));
    }
  }
  std::vector<std::pair<std::string, double>> terms(largest.begin(), largest.end());
  std::erase_if(terms, [](const auto& term) { return !(term.second > 0); });
  std::stable_sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  const std::size_t own = terms.size() <= terms_drawn ? terms.size() : terms_drawn - 1;
  for (std::size_t i = 0; i < std::min(own + 1, terms.size()); ++i) {
    const bool rest = i == own;
    BarSeries series{
        rest ? fmt::format("{} small terms", terms.size() - own) : snake_to_words(terms[i].first), series_tone(i), {}};
    for (const auto& [name, memory] : memories) {
      double bytes = 0;
      for (std::size_t j = i; j < (rest ? terms.size() : i + 1); ++j) bytes += in_bytes(memory->of(terms[j].first));
      series.values.push_back(bytes);
    }
    chart.series.push_back(std::move(series));
  }
  const Memory& first = *memories.front().second;
  if (first.capacity > Bytes{}) chart.lines.push_back({"capacity", in_bytes(first.capacity), Tone::limit});
  chart.words.description =
      fmt::format("Terms of a GPU's memory, stacked; a line marks its capacity of {}.", human_bytes(first.capacity));
  for (const auto& [name, memory] : memories) {
    chart.words.description +=
        fmt::format(" {}: {}{}.", name, memory->missing.empty() ? "" : "at least ", human_bytes(memory->total));
  }
  return chart;
}

BusiestPart busiest_part(const sim::Timeline& timeline) {
  BusiestPart part{timeline, ""};
  std::vector<sim::Span>& spans = part.timeline.spans;
  if (spans.empty()) return part;
  std::stable_sort(spans.begin(), spans.end(),
                   [](const sim::Span& a, const sim::Span& b) { return a.start_s < b.start_s; });
  double end = 0;
  for (const sim::Span& span : spans) end = std::max(end, span.end_s);
  const double longest_gap = 0.5 * (end - spans.front().start_s);
  // Only one gap can be longer than half of all.
  double reached = spans.front().end_s;
  std::size_t cut = 0;
  for (std::size_t i = 0; i < spans.size() && cut == 0; ++i) {
    if (spans[i].start_s - reached > longest_gap) cut = i;
    reached = std::max(reached, spans[i].end_s);
  }
  if (cut == 0) return part;
  const auto middle = spans.begin() + static_cast<std::ptrdiff_t>(cut);
  const auto work = [](auto from, auto to) {
    double sum = 0;
    for (auto at = from; at != to; ++at) sum += at->end_s - at->start_s;
    return sum;
  };
  const auto ends_before = [](const sim::Span& a, const sim::Span& b) { return a.end_s < b.end_s; };
  const bool later = work(middle, spans.end()) > work(spans.begin(), middle);
  const auto count = later ? cut : spans.size() - cut;
  part.left_out = fmt::format(
      " Not drawn: {} operations of the same window, {}.", human_count(static_cast<std::int64_t>(count)),
      later ? fmt::format("all over by {}", human_time(std::max_element(spans.begin(), middle, ends_before)->end_s))
            : fmt::format("from {} on", human_time(middle->start_s)));
  spans = later ? std::vector<sim::Span>(middle, spans.end()) : std::vector<sim::Span>(spans.begin(), middle);
  return part;
}

GanttChart gantt_chart(const sim::Timeline& timeline, const std::string& window) {
  GanttChart chart{.words = {"Timeline: " + window, ""}, .rows = {}, .spans = {}, .key = {}, .start_s = 0, .end_s = 0};
  const std::vector<int> threads = threads_of(timeline.spans);
  std::map<std::pair<std::int64_t, int>, std::size_t> rows;
  for (std::size_t i = 0; i < timeline.spans.size(); ++i)
    rows.emplace(std::pair(timeline.spans[i].rank, threads[i]), 0);
  const bool stages = timeline.ranks > 0 && !rows.empty() && rows.rbegin()->first.first >= timeline.ranks;
  for (auto& [place, row] : rows) {
    row = chart.rows.size();
    chart.rows.push_back({stages ? fmt::format("stage {}, rank {}", human_count(place.first / timeline.ranks),
                                               human_count(place.first % timeline.ranks))
                                 : "rank " + human_count(place.first),
                          name_of_thread(place.second)});
  }
  bool first = true;
  for (std::size_t i = 0; i < timeline.spans.size(); ++i) {
    const sim::Span& span = timeline.spans[i];
    const bool flight = span.kind == sim::SpanKind::transfer;
    GanttSpan drawn{.row = rows.at({span.rank, threads[i]}),
                    .start_s = flight ? span.flight_start_s : span.start_s,
                    .end_s = flight ? span.flight_end_s : span.end_s,
                    .tone = tone_of(span),
                    .name = span.name};
    if (span.layer >= 0) drawn.name += fmt::format(", layer {}, step {}", span.layer, span.step);
    drawn.name += ": " + human_time(drawn.end_s - drawn.start_s);
    if (flight && span.peer >= 0) {
      drawn.name += fmt::format(", {} to rank {}", human_bytes(bytes(span.bytes)), human_count(span.peer));
    }
    chart.start_s = first ? drawn.start_s : std::min(chart.start_s, drawn.start_s);
    chart.end_s = std::max(chart.end_s, drawn.end_s);
    first = false;
    if (drawn.end_s > drawn.start_s) chart.spans.push_back(std::move(drawn));
  }
  std::stable_sort(chart.spans.begin(), chart.spans.end(), [](const GanttSpan& a, const GanttSpan& b) {
    return std::tuple(a.row, a.start_s) < std::tuple(b.row, b.start_s);
  });
  for (const Tone tone : {Tone::attention, Tone::merge, Tone::dense, Tone::transfer, Tone::collective}) {
    const bool there =
        std::any_of(chart.spans.begin(), chart.spans.end(), [&](const GanttSpan& s) { return s.tone == tone; });
    if (there) chart.key.push_back({tone, words_of_tone(tone)});
  }
  chart.words.description = fmt::format(
      "What the streams of {} do from {} to {}. Gaps in a row of computation are waiting{}.",
      timeline.ranks_shown < timeline.ranks
          ? fmt::format("{} of {} ranks", human_count(timeline.ranks_shown), human_count(timeline.ranks))
          : fmt::format("all {} ranks", human_count(timeline.ranks)),
      human_time(chart.start_s), human_time(chart.end_s), timeline.truncated ? ", or what is not shown" : "");
  return chart;
}

}  // namespace ringsim::reports
