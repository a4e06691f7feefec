#include "sim/hop_use.hpp"

namespace ringsim::sim {
namespace {

constexpr std::array<std::array<Way, 2>, 2> ways_of_hop = {{{Way::up, Way::inner}, {Way::down, Way::outer}}};

std::size_t hop_of(Way way) { return way == Way::up || way == Way::inner ? 0 : 1; }

void add_totals(std::vector<HopTotals>& to, const std::vector<HopTotals>& from, double times) {
  if (from.empty()) return;
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    to[i].bytes += times * from[i].bytes;
    to[i].in_flight_s += times * from[i].in_flight_s;
  }
}

/// What a rank sends over one of its hops.
Bytes sent_over(const Program& program, const Shift& shift, std::size_t hop, std::int64_t step, std::int64_t rank) {
  Bytes total;
  for (const Way way : ways_of_hop[hop]) total += program.sent(shift, way, step, rank);
  return total;
}

}  // namespace

void HopUsage::add(const HopUsage& other, double times) {
  add_totals(first, other.first, times);
  add_totals(second, other.second, times);
}

HopUseObserver::HopUseObserver(const Program& program) : program_(program) {
  for (Eigen::ArrayXd& one : in_flight_) {
    one.setZero(program.ring() * static_cast<Eigen::Index>(program.roles.size()));
  }
}

void HopUseObserver::on_transfer(const TransferEvent& event) {
  ++counted_[{event.role, event.shift}].by_step[event.step];
  std::array<bool, 2> goes{};
  for (const ShiftItem& item : event.shift->items) goes[hop_of(item.way)] = true;
  for (std::size_t hop = 0; hop < goes.size(); ++hop) {
    if (!goes[hop]) continue;
    travels_[hop] = true;
    in_flight_[hop].segment(static_cast<Eigen::Index>(event.role) * program_.ring(), program_.ring()) +=
        event.hop_end - event.hop_start;
  }
}

HopUsage HopUseObserver::usage() const {
  HopUsage usage;
  const std::int64_t ranks = program_.ring();
  for (std::size_t hop = 0; hop < travels_.size(); ++hop) {
    if (!travels_[hop]) continue;
    std::vector<HopTotals>& totals = hop == 0 ? usage.first : usage.second;
    totals.resize(static_cast<std::size_t>(in_flight_[hop].size()));
    for (std::size_t i = 0; i < totals.size(); ++i)
      totals[i].in_flight_s = in_flight_[hop][static_cast<Eigen::Index>(i)];
    for (const auto& [key, counted] : counted_) {
      const auto& [role, shift] = key;
      HopTotals* of_role = &totals[role * static_cast<std::size_t>(ranks)];
      for (const auto& [step, times] : counted.by_step) {
        // Blocks of one size: all ranks send alike.
        const Bytes alike = sent_over(program_, *shift, hop, step, 0);
        for (std::int64_t r = 0; r < ranks; ++r) {
          const Bytes size = program_.shards.even() ? alike : sent_over(program_, *shift, hop, step, r);
          of_role[r].bytes += static_cast<double>(times) * in_bytes(size);
        }
      }
    }
  }
  return usage;
}

std::vector<HopUse> hop_use_of(const HopUsage& usage, const Program& program, const Machine& machine,
                               double makespan_s) {
  std::vector<HopUse> all;
  const auto ranks = static_cast<std::size_t>(program.ring());
  const bool two_level = program.inner > 1;
  const auto add = [&](const std::vector<HopTotals>& totals, const HopCosts& hops, Way way, bool second) {
    for (std::size_t i = 0; i < totals.size(); ++i) {
      const auto place = static_cast<std::int64_t>(i % ranks);
      const HopCost& cost = hops[i % ranks];
      HopUse use;
      use.rank = static_cast<std::int64_t>(i);
      use.to_rank = static_cast<std::int64_t>(i) - place + program.target(way, place);
      use.second = second;
      use.link_class = cost.link_class;
      use.inter_node = cost.inter_node;
      use.nominal_bytes_per_s = in_bytes_per_second(cost.nominal);
      use.bytes = totals[i].bytes;
      use.in_flight_s = totals[i].in_flight_s;
      use.share = use.in_flight_s / makespan_s;
      use.bytes_per_s = use.in_flight_s > 0 ? use.bytes / use.in_flight_s : 0;
      all.push_back(std::move(use));
    }
  };
  add(usage.first, machine.hops, two_level ? Way::inner : Way::up, false);
  add(usage.second, machine.second_hops, two_level ? Way::outer : Way::down, true);
  return all;
}

}  // namespace ringsim::sim
