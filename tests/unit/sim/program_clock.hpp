#pragma once
// When the streams of a program of one ring rank end, by the meaning of streams and events alone; and amounts that a program
// comes to. For programs whose operations take times that a test chooses.

#include "sim/program.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <variant>
#include <vector>

namespace ringsim::sim::programs {

struct Clock {
  double makespan = 0;
  std::size_t waits_for_nothing = 0;  // waits for an event that nothing above them has recorded
};

/// Runs the program: `seconds` of an Attend, Merge, Dense, Collective, Send or Shift.
inline Clock run(const Program& program, const std::function<double(const Operation&, std::int64_t layer)>& seconds) {
  std::vector<double> streams(program.streams.size(), 0.0);
  std::map<std::pair<std::size_t, std::int64_t>, double> events;
  Clock clock;
  for_each_execution(program.body, [&](const Operation& operation, std::int64_t layer, std::int64_t step) {
    std::visit(
        [&](const auto& what) {
          using What = std::decay_t<decltype(what)>;
          if constexpr (std::is_same_v<What, Record> || std::is_same_v<What, Wait>) {
            const std::pair key{what.event.family, (step + what.event.offset) % what.event.count};
            if constexpr (std::is_same_v<What, Record>) {
              events[key] = streams[what.stream];
            } else if (const auto known = events.find(key); known != events.end()) {
              streams[what.stream] = std::max(streams[what.stream], known->second);
            } else {
              ++clock.waits_for_nothing;
            }
          } else if constexpr (!std::is_same_v<What, Repeat>) {
            streams[what.stream] += seconds(operation, layer);
          }
        },
        operation.what);
  });
  clock.makespan = *std::max_element(streams.begin(), streams.end());
  return clock;
}

/// FLOP of dense work of all ring ranks, or of decode attention, which is dense work, too.
inline double dense_flop(const Program& program) {
  double total = 0;
  for_each_execution(program.body, [&](const Operation& operation, std::int64_t layer, std::int64_t) {
    const auto* dense = std::get_if<Dense>(&operation.what);
    if (dense == nullptr) return;
    const DenseWork& work = program.dense[of_kind(dense->work, program, layer)];
    for (std::int64_t r = 0; r < program.ring(); ++r) {
      total += in_flop(
          flop_of(work, static_cast<double>(program.shards.block(r)), static_cast<double>(program.shape.heads.batch)));
    }
  });
  return total;
}

/// Sizes of the collectives of a kind and group that rank 0 takes part in, added up; and how many they are.
struct Collected {
  double bytes = 0;
  std::int64_t times = 0;
};
inline Collected collected(const Program& program, CollectiveKind kind, Group group) {
  Collected all;
  for_each_execution(program.body, [&](const Operation& operation, std::int64_t layer, std::int64_t) {
    const auto* collective = std::get_if<Collective>(&operation.what);
    if (collective == nullptr) return;
    const CollectiveTraffic& traffic = program.traffic[of_kind(collective->traffic, program, layer)];
    if (traffic.kind != kind || traffic.group != group) return;
    all.bytes += in_bytes(program.size_of(traffic, 0));
    ++all.times;
  });
  return all;
}

}  // namespace ringsim::sim::programs
