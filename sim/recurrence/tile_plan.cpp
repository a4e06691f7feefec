#include "sim/recurrence/tile_plan.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <utility>

namespace ringsim::sim {
namespace {

using Code = Instruction::Code;

// Values are written once: those before the block are numbered 0 ... entries - 1, that of operation i is entries + i.
class Planning {
 public:
  Planning(const LoweredLoop& loop, const TileNames& names, std::size_t streams, std::span<const int> before)
      : loop_(loop), names_(names), streams_(streams), value_(before.begin(), before.end()) {
    for (const int v : before) entries_ = std::max(entries_, v + 1);
  }

  TilePlan run(std::int64_t first, std::int64_t steps) {
    for (std::int64_t i = 0; i < steps; ++i) {
      for (const Instruction* instruction : loop_.straight) issue(*instruction, first + i * loop_.increment, i);
    }
    count_uses();
    join_kernels();
    join_meetings();
    list_passes();
    reach_back();
    place();
    return std::move(plan_);
  }

 private:
  struct Operation {
    enum class Kind { maximum, add, hop } kind = Kind::maximum;
    int a = -1;
    int b = -1;  // of a maximum
    const HopTimes* hops = nullptr;
    int kernels = 0;
    std::array<TileKernel, 2> kernel{};
    int first_use = -1;  // operation
    int uses = 0;
    bool joined = false;  // part of another one's pass
    int hop = -1;         // of a maximum: operation whose pass it shares
    int add = -1;
  };

  // What the instructions mean.
  int& named(std::size_t name) {
    const auto at = std::lower_bound(names_.begin(), names_.end(), name);
    return value_[static_cast<std::size_t>(at - names_.begin())];
  }
  int& stream(const Instruction& i) { return named(i.stream); }
  int& event(const EventIndex& e, std::int64_t index) { return named(streams_ + e.at(index)); }

  void issue(const Instruction& i, std::int64_t index, std::int64_t step) {
    switch (i.code) {
      case Code::record:
        event(i.event, index) = stream(i);
        break;
      case Code::wait:
        if (const int awaited = event(i.event, index); awaited != TilePlan::none) {
          stream(i) = maximum(stream(i), awaited);
        }
        break;
      case Code::compute: {
        Operation add{Operation::Kind::add, stream(i)};
        add.kernels = 1;
        add.kernel[0] = {&i, step};
        const int end = append(add);
        if (!i.meets) {
          stream(i) = end;
          break;
        }
        const int awaited = event(i.awaited, index);
        event(i.recorded, index) = end;
        stream(i) = maximum(end, awaited);
        break;
      }
      case Code::shift: {
        Operation hop{Operation::Kind::hop, stream(i)};
        hop.hops = i.hops.get();
        stream(i) = append(hop);
        break;
      }
      case Code::timed:  // the caller has excluded it
        break;
    }
  }

  int append(const Operation& operation) {
    operations_.push_back(operation);
    return entries_ + static_cast<int>(operations_.size()) - 1;
  }
  Operation* made(int value) {
    return value < entries_ ? nullptr : &operations_[static_cast<std::size_t>(value - entries_)];
  }

  // Nothing takes a negative time, and rounding keeps order: what comes after b is no earlier than b.
  bool after(int a, int b, int depth = 4) {
    if (a == b) return true;
    const Operation* o = made(a);
    if (o == nullptr || depth == 0) return false;
    return after(o->a, b, depth - 1) || (o->kind == Operation::Kind::maximum && after(o->b, b, depth - 1));
  }

  int maximum(int a, int b) {
    if (after(a, b)) return a;
    if (after(b, a)) return b;
    const auto [known, is_new] = maxima_.try_emplace(std::minmax(a, b), 0);
    if (is_new) known->second = append({Operation::Kind::maximum, a, b});
    return known->second;
  }

  // Which operations are passes of their own.
  void count_uses() {
    const auto held = [&](int v) { return std::find(value_.begin(), value_.end(), v) != value_.end(); };
    for (std::size_t i = operations_.size(); i-- > 0;) {
      Operation& o = operations_[i];
      o.joined = o.uses == 0 && !held(entries_ + static_cast<int>(i));  // nobody needs it
      if (o.joined) continue;
      for (const int v : {o.a, o.b}) {
        Operation* of = v < 0 ? nullptr : made(v);
        if (of == nullptr) continue;
        ++of->uses;
        of->first_use = static_cast<int>(i);
      }
    }
    for (const int v : value_) {
      if (Operation* of = v < 0 ? nullptr : made(v)) ++of->uses;  // it is needed after the block
    }
  }

  // f + w + v is one pass where nobody needs f + w.
  void join_kernels() {
    for (Operation& o : operations_) {
      if (o.joined || o.kind != Operation::Kind::add) continue;
      Operation* first = made(o.a);
      if (first == nullptr || first->kind != Operation::Kind::add || first->uses != 1 || first->kernels != 1) continue;
      first->joined = true;
      o.kernel[1] = o.kernel[0];
      o.kernel[0] = first->kernel[0];
      o.kernels = 2;
      o.a = first->a;
    }
  }

  // A maximum takes along the hops and the kernel that it waits for, unless something needs them before.
  void join_meetings() {
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      Operation& o = operations_[i];
      if (o.joined || o.kind != Operation::Kind::maximum) continue;
      for (const int v : {o.a, o.b}) {
        Operation* of = made(v);
        if (of == nullptr || of->joined || of->first_use < static_cast<int>(i)) continue;
        int* part = of->kind == Operation::Kind::hop ? &o.hop : of->kind == Operation::Kind::add ? &o.add : nullptr;
        if (part == nullptr || *part >= 0) continue;
        *part = v - entries_;
        of->joined = true;
      }
    }
  }

  void list_passes() {
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const Operation& o = operations_[i];
      if (o.joined) continue;
      TilePass pass;
      const int value = entries_ + static_cast<int>(i);
      const Operation* hop = o.kind == Operation::Kind::hop ? &o : o.hop < 0 ? nullptr : &operations_[index(o.hop)];
      const Operation* add = o.kind == Operation::Kind::add ? &o : o.add < 0 ? nullptr : &operations_[index(o.add)];
      if (hop != nullptr) {
        pass.posted = hop->a;
        pass.hops = hop->hops;
      }
      if (add != nullptr) {
        pass.from = add->a;
        pass.kernels = add->kernels;
        pass.kernel = add->kernel;
      }
      switch (o.kind) {
        case Operation::Kind::hop:
          pass.x = value;
          break;
        case Operation::Kind::add:
          pass.c = value;
          break;
        case Operation::Kind::maximum: {
          pass.met = value;
          const int of_hop = o.hop < 0 ? -1 : entries_ + o.hop;
          const int of_add = o.add < 0 ? -1 : entries_ + o.add;
          // A pass writes both of its parts or none.
          const bool keeps = (hop != nullptr && hop->uses > 1) || (add != nullptr && add->uses > 1);
          if (hop != nullptr && keeps) pass.x = of_hop;
          if (add != nullptr && keeps) pass.c = of_add;
          for (const int v : {o.a, o.b}) {
            if (v == of_hop || v == of_add) continue;
            (hop == nullptr && pass.other < 0 ? pass.other : pass.from) = v;
          }
          break;
        }
      }
      plan_.passes.push_back(pass);
    }
  }

  // The ranks at which every value must be right: a hop looks one further.
  void reach_back() {
    std::vector<std::int64_t> reach(index(entries_) + operations_.size(), -1);
    const auto ask = [&](int value, std::int64_t ranks) {
      if (value >= 0) reach[index(value)] = std::max(reach[index(value)], ranks);
    };
    for (const int v : value_) ask(v, 0);
    for (std::size_t i = plan_.passes.size(); i-- > 0;) {
      TilePass& pass = plan_.passes[i];
      for (const int v : {pass.x, pass.c, pass.met}) {
        if (v >= 0) pass.reach = std::max(pass.reach, reach[index(v)]);
      }
      ask(pass.posted, pass.reach + 1);
      ask(pass.other, pass.reach);
      ask(pass.from, pass.reach);
    }
    plan_.reach = *std::max_element(reach.begin(), reach.end());
  }

  // Values become buffers, which are used again as soon as nobody needs what is in them: the last one first, it is in the cache.
  void place() {
    const std::size_t values = index(entries_) + operations_.size();
    const int never = static_cast<int>(plan_.passes.size());
    std::vector<int> last(values, -1);  // pass that reads it
    for (int i = 0; i < never; ++i) {
      const TilePass& pass = plan_.passes[index(i)];
      for (const int v : {pass.posted, pass.other, pass.from}) {
        if (v >= 0) last[index(v)] = i;
      }
    }
    for (const int v : value_) {
      if (v >= entries_) last[index(v)] = never;
    }
    std::vector<int> buffer(values, -1);
    std::vector<int> unused;
    const auto give = [&](int value) {
      if (unused.empty()) unused.push_back(plan_.buffers++);
      buffer[index(value)] = unused.back();
      unused.pop_back();
    };
    for (int v = 0; v < entries_; ++v) {
      if (last[index(v)] < 0) continue;
      give(v);
      plan_.reads.push_back({v, buffer[index(v)]});
    }
    std::set<int> hot;
    for (int i = 0; i < never; ++i) {
      TilePass& pass = plan_.passes[index(i)];
      std::vector<int> unneeded;
      const std::array<int, 3> read{pass.posted, pass.other, pass.from};
      for (int* v : {&pass.x, &pass.c, &pass.met}) {
        if (*v < 0) continue;
        give(*v);
        if (last[index(*v)] < 0) unneeded.push_back(buffer[index(*v)]);
        *v = buffer[index(*v)];
      }
      for (int* v : {&pass.posted, &pass.other, &pass.from}) {
        if (*v < 0) continue;
        *v = buffer[index(*v)];
        assert(*v >= 0);  // an earlier pass has written it
      }
      unused.insert(unused.end(), unneeded.begin(), unneeded.end());
      for (const int v : read) {
        if (v < 0 || last[index(v)] != i) continue;
        unused.push_back(buffer[index(v)]);
        last[index(v)] = -1;  // read twice, given back once
      }
      if (i >= never / 3 && i < never - never / 3) {
        for (const int b : {pass.posted, pass.other, pass.from, pass.x, pass.c, pass.met}) hot.insert(b);
      }
      if (pass.hops == nullptr || pass.hops->alike) continue;
      if (std::find(plan_.hops.begin(), plan_.hops.end(), pass.hops) == plan_.hops.end()) {
        plan_.hops.push_back(pass.hops);
      }
    }
    hot.erase(-1);
    plan_.hot = static_cast<int>(hot.size());
    std::map<int, int> number;  // of values that become new vectors
    for (const int v : value_) {
      if (v < entries_) {
        plan_.after.push_back(v);
        continue;
      }
      const auto [known, is_new] = number.try_emplace(v, static_cast<int>(plan_.writes.size()));
      if (is_new) plan_.writes.push_back({known->second, buffer[index(v)]});
      plan_.after.push_back(~known->second);
    }
  }

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  const LoweredLoop& loop_;
  const TileNames& names_;
  const std::size_t streams_;
  std::vector<int> value_;  // by name, at the step that is being read; in the end: after the block
  int entries_ = 0;
  std::vector<Operation> operations_;
  std::map<std::pair<int, int>, int> maxima_;
  TilePlan plan_;
};

}  // namespace

TileNames names_of(const LoweredLoop& loop, std::size_t streams) {
  std::set<std::size_t> names;
  const auto add = [&](const EventIndex& e) {
    for (std::int64_t i = 0; i < e.count; ++i) names.insert(streams + e.base + static_cast<std::size_t>(i));
  };
  for (const Instruction* i : loop.straight) {
    names.insert(i->stream);
    if (i->code == Code::record || i->code == Code::wait) add(i->event);
    if (i->code == Code::compute && i->meets) {
      add(i->recorded);
      add(i->awaited);
    }
  }
  return {names.begin(), names.end()};
}

TilePlan plan_tile(const LoweredLoop& loop, const TileNames& names, std::size_t streams, std::span<const int> before,
                   std::int64_t first, std::int64_t steps) {
  return Planning(loop, names, streams, before).run(first, steps);
}

}  // namespace ringsim::sim
