#include "sim/recurrence/lowering.hpp"

#include <algorithm>

namespace ringsim::sim {
namespace {

class Lowering {
 public:
  Lowering(const Program& program, std::span<const Lane> lanes, LaneLayout layout)
      : program_(program), lanes_(lanes), layout_(layout), machine_(*lanes.front().machine) {
    // Every family of events gets as many slots as its widest use.
    std::vector<std::int64_t> width(program.events.size(), 1);
    for_each_operation(program.body, [&](const Operation& operation) {
      if (const auto* r = std::get_if<Record>(&operation.what)) widen(width, r->event);
      if (const auto* w = std::get_if<Wait>(&operation.what)) widen(width, w->event);
    });
    for (const std::int64_t w : width) {
      base_.push_back(events_);
      events_ += static_cast<std::size_t>(w);
    }
  }

  Lowered run() {
    Lowered lowered;
    std::vector<std::size_t> place;
    lowered.body = body(program_.body, &place);
    for (const TaskMark& task : program_.tasks) lowered.tasks.push_back(place.at(task.operation));
    lowered.streams = program_.streams.size();
    lowered.events = events_;
    return lowered;
  }

 private:
  static void widen(std::vector<std::int64_t>& width, const Event& event) {
    width[event.family] = std::max(width[event.family], event.count);
  }
  EventIndex index(const Event& event) const { return {base_[event.family], event.offset, event.count}; }

  // One cost table a mask; layers of one mask share it.
  std::vector<std::shared_ptr<StepCosts>> costs(ComputeOperation operation) const {
    std::vector<std::shared_ptr<StepCosts>> tables;
    for (std::size_t mask = 0; mask < program_.masks.size(); ++mask) {
      const auto layer = std::find(program_.mask_of_layer.begin(), program_.mask_of_layer.end(), mask);
      tables.push_back(
          std::make_shared<StepCosts>(program_, machine_, operation, layer - program_.mask_of_layer.begin()));
    }
    return tables;
  }

  std::shared_ptr<HopTimes> hop_times(const Shift& shift, Way way) const {
    auto times = std::make_shared<HopTimes>();
    times->way = way;
    times->every_step_alike = program_.shards.even();
    times->per_hop.setZero(layout_.extent());  // the guards, too
    fill_hop_times(program_, lanes_, layout_, shift, 0, *times);
    times->seconds = times->per_hop[0];
    times->alike = times->every_step_alike;
    for (std::int64_t l = 0; l < layout_.lanes(); ++l) {
      const auto own = times->per_hop.segment(layout_.first(l), layout_.ranks());
      times->alike = times->alike && (own == times->seconds).all();
    }
    return times;
  }

  // Ranks differ in the sizes of their blocks alone.
  template <class Seconds>
  std::vector<SegmentCost> by_block(const Seconds& seconds) const {
    std::vector<SegmentCost> segments;
    for (std::int64_t r = 0; r < program_.ring(); ++r) {
      if (r > 0 && program_.shards.block(r) == program_.shards.block(r - 1)) {
        segments.back().end = r + 1;
      } else {
        segments.push_back({r, r + 1, in_seconds(seconds(r)), false});
      }
    }
    return segments;
  }

  std::shared_ptr<Timed> timed(const Dense& dense) const {
    auto timed = std::make_shared<Timed>();
    timed->dense = &dense;
    timed->amounts = dense.work;
    const auto sequences = static_cast<double>(program_.shape.heads.batch);
    for (const std::size_t work : dense.work) {
      timed->seconds.push_back(by_block([&](std::int64_t r) {
        return machine_.dense.time(program_.dense[work], static_cast<double>(program_.shards.block(r)), sequences);
      }));
    }
    return timed;
  }
  std::shared_ptr<Timed> timed(const Collective& collective) const {
    auto timed = std::make_shared<Timed>();
    timed->collective = &collective;
    timed->amounts = collective.traffic;
    for (const std::size_t index : collective.traffic) {
      const CollectiveTraffic& what = program_.traffic[index];
      const bool of_ring = what.group == Group::ring || what.group == Group::context || what.group == Group::gradient;
      timed->meets = timed->meets || (of_ring && program_.ring() > 1);
      // Members of one group have blocks of different sizes: the largest one's counts.
      timed->seconds.push_back(by_block([&](std::int64_t r) {
        return machine_.collectives.time(what.kind, what.group, program_.size_of(what, of_ring ? 0 : r));
      }));
    }
    return timed;
  }
  std::shared_ptr<Timed> timed(const Send& send) const {
    auto timed = std::make_shared<Timed>();
    timed->send = &send;
    timed->amounts = {0};
    // Both directions between two stages take the same links.
    const std::size_t from = program_.role_of(send.stream);
    const std::size_t roles = program_.roles.size();
    const std::size_t link = (from + 1) % roles == send.to_role ? from : send.to_role;
    timed->seconds.push_back(by_block([&](std::int64_t r) {
      return CostModel::hop(machine_.sends.at(link),
                            send.bytes_per_token * static_cast<double>(program_.shards.block(r)));
    }));
    return timed;
  }

  // Up alone is the usual ring: its hops are views of one vector.
  static bool goes_up_alone(const Shift& shift) {
    return std::all_of(shift.items.begin(), shift.items.end(),
                       [](const ShiftItem& item) { return item.way == Way::up; });
  }
  std::vector<std::shared_ptr<HopTimes>> hop_times_by_way(const Shift& shift) const {
    std::vector<std::shared_ptr<HopTimes>> ways;
    for (const Way way : {Way::up, Way::down, Way::inner, Way::outer}) {
      const auto goes = [way](const ShiftItem& item) { return item.way == way; };
      if (std::any_of(shift.items.begin(), shift.items.end(), goes)) ways.push_back(hop_times(shift, way));
    }
    return ways;
  }

  // `place`: where every operation's node is, or would be.
  std::vector<LoweredNode> body(const std::vector<Operation>& operations, std::vector<std::size_t>* place = nullptr) {
    std::vector<LoweredNode> nodes;
    for (const Operation& operation : operations) {
      if (place != nullptr) place->push_back(nodes.size());
      if (const auto* repeat = std::get_if<Repeat>(&operation.what)) {
        auto loop = std::make_unique<LoweredLoop>();
        *loop = {repeat->loop, repeat->first, repeat->count, repeat->downwards ? -1 : 1, body(repeat->body)};
        loop->straight = straight(loop->body);
        nodes.emplace_back(std::move(loop));
        continue;
      }
      Instruction instruction;
      instruction.number = numbers_++;
      if (const auto* record = std::get_if<Record>(&operation.what)) {
        instruction.code = Instruction::Code::record;
        instruction.stream = record->stream;
        instruction.event = index(record->event);
      } else if (const auto* wait = std::get_if<Wait>(&operation.what)) {
        instruction.code = Instruction::Code::wait;
        instruction.stream = wait->stream;
        instruction.event = index(wait->event);
      } else if (const auto* shift = std::get_if<Shift>(&operation.what)) {
        instruction.code = Instruction::Code::shift;
        instruction.stream = shift->stream;
        instruction.shift = shift;
        if (goes_up_alone(*shift)) {
          instruction.hops = hop_times(*shift, Way::up);
        } else {
          instruction.ways = hop_times_by_way(*shift);
        }
      } else if (const auto* dense = std::get_if<Dense>(&operation.what)) {
        instruction.code = Instruction::Code::timed;
        instruction.stream = dense->stream;
        instruction.timed = timed(*dense);
      } else if (const auto* collective = std::get_if<Collective>(&operation.what)) {
        instruction.code = Instruction::Code::timed;
        instruction.stream = collective->stream;
        instruction.timed = timed(*collective);
      } else if (const auto* send = std::get_if<Send>(&operation.what)) {
        instruction.code = Instruction::Code::timed;
        instruction.stream = send->stream;
        instruction.timed = timed(*send);
      } else {
        instruction.code = Instruction::Code::compute;
        instruction.attend = std::get_if<Attend>(&operation.what);
        instruction.merge = std::get_if<Merge>(&operation.what);
        instruction.stream = instruction.merge != nullptr ? instruction.merge->stream : instruction.attend->stream;
        if (instruction.merge != nullptr && machine_.costs.profile().merge_traffic.value <= 0)
          continue;  // merging is free
        instruction.costs = costs({instruction.attend, instruction.merge});
      }
      nodes.emplace_back(std::move(instruction));
    }
    join_meetings(nodes);
    return nodes;
  }

  static std::vector<const Instruction*> straight(const std::vector<LoweredNode>& nodes) {
    std::vector<const Instruction*> list;
    for (const LoweredNode& node : nodes) {
      const auto* instruction = std::get_if<Instruction>(&node);
      if (instruction == nullptr) return {};
      if (!instruction->covered) list.push_back(instruction);
    }
    return list;
  }

  static bool recorded_before(const std::vector<LoweredNode>& nodes, std::size_t end, const EventIndex& event) {
    return std::any_of(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(end), [&](const LoweredNode& node) {
      const auto* record = std::get_if<Instruction>(&node);
      return record != nullptr && record->code == Instruction::Code::record && record->event.base == event.base &&
             record->event.offset == event.offset && record->event.count == event.count;
    });
  }

  static void join_meetings(std::vector<LoweredNode>& nodes) {
    using Code = Instruction::Code;
    for (std::size_t i = 0; i + 2 < nodes.size(); ++i) {
      auto* compute = std::get_if<Instruction>(&nodes[i]);
      auto* record = std::get_if<Instruction>(&nodes[i + 1]);
      auto* wait = std::get_if<Instruction>(&nodes[i + 2]);
      if (compute == nullptr || record == nullptr || wait == nullptr) continue;
      if (compute->code != Code::compute || record->code != Code::record || wait->code != Code::wait) continue;
      if (record->stream != compute->stream || wait->stream != compute->stream) continue;
      if (!recorded_before(nodes, i, wait->event)) continue;  // the wait must have something to wait for
      compute->meets = record->covered = wait->covered = true;
      compute->recorded = record->event;
      compute->awaited = wait->event;
    }
  }

  const Program& program_;
  std::span<const Lane> lanes_;
  LaneLayout layout_;
  const Machine& machine_;
  std::vector<std::size_t> base_;
  std::size_t events_ = 0;
  std::int32_t numbers_ = 0;
};

}  // namespace

Lowered lower(const Program& program, std::span<const Lane> lanes, LaneLayout layout) {
  return Lowering(program, lanes, layout).run();
}

void fill_hop_times(const Program& program, std::span<const Lane> lanes, LaneLayout layout, const Shift& shift,
                    std::int64_t step, HopTimes& times) {
  for (std::int64_t l = 0; l < layout.lanes(); ++l) {
    const Machine* machine = lanes[static_cast<std::size_t>(l)].machine;
    auto own = times.per_hop.segment(layout.first(l), layout.ranks());
    // Replicas of a ring are on one machine: its hops are timed once.
    const auto known =
        std::find_if(lanes.begin(), lanes.begin() + l, [&](const Lane& k) { return k.machine == machine; });
    if (const std::int64_t k = known - lanes.begin(); k < l) {
      own = times.per_hop.segment(layout.first(k), layout.ranks());
      continue;
    }
    const bool second = times.way == Way::down || times.way == Way::outer;
    const HopCosts& hops = second ? machine->second_hops : machine->hops;
    for (std::int64_t r = 0; r < layout.ranks(); ++r) {
      own[r] =
          in_seconds(CostModel::hop(hops.at(static_cast<std::size_t>(r)), program.sent(shift, times.way, step, r)));
    }
  }
}

}  // namespace ringsim::sim
