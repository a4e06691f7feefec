#include "sim/critical/periodic_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::sim {
namespace {

using Kind = TapeEntry::Kind;

// Entries [first, end) of a period, and those of the one before.
struct Window {
  std::int64_t first = 0;
  std::int64_t length = 0;
};

// Period of the layers' masks in the order in which the loop takes them.
std::int64_t mask_period(const std::vector<std::size_t>& masks) {
  const auto n = static_cast<std::int64_t>(masks.size());
  for (std::int64_t p = 1; p < n; ++p) {
    bool repeats = true;
    for (std::int64_t i = p; i < n && repeats; ++i) {
      repeats = masks[static_cast<std::size_t>(i)] == masks[static_cast<std::size_t>(i - p)];
    }
    if (repeats) return p;
  }
  return n;
}

// Operands are as far away, or from before the loop.
bool same_entries(const Tape& tape, std::int64_t at, std::int64_t before, std::int64_t length,
                  std::int64_t loop_first) {
  const auto same_operand = [&](TapeValue a, TapeValue b) {
    return b < loop_first ? a == b || a >= loop_first : a - b == at - before;
  };
  for (std::int64_t i = 0; i < length; ++i) {
    const TapeEntry& a = tape.entries[static_cast<std::size_t>(at + i)];
    const TapeEntry& b = tape.entries[static_cast<std::size_t>(before + i)];
    if (a.kind != b.kind || a.way != b.way || a.instruction != b.instruction || a.step != b.step) return false;
    if (!same_operand(a.a, b.a) || !same_operand(a.b, b.b)) return false;
    if (a.kind == Kind::join && a.constant != b.constant) return false;  // the host's clock goes on
  }
  return true;
}

bool same_choices(const Tape& tape, std::int64_t at, std::int64_t before, std::int64_t length) {
  for (std::int64_t i = 0; i < length; ++i) {
    const TapeEntry& a = tape.entries[static_cast<std::size_t>(at + i)];
    const TapeEntry& b = tape.entries[static_cast<std::size_t>(before + i)];
    if (a.kind != Kind::grant) continue;
    for (std::int64_t r = 0; r < tape.ranks(); ++r) {
      const TapeValue from_a = tape.choice(a, r) == 0 ? a.a : tape.kernels[a.candidates + tape.choice(a, r) - 1];
      const TapeValue from_b = tape.choice(b, r) == 0 ? b.a : tape.kernels[b.candidates + tape.choice(b, r) - 1];
      if (from_a - from_b != at - before) return false;
    }
  }
  return true;
}

class Building {
 public:
  Building(const Tape& tape, const Program& program, OperationDurations& durations, Window window,
           std::int64_t loop_first)
      : tape_(tape), program_(program), durations_(durations), window_(window), loop_first_(loop_first) {}

  PeriodicGraph run() {
    graph_.nodes = static_cast<std::int32_t>(window_.length * tape_.ranks());
    for (std::int64_t i = 0; i < window_.length; ++i) entry(window_.first + i);
    return std::move(graph_);
  }

 private:
  void entry(std::int64_t index) {
    const TapeEntry& e = tape_.entries[static_cast<std::size_t>(index)];
    const bool takes_time = e.kind == Kind::work || e.kind == Kind::hop;
    const Eigen::ArrayXd* duration = takes_time ? &durations_.of(e) : nullptr;
    for (std::int64_t r = 0; r < tape_.ranks(); ++r) {
      switch (e.kind) {
        case Kind::ready:
        case Kind::beside:
          break;
        case Kind::work:
        case Kind::hop:
          arc(index, r, e.a, r, (*duration)[r]);
          break;
        case Kind::issue: {
          // The host's clock goes on from where it was a period before.
          const std::int64_t before = index - window_.length;
          arc(index, r, static_cast<TapeValue>(before), r,
              e.constant - tape_.entries[static_cast<std::size_t>(before)].constant);
          break;
        }
        case Kind::join:
          arc(index, r, e.a, r, 0.0);
          arc(index, r, e.b, r, e.constant);
          break;
        case Kind::pair:
          arc(index, r, e.a, r, 0.0);
          arc(index, r, e.a, program_.target(e.way, r), 0.0);
          break;
        case Kind::arrive:
          arc(index, r, e.a, r, 0.0);
          arc(index, r, e.a, program_.source(e.way, r), 0.0);
          break;
        case Kind::receive:
          arc(index, r, e.a, program_.source(e.way, r), 0.0);
          break;
        case Kind::send:
          arc(index, r, e.a, program_.target(e.way, r), 0.0);
          break;
        case Kind::grant: {
          const std::uint8_t choice = tape_.choice(e, r);
          arc(index, r, choice == 0 ? e.a : tape_.kernels[e.candidates + choice - 1], r, 0.0);
          break;
        }
        case Kind::all:
          if (r == 0) meet(index, e);
          break;
      }
    }
  }

  // All ranks to all ranks, by a node between them.
  void meet(std::int64_t index, const TapeEntry& e) {
    const std::int32_t between = graph_.nodes++;
    for (std::int64_t r = 0; r < tape_.ranks(); ++r) {
      if (const auto from = origin(e.a, r)) add({from->from, between, 0.0, from->tokens}, index, r);
      add({between, node(index, r), 0.0, 0}, index, r);
    }
  }

  void arc(std::int64_t index, std::int64_t rank, TapeValue from, std::int64_t from_rank, double weight) {
    if (const auto tail = origin(from, from_rank))
      add({tail->from, node(index, rank), weight, tail->tokens}, index, rank);
  }

  // Where an arc from a value comes from, and its tokens; nothing for values from before the loop.
  [[nodiscard]] std::optional<CycleArc> origin(std::int64_t value, std::int64_t rank) const {
    if (value < loop_first_) return std::nullopt;
    std::int32_t tokens = 0;
    for (; value < window_.first; value += window_.length) ++tokens;
    return CycleArc{node(value, rank), 0, 0.0, tokens};
  }
  [[nodiscard]] std::int32_t node(std::int64_t value, std::int64_t rank) const {
    return static_cast<std::int32_t>((value - window_.first) * tape_.ranks() + rank);
  }
  void add(const CycleArc& arc, std::int64_t index, std::int64_t rank) {
    graph_.arcs.push_back(arc);
    graph_.entry_of_arc.push_back(static_cast<std::int32_t>(index));
    graph_.rank_of_arc.push_back(rank);
  }

  const Tape& tape_;
  const Program& program_;
  OperationDurations& durations_;
  Window window_;
  std::int64_t loop_first_;
  PeriodicGraph graph_;
};

}  // namespace

std::optional<PeriodicGraph> periodic_graph(const Tape& tape, const Program& program, OperationDurations& durations,
                                            std::size_t loop, std::string& why_not) {
  std::vector<TapeMark> marks;
  std::vector<std::size_t> masks;
  for (const TapeMark& mark : tape.marks) {
    if (mark.loop != loop) continue;
    marks.push_back(mark);
    masks.push_back(program.mask_of_layer[static_cast<std::size_t>(mark.index)]);
  }
  const auto count = static_cast<std::int64_t>(marks.size());
  const std::int64_t layers = mask_period(masks);
  const auto at = [&](std::int64_t iteration) { return marks[static_cast<std::size_t>(iteration)].first; };
  // Two periods before the last iteration, which may lead out of the loop; the first one begins from rest.
  if (count < 2 * layers + 1) {
    why_not = fmt::format("a loop over {} layer{} is over before it settles; {} or more would show what it settles to",
                          count, count == 1 ? "" : "s", 2 * layers + 1);
    return std::nullopt;
  }
  std::optional<PeriodicGraph> graph;
  for (std::int64_t period = layers; 2 * period + 1 <= count && period <= 8 * layers; period += layers) {
    const std::int64_t last = count - 1;
    const Window window{at(last - period), at(last) - at(last - period)};
    const std::int64_t before = at(last - 2 * period);
    if (window.first - before != window.length || !same_entries(tape, window.first, before, window.length, at(0))) {
      why_not = "the iterations of the loop over layers are not alike";
      return std::nullopt;
    }
    const bool repeat = same_choices(tape, window.first, before, window.length);
    const bool largest = 2 * (period + layers) + 1 > count || period + layers > 8 * layers;
    if (!repeat && !largest) continue;
    if (window.length * tape.ranks() > most_graph_nodes) {
      why_not = fmt::format("a period of {} operations on {} ranks is too large a graph", window.length, tape.ranks());
      return std::nullopt;
    }
    graph = Building(tape, program, durations, window, at(0)).run();
    graph->iterations = period;
    graph->loop = loop;
    graph->choices_repeat = repeat;
    return graph;
  }
  return graph;
}

}  // namespace ringsim::sim
