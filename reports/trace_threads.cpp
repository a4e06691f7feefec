#include "reports/trace_threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace ringsim::reports {
namespace {

using sim::Span;
using sim::SpanKind;

constexpr int between_lanes = 2;    // transfers have the odd threads, collectives the even ones
constexpr int more_compute = 1000;  // the second thread of kernels

int first_thread_of(const Span& span) {
  if (span.kind == SpanKind::transfer) return transfer_thread;
  return span.kind == SpanKind::collective && !span.computes ? collective_thread : compute_thread;
}

}  // namespace

std::int64_t nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

std::vector<int> threads_of(const std::vector<Span>& spans) {
  std::vector<std::size_t> by_start(spans.size());
  std::iota(by_start.begin(), by_start.end(), std::size_t{0});
  std::sort(by_start.begin(), by_start.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(spans[a].start_s, -spans[a].end_s, a) < std::tuple(spans[b].start_s, -spans[b].end_s, b);
  });
  std::vector<int> threads(spans.size(), compute_thread);
  std::map<std::pair<std::int64_t, int>, std::vector<std::int64_t>> free_from;  // of a rank and kind, by lane [ns]
  for (const std::size_t i : by_start) {
    const Span& span = spans[i];
    const int first = first_thread_of(span);
    std::vector<std::int64_t>& lanes = free_from[{span.rank, first}];
    auto lane =
        std::find_if(lanes.begin(), lanes.end(), [&](std::int64_t free) { return free <= nanoseconds(span.start_s); });
    if (lane == lanes.end()) lane = lanes.insert(lanes.end(), 0);
    *lane = nanoseconds(span.end_s);
    const auto number = static_cast<int>(lane - lanes.begin());
    threads[i] = first + between_lanes * number;
    if (first == compute_thread && number > 0) threads[i] = more_compute + number - 1;
  }
  return threads;
}

std::string name_of_thread(int thread) {
  if (thread == compute_thread) return "compute";
  if (thread >= more_compute) return fmt::format("compute {}", thread - more_compute + 2);
  const int lane = (thread - 1) / between_lanes;
  const char* kind = (thread - 1) % between_lanes == 0 ? "transfer" : "collectives";
  return lane == 0 ? kind : fmt::format("{} {}", kind, lane + 1);
}

}  // namespace ringsim::reports
