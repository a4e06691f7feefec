#pragma once
// Spans for people and trace viewers: what a window of the run looks like, operation by operation.

#include "sim/program.hpp"
#include "sim/timeline_window.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::sim {

enum class SpanKind { attention, merge, transfer, dense, collective };

/// Whose hops a transfer takes: those that go up or inside an inner ring, those that go down or between inner rings, or both.
enum class HopsTaken { first, second, both };

/// One operation of one rank. For a transfer: the rank's grouped send-receive, from the moment that it holds its
/// resources and is posted until both of its hops have ended; `flight_start_s` is when its own outgoing hop started.
struct Span {
  std::int64_t rank = 0;
  SpanKind kind = SpanKind::attention;
  std::string name;  // "attend", "merge O", "shift K/V", ...; of dense work and collectives their own
  std::int64_t layer = 0;
  std::int64_t step = 0;
  double start_s = 0;
  double end_s = 0;
  // transfers and collectives only
  std::int64_t peer = -1;     // rank it sends to
  double bytes = 0;           // that it sends
  double flight_start_s = 0;  // outgoing hop, in flight
  double flight_end_s = 0;
  bool computes = false;  // a collective on the stream that computes
  HopsTaken hops = HopsTaken::first;
};

struct Timeline {
  std::vector<Span> spans;  // by start within an operation, operations in program order
  std::int64_t ranks = 0;
  std::int64_t ranks_shown = 0;  // so many of them, where the window cuts
  bool truncated = false;        // the run was longer than the window
  TimelineWindow window = whole_run();
  RunExtent of;  // the run; layers and steps are 0 where they are not known
  /// Of the links of every ring rank's outgoing hops; empty: not known.
  std::vector<std::string> link_classes = {};
  std::vector<std::string> second_link_classes = {};

  /// Whether the run had more than is here.
  [[nodiscard]] bool cut() const { return truncated || ranks_shown < ranks; }
};

/// What spans of an operation are called: "attend", "attend backward"; "merge O", "add dQ", "add dK/dV"; "shift K/V".
[[nodiscard]] std::string attention_name(Pass pass);
[[nodiscard]] std::string merge_name(Accumulator accumulator);
[[nodiscard]] std::string shift_name(const Program& program, const Shift& shift);

}  // namespace ringsim::sim
