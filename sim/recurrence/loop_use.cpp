#include "sim/recurrence/loop_use.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <variant>

namespace ringsim::sim {
namespace {

template <class T>
void sort_unique(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

class Collect {
 public:
  explicit Collect(LoopUse& use) : use_(use) {}

  void body(std::span<const LoweredNode> nodes, bool by_own_step) {
    for (const LoweredNode& node : nodes) {
      if (const auto* instruction = std::get_if<Instruction>(&node)) {
        one(*instruction, by_own_step);
      } else {
        const LoweredLoop& inner = *std::get<std::unique_ptr<LoweredLoop>>(node);
        // The steps of a loop inside start anew in every iteration.
        body(inner.body, by_own_step && inner.loop != Loop::step);
      }
    }
  }
  void finish() {
    sort_unique(use_.streams);
    sort_unique(use_.records);
    std::erase_if(use_.awaits, [&](const LoopUse::Awaited& a) {
      return std::binary_search(use_.records.begin(), use_.records.end(), a.event);
    });
  }

 private:
  template <class Visit>
  static void slots(const EventIndex& event, const Visit& visit) {
    for (std::int64_t i = 0; i < event.count; ++i) visit(event.base + static_cast<std::size_t>(i));
  }
  void one(const Instruction& what, bool by_own_step) {
    use_.streams.push_back(what.stream);
    switch (what.code) {
      case Instruction::Code::record:
        slots(what.event, [&](std::size_t e) { use_.records.push_back(e); });
        break;
      case Instruction::Code::wait:
        slots(what.event, [&](std::size_t e) { use_.awaits.push_back({e, what.stream}); });
        break;
      case Instruction::Code::compute:
        use_.pass = what.pass();
        break;
      case Instruction::Code::shift: {
        use_.pass = what.shift->pass;
        use_.steady = use_.steady && (!what.hops || what.hops->every_step_alike);
        for (const auto& way : what.ways) use_.steady = use_.steady && way->every_step_alike;
        break;
      }
      case Instruction::Code::timed:
        if (what.timed->dense != nullptr) use_.pass = what.timed->dense->pass;
        break;
    }
    if (by_own_step) use_.slots = std::lcm(use_.slots, what.event.count);
  }

  LoopUse& use_;
};

}  // namespace

LoopUse use_of(const LoweredLoop& loop) {
  LoopUse use;
  Collect collect(use);
  collect.body(loop.body, loop.loop == Loop::step);
  collect.finish();
  return use;
}

LoopUse use_of(std::span<const LoweredNode> nodes) {
  LoopUse use;
  Collect collect(use);
  collect.body(nodes, false);
  collect.finish();
  return use;
}

}  // namespace ringsim::sim
