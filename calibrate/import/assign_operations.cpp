#include "calibrate/import/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace ringsim::calibrate {
namespace {

using sim::Span;
using sim::SpanKind;

struct Place {
  std::int64_t layer = 0;
  std::int64_t step = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct ShiftPlace {
  const sim::Shift* shift = nullptr;
  Place at;
};

/// What the program executes, in issue order.
struct Expected {
  std::array<std::vector<std::vector<Place>>, 2> attention;  // [pass][rank]: steps with work
  std::vector<ShiftPlace> shifts;                            // of every rank alike
  std::map<Place, std::vector<Accumulator>> gradient_merges;
};

Expected expected_of(const sim::Program& program) {
  Expected expected;
  for (auto& ranks : expected.attention) ranks.resize(static_cast<std::size_t>(program.ring()));
  sim::for_each_execution(program.body, [&](const sim::Operation& operation, std::int64_t layer, std::int64_t step) {
    if (const auto* attend = std::get_if<sim::Attend>(&operation.what)) {
      auto& ranks = expected.attention[static_cast<std::size_t>(attend->pass)];
      for (const WorkSegment& segment : program.work(*attend, layer, step)) {
        if (segment.work.masked()) continue;
        for (std::int64_t r = segment.begin; r < segment.end; ++r)
          ranks[static_cast<std::size_t>(r)].push_back({layer, step});
      }
    } else if (const auto* shift = std::get_if<sim::Shift>(&operation.what)) {
      expected.shifts.push_back({shift, {layer, step}});
    } else if (const auto* merge = std::get_if<sim::Merge>(&operation.what);
               merge != nullptr && merge->pass == Pass::backward) {
      expected.gradient_merges[{layer, step}].push_back(merge->accumulator);
    }
  });
  return expected;
}

/// Spans of one rank, by start.
struct RankSpans {
  std::array<std::vector<Span*>, 2> attention;  // by pass
  std::vector<Span*> transfers;
  std::vector<Span*> kernels;  // attention and merges of both passes
};

/// Counts that differ from the program's, in one sentence for all ranks.
class Misfits {
 public:
  explicit Misfits(std::string what) : what_(std::move(what)) {}
  void add(std::int64_t rank, std::size_t found, std::size_t expected) {
    if (ranks_++ > 0) return;
    first_ = fmt::format("rank {} has {} {}, the program {}", rank, found, what_, expected);
    if (expected > 0 && found > expected && found % expected == 0) {
      first_ += fmt::format(": {} times as many, so cut the trace to one iteration", found / expected);
    }
  }
  void note_in(ImportedRun& run) const {
    if (ranks_ == 0) return;
    const std::string others = ranks_ > 1 ? fmt::format(" (other ranks that do not fit: {})", ranks_ - 1) : "";
    run.notes.push_back(first_ + others + "; their layers and steps stay unknown");
  }

 private:
  std::string what_;
  std::string first_;
  std::int64_t ranks_ = 0;
};

void assign_merges(const RankSpans& spans, const Expected& expected) {
  const Span* attention = nullptr;
  std::map<Place, std::vector<Span*>> gradients;
  for (Span* span : spans.kernels) {
    if (span->kind == SpanKind::attention) {
      attention = span;
    } else if (attention != nullptr && attention->layer >= 0) {
      span->layer = attention->layer;
      span->step = attention->step;
      if (attention->name == sim::attention_name(Pass::backward)) gradients[{span->layer, span->step}].push_back(span);
    }
  }
  // Which gradient a kernel adds to is known only where there is one kernel for each.
  for (const auto& [place, merges] : gradients) {
    const auto wanted = expected.gradient_merges.find(place);
    if (wanted == expected.gradient_merges.end() || wanted->second.size() != merges.size()) continue;
    for (std::size_t i = 0; i < merges.size(); ++i) merges[i]->name = sim::merge_name(wanted->second[i]);
  }
}

}  // namespace

void assign_operations(ImportedRun& run, const sim::Program& program) {
  std::map<std::int64_t, RankSpans> ranks;
  for (Span& span : run.spans) {  // by start
    RankSpans& rank = ranks[span.rank];
    if (span.kind == SpanKind::transfer) {
      rank.transfers.push_back(&span);
      continue;
    }
    rank.kernels.push_back(&span);
    if (span.kind != SpanKind::attention) continue;
    rank.attention[span.name == sim::attention_name(Pass::backward) ? 1 : 0].push_back(&span);
  }
  const std::int64_t highest = ranks.empty() ? -1 : ranks.rbegin()->first;
  if (highest >= program.ring() || run.ranks != program.ring()) {
    run.notes.push_back(
        fmt::format("the trace holds {} ranks, the highest of which is {}, but the program's ring has {}", run.ranks,
                    highest, program.ring()));
  }

  const Expected expected = expected_of(program);
  std::array<Misfits, 2> attention_misfits = {Misfits("attention kernels of the forward pass"),
                                              Misfits("attention kernels of the backward pass")};
  Misfits transfer_misfits("transfers");
  for (auto& [r, spans] : ranks) {
    if (r >= program.ring()) continue;
    for (std::size_t pass = 0; pass < 2; ++pass) {
      const std::vector<Place>& wanted = expected.attention[pass][static_cast<std::size_t>(r)];
      const std::vector<Span*>& found = spans.attention[pass];
      if (found.size() != wanted.size()) {
        attention_misfits[pass].add(r, found.size(), wanted.size());
        continue;
      }
      for (std::size_t i = 0; i < found.size(); ++i)
        std::tie(found[i]->layer, found[i]->step) = std::tie(wanted[i].layer, wanted[i].step);
    }
    assign_merges(spans, expected);
    if (spans.transfers.size() != expected.shifts.size()) {
      transfer_misfits.add(r, spans.transfers.size(), expected.shifts.size());
      continue;
    }
    for (std::size_t i = 0; i < spans.transfers.size(); ++i) {
      Span& span = *spans.transfers[i];
      const auto& [shift, at] = expected.shifts[i];
      span.name = sim::shift_name(program, *shift);
      span.layer = at.layer;
      span.step = at.step;
      span.peer = (r + 1) % program.ring();
      if (span.bytes == 0) span.bytes = in_bytes(program.sent(*shift, at.step, r));
    }
  }
  for (const Misfits& misfits : attention_misfits) misfits.note_in(run);
  transfer_misfits.note_in(run);
}

}  // namespace ringsim::calibrate
