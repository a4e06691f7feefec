#include "sim/traffic.hpp"

#include "sim/spans.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace ringsim::sim {
namespace {

using Key = std::pair<std::string, std::string>;  // name, link class

class Traffic {
 public:
  Traffic(const Machine& machine) : machine_(machine) {}

  void add(const PhaseProgram& phase) {
    const Program& program = phase.program;
    // Executions of an operation differ in step and layer; what they send differs by layer's kind at most, but for uneven blocks.
    for_each_execution(program.body, [&](const Operation& operation, std::int64_t layer, std::int64_t step) {
      if (const auto* shift = std::get_if<Shift>(&operation.what)) hop(program, *shift, step, phase.times);
      if (const auto* c = std::get_if<Collective>(&operation.what)) {
        collective(program, program.traffic[of_kind(c->traffic, program, layer)], program.role_of(c->stream),
                   phase.times);
      }
      if (const auto* send = std::get_if<Send>(&operation.what)) sent(program, *send, phase.times);
    });
  }

  std::vector<TrafficSummary> take(std::span<const TotalsObserver::Spent> collectives) {
    std::vector<TrafficSummary> all;
    for (auto& [key, by_role] : rows_) {
      // Roles are other GPUs: the one that sends most speaks for all.
      auto most = std::max_element(by_role.begin(), by_role.end(), [](const auto& a, const auto& b) {
        return a.second.bytes_per_rank < b.second.bytes_per_rank;
      });
      TrafficSummary& row = most->second;
      for (const TotalsObserver::Spent& spent : collectives) {
        if (spent.name == row.name) row.seconds = spent.seconds;
      }
      all.push_back(std::move(row));
    }
    std::stable_sort(all.begin(), all.end(), [](const TrafficSummary& a, const TrafficSummary& b) {
      return a.bytes_per_rank > b.bytes_per_rank;
    });
    return all;
  }

 private:
  TrafficSummary& row(const std::string& name, const std::string& link_class, std::size_t role) {
    TrafficSummary& found = rows_[{name, link_class}][role];
    found.name = name;
    found.link_class = link_class;
    return found;
  }

  void hop(const Program& program, const Shift& shift, std::int64_t step, double times) {
    for (const Way way : {Way::up, Way::down, Way::inner, Way::outer}) {
      const Bytes size = program.sent(shift, way, step, 0);  // rank 0's blocks are the largest
      if (size <= Bytes{}) continue;
      const HopCosts& hops = way == Way::down || way == Way::outer ? machine_.second_hops : machine_.hops;
      const std::size_t slowest = slowest_hop(hops, size);
      TrafficSummary& to = row(shift_name(program, shift), hops[slowest].link_class, program.role_of(shift.stream));
      to.kind = "hop";
      to.inter_node = hops[slowest].inter_node;
      to.times += times;
      to.bytes_per_rank += times * in_bytes(size);
      to.seconds += times * in_seconds(CostModel::hop(hops[slowest], size));
    }
  }

  void collective(const Program& program, const CollectiveTraffic& what, std::size_t role, double times) {
    for (const LinkTraffic& link : machine_.collectives.traffic(what.kind, what.group, program.size_of(what, 0))) {
      TrafficSummary& to = row(what.name, link.link_class, role);
      to.kind = name_of(what.kind);
      to.group = name_of(what.group);
      to.inter_node = link.inter_node;
      to.times += times;
      to.bytes_per_rank += times * in_bytes(link.bytes);
    }
  }

  void sent(const Program& program, const Send& send, double times) {
    const std::size_t from = program.role_of(send.stream);
    const HopCost& hop = machine_.sends.at((from + 1) % program.roles.size() == send.to_role ? from : send.to_role);
    const Bytes size = send.bytes_per_token * static_cast<double>(program.shards.largest_block());
    TrafficSummary& to = row(send.name, hop.link_class, from);
    to.kind = "send";
    to.inter_node = hop.inter_node;
    to.times += times;
    to.bytes_per_rank += times * in_bytes(size);
  }

  const Machine& machine_;
  std::map<Key, std::map<std::size_t, TrafficSummary>> rows_;
};

}  // namespace

std::vector<TrafficSummary> traffic_of(std::span<const PhaseProgram> phases, const Machine& machine,
                                       std::span<const TotalsObserver::Spent> collectives) {
  Traffic traffic(machine);
  for (const PhaseProgram& phase : phases) traffic.add(phase);
  return traffic.take(collectives);
}

}  // namespace ringsim::sim
