#include "sim/extrapolation.hpp"

#include "sim/phrases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

namespace ringsim::sim {
namespace {

// Smallest and largest of what was seen.
struct Seen {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

// Of the two ends the one that is off by the larger factor, if either is outside.
std::optional<double> furthest_outside(const Seen& seen, const Range& range) {
  const double above = seen.most / range.high;
  const double below = range.low / seen.least;
  if (above <= 1.0 && below <= 1.0) return std::nullopt;
  return above >= below ? seen.most : seen.least;
}

std::string tokens(double v) { return phrases::count(static_cast<std::int64_t>(v)); }

// Even blocks without a window: what a kernel does depends on whether the travelling block is the rank's own, stands before it or
// after it alone, and the second step has ranks of the two latter kinds. Else every step may have kernels of its own.
std::int64_t steps_that_differ(const Shards& shards, const Mask& mask) {
  return shards.even() && !mask.window ? std::min<std::int64_t>(2, shards.ring()) : shards.ring();
}

struct Kernels {
  Seen rows, columns;
};
Kernels kernels_of(const RingSpec& spec, bool backward) {
  std::set<bool> queries_travel = {false};
  if (backward) queries_travel.insert(spec.shape.backward == Rotation::q);
  Kernels kernels;
  for (const Mask& mask : spec.masks) {
    for (const bool travel : queries_travel) {
      for (std::int64_t step = 0; step < steps_that_differ(spec.shards, mask); ++step) {
        for (const WorkSegment& s : spec.shards.step_work(step, travel, mask)) {
          if (s.work.masked()) continue;
          kernels.rows.add(static_cast<double>(s.work.rows));
          kernels.columns.add(static_cast<double>(s.work.columns));
        }
      }
    }
  }
  return kernels;
}

// Bytes of the shifts' hops. Blocks differ by a token at most, so the ends are those of all-smallest and all-largest blocks.
Seen messages_of(const RingSpec& spec, bool backward, bool forward) {
  Seen sizes;
  const Program program = ring_program_of(spec, forward, backward);
  for_each_operation(program.body, [&](const Operation& operation) {
    const auto* shift = std::get_if<Shift>(&operation.what);
    if (shift == nullptr) return;
    Bytes per_token;
    for (const ShiftItem& item : shift->items) per_token += program.tensors[item.tensor].bytes_per_token;
    for (const std::int64_t rank : {std::int64_t{0}, spec.shards.ring() - 1}) {
      sizes.add(in_bytes(per_token * static_cast<double>(spec.shards.block(rank))));
    }
  });
  return sizes;
}

}  // namespace

std::vector<std::string> extrapolations(const RingSpec& spec, bool backward, const Machine& machine, bool forward) {
  const Profile& profile = machine.costs.profile();
  std::vector<std::string> texts;
  // "<what> <value><unit> is beyond what ..."
  const auto check = [&](const Seen& seen, const Range& range, std::string_view what, const auto& text,
                         std::string_view unit) {
    const std::optional<double> worst = furthest_outside(seen, range);
    if (!worst) return;
    texts.push_back(fmt::format("{} {}{} is {} what profile {} was fitted on ({} to {}): extrapolated", what,
                                text(*worst), unit, *worst > range.high ? "beyond" : "below", profile.name,
                                text(range.low), text(range.high)));
  };
  if (const auto dtype = profile.made.find("dtype");
      dtype != profile.made.end() && dtype->second != name_of(spec.shape.dtype)) {
    texts.push_back(fmt::format("profile {} was fitted on {}, the workload is {}", profile.name, dtype->second,
                                name_of(spec.shape.dtype)));
  }
  const bool knows_interference = profile.sm_kernel || profile.copy_engine;
  if (knows_interference && !machine.sharing && !machine.hops.empty()) {
    const char* known = profile.sm_kernel ? "sm-kernel" : "copy-engine";
    texts.push_back(
        fmt::format("profile {} knows what transfers by {} and kernels do to each other, not these: none is assumed",
                    profile.name, known));
  }
  if (profile.measured) {
    const AttentionRange& range = *profile.measured;
    const Kernels kernels = kernels_of(spec, backward);
    const HeadShape& heads = spec.shape.heads;
    Seen sequences_and_heads;
    sequences_and_heads.add(static_cast<double>(heads.batch * heads.query_heads));
    Seen dimension;
    dimension.add(static_cast<double>(heads.query_key_dim));
    check(kernels.rows, range.rows, "attention of", tokens, " rows");
    check(kernels.columns, range.columns, "attention over", tokens, " columns");
    check(sequences_and_heads, range.heads, "attention of", tokens, " heads");
    check(dimension, range.dims, "attention of dimension", tokens, "");
  }
  if (machine.hops.empty()) return texts;
  const Seen sizes = messages_of(spec, backward, forward);
  std::set<std::string> classes;
  for (const HopCost& hop : machine.hops.kinds()) classes.insert(hop.link_class);
  for (const std::string& link_class : classes) {
    const auto link = profile.links.find(link_class);
    if (link == profile.links.end() || !link->second.measured_bytes) continue;
    check(sizes, *link->second.measured_bytes, "a hop of", phrases::bytes, " over " + link_class);
  }
  return texts;
}

}  // namespace ringsim::sim
