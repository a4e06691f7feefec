#include "cli/trace_options.hpp"

#include "cli/failures.hpp"
#include "cli/scenario_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ringsim::cli {
namespace {

/// One of the options, for messages.
struct Asked {
  const char* option;
  const char* what;  // "ranks"
  const std::string& text;
};

constexpr std::string_view everything = "all";

UsageError wrong(const Asked& asked, std::string_view what) {
  return UsageError(fmt::format("{} {}: {}; a range of {} is written 0..7, one of them 3, all of them all",
                                asked.option, asked.text, what, asked.what));
}

std::int64_t number(const Asked& asked, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value < 0) {
    throw wrong(asked, fmt::format("\"{}\" is no number from 0 on", text));
  }
  return value;
}

sim::IndexRange range(const Asked& asked, std::string_view text) {
  if (text == everything) return {};
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return {number(asked, text), 1};
  const std::int64_t first = number(asked, text.substr(0, dots));
  const std::int64_t last = number(asked, text.substr(dots + 2));
  if (last < first) throw wrong(asked, fmt::format("it ends before it begins: {}..{}?", last, first));
  return {first, last - first + 1};
}

std::vector<sim::IndexRange> list(const Asked& asked) {
  std::vector<sim::IndexRange> ranges;
  std::string_view left = asked.text;
  for (;;) {
    const std::size_t comma = left.find(',');
    ranges.push_back(range(asked, left.substr(0, comma)));
    if (comma == std::string_view::npos) return ranges;
    left.remove_prefix(comma + 1);
  }
}

void check_within(const Asked& asked, const sim::IndexRange& range, std::int64_t all) {
  if (range == sim::IndexRange{} || range.end() <= all) return;
  throw UsageError(fmt::format("{} {}: this run has {} {}; they are {}", asked.option, asked.text, all, asked.what,
                               all == 1 ? "numbered 0" : fmt::format("0..{}", all - 1)));
}

std::optional<sim::IndexRange> one(const Asked& asked, std::int64_t all) {
  if (asked.text.empty()) return std::nullopt;
  const sim::IndexRange only = range(asked, asked.text);
  check_within(asked, only, all);
  return only;
}

Asked ranks(const TraceOptions& o) { return {"--trace-ranks", "ranks", o.ranks}; }
Asked layers(const TraceOptions& o) { return {"--trace-layers", "layers", o.layers}; }
Asked steps(const TraceOptions& o) { return {"--trace-steps", "steps", o.steps}; }
Asked micro_batches(const TraceOptions& o) { return {"--trace-micro-batches", "micro-batches", o.micro_batches}; }

}  // namespace

void add_trace_file_option(CLI::App& command, TraceOptions& options, const std::string& meaning) {
  command.add_option("--trace", options.file, meaning)->type_name("FILE.json[.gz]")->check(file_name());
}

void add_trace_range_options(CLI::App& command, TraceOptions& options, bool predicted) {
  const auto add = [&](const char* name, std::string& text, const std::string& meaning, const char* otherwise) {
    command.add_option(name, text, meaning + " (default " + (predicted ? otherwise : "all") + ")")->type_name("RANGE");
  };
  add("--trace-ranks", options.ranks, "Ranks in the trace, such as 0..7 or 0,4..7", "the first 16");
  add("--trace-layers", options.layers, "Layers in the trace", "the first 2 of each pass");
  add("--trace-steps", options.steps, "Ring steps of each layer in the trace", "the first 32");
  if (predicted) add("--trace-micro-batches", options.micro_batches, "Micro-batches in the trace", "the first 2");
}

void check_trace_options(const TraceOptions& options) {
  for (const Asked& asked : {ranks(options), layers(options), steps(options), micro_batches(options)}) {
    if (asked.text.empty()) continue;
    if (options.file.empty()) throw UsageError(fmt::format("{} belongs to --trace FILE.json", asked.option));
    if (asked.what == ranks(options).what) {
      (void)list(asked);
    } else {
      (void)range(asked, asked.text);
    }
  }
}

sim::TimelineWindow trace_window_of(const TraceOptions& options, const sim::RunExtent& run,
                                    const sim::TimelineWindow& otherwise) {
  check_trace_options(options);
  sim::TimelineWindow window = otherwise;
  if (!options.ranks.empty()) {
    const std::vector<sim::IndexRange> ranges = list(ranks(options));
    window.ranks = ranges.front();
    for (const sim::IndexRange& more : ranges) {
      check_within(ranks(options), more, run.ranks);
      const sim::IndexRange some = more.within(run.ranks);
      for (std::int64_t r = some.first; r < some.end() && &more != &ranges.front(); ++r) window.also.push_back(r);
    }
  }
  if (const auto asked = one(layers(options), run.layers)) {
    window.layers = *asked;
    window.layer_order = sim::LayerOrder::numbered;
  }
  window.steps = one(steps(options), run.steps).value_or(window.steps);
  window.micro_batches = one(micro_batches(options), run.micro_batches).value_or(window.micro_batches);
  return window;
}

TraceFile::TraceFile(const std::string& path) : file_(path) {
  if (path.ends_with(".gz")) gzip_ = std::make_unique<reports::GzipStream>(file_.stream());
}

void TraceFile::close() {
  if (gzip_) gzip_->finish();
  file_.close();
}

}  // namespace ringsim::cli
