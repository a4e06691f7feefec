#include "kernels/host/streams.hpp"

#include "models/error.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace ringsim::host {
namespace {

const sim::Attend* first_attend(const std::vector<sim::Operation>& body) {
  for (const sim::Operation& operation : body) {
    if (const auto* attend = std::get_if<sim::Attend>(&operation.what)) return attend;
    if (const auto* repeat = std::get_if<sim::Repeat>(&operation.what)) {
      if (const sim::Attend* attend = first_attend(repeat->body)) return attend;
    }
  }
  return nullptr;
}

class Issuer {
 public:
  explicit Issuer(IssueList& list) : list_(list) {}

  void body(const std::vector<sim::Operation>& operations) {
    for (const sim::Operation& operation : operations) {
      std::visit([this](const auto& o) { issue(o); }, operation.what);
    }
  }

 private:
  using EventKey = std::pair<std::size_t, std::int64_t>;  // family, index

  template <class What>
  void append(sim::StreamId stream, What what) {
    std::vector<std::size_t>& queue = list_.stream[stream];
    list_.instructions.push_back({what, stream, layer_, step_, queue.size()});
    queue.push_back(list_.instructions.size() - 1);
  }
  [[nodiscard]] EventKey key(const sim::Event& event) const {
    const std::int64_t index = (step_ + event.offset) % event.count;
    return {event.family, index < 0 ? index + event.count : index};
  }

  void issue(const sim::Attend& attend) { append(attend.stream, &attend); }
  void issue(const sim::Merge& merge) { append(merge.stream, &merge); }
  void issue(const sim::Shift& shift) { append(shift.stream, &shift); }
  void issue(const sim::Collective& collective) {
    if (collective.content == sim::Content::other) refuse("collectives outside of attention");
    append(collective.stream, &collective);
  }
  void issue(const sim::Dense&) { refuse("dense work"); }
  void issue(const sim::Send&) { refuse("sends between pipeline stages"); }
  [[noreturn]] static void refuse(const char* what) {
    throw Error(std::string("a program with ") + what + " is not executed for real", "workload.scope", "attention");
  }
  void issue(const sim::Record& record) {
    append(record.stream, Recorded{});
    latest_[key(record.event)] = list_.instructions.size() - 1;
  }
  void issue(const sim::Wait& wait) {
    const auto record = latest_.find(key(wait.event));
    append(wait.stream, record == latest_.end() ? WaitFor{} : WaitFor{record->second});
  }
  void issue(const sim::Repeat& repeat) {
    std::int64_t& index = repeat.loop == sim::Loop::layer ? layer_ : step_;
    const std::int64_t outer = index;
    const sim::Attend* attend = repeat.loop == sim::Loop::layer ? first_attend(repeat.body) : nullptr;
    for (std::int64_t i = 0; i < repeat.count; ++i) {
      index = repeat.downwards ? repeat.first - i : repeat.first + i;
      if (attend != nullptr) append(attend->stream, LayerBegin{attend->pass});
      body(repeat.body);
      if (attend != nullptr) append(attend->stream, LayerEnd{attend->pass});
    }
    index = outer;
  }

  IssueList& list_;
  std::map<EventKey, std::size_t> latest_;
  std::int64_t layer_ = 0;
  std::int64_t step_ = 0;
};

// Splitmix64 (Steele, Lea, Flood 2014): the same order from a seed everywhere.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111eb;
  return z ^ (z >> 31U);
}

constexpr std::array<sim::Way, 4> all_ways = {sim::Way::up, sim::Way::down, sim::Way::inner, sim::Way::outer};

// Ways as bits.
using Ways = unsigned;
Ways bit(sim::Way way) { return 1U << static_cast<unsigned>(way); }

// How far every rank has come on every stream.
class Progress {
 public:
  Progress(const sim::Program& program, const IssueList& list, OrderChoice choice)
      : program_(program),
        list_(list),
        choice_(choice),
        ranks_(static_cast<std::size_t>(program.ring() * program.ulysses)),
        shifts_(list.stream.size()) {
    for (auto& rank : ranks_) rank.resize(list.stream.size());
    for (const Instruction& instruction : list.instructions) {
      if (std::holds_alternative<const sim::Shift*>(instruction.what)) shifts_[instruction.stream] = true;
    }
  }

  void run(const Actions& actions) {
    // Issue order is always allowed, so nothing is enabled only at the end.
    for (std::vector<Candidate> candidates = enabled(); !candidates.empty(); candidates = enabled()) {
      const Candidate next = choose(candidates);
      const Instruction& instruction = list_.instructions[next.instruction];
      if (std::holds_alternative<const sim::Shift*>(instruction.what)) {
        actions.hop(next.rank, target(next.rank, next.way), next.way, instruction);
        finish_hop(next, instruction);
      } else if (const auto* collective = std::get_if<const sim::Collective*>(&instruction.what)) {
        const std::vector<std::size_t> members = this->members(next.rank, **collective, instruction.layer);
        actions.collective(members, instruction);
        for (const std::size_t member : members) ++ranks_[member][instruction.stream].position;
      } else {
        if (!std::holds_alternative<Recorded>(instruction.what) && !std::holds_alternative<WaitFor>(instruction.what)) {
          actions.run(next.rank, instruction);
        }
        ++ranks_[next.rank][instruction.stream].position;
      }
    }
  }

 private:
  struct StreamState {
    std::size_t position = 0;
    Ways sent = 0;  // of the Shift at this position
    Ways received = 0;
  };
  struct Candidate {
    std::size_t instruction = 0;
    std::size_t rank = 0;
    sim::Way way = sim::Way::up;  // of a hop
  };

  [[nodiscard]] std::size_t target(std::size_t rank, sim::Way way) const {
    const auto ulysses = static_cast<std::size_t>(program_.ulysses);
    const std::int64_t to = program_.target(way, static_cast<std::int64_t>(rank / ulysses));
    return static_cast<std::size_t>(to) * ulysses + rank % ulysses;
  }
  [[nodiscard]] std::vector<std::size_t> members(std::size_t rank, const sim::Collective& collective,
                                                 std::int64_t layer) const {
    const Group group = program_.traffic[sim::of_kind(collective.traffic, program_, layer)].group;
    const auto ulysses = static_cast<std::size_t>(program_.ulysses);
    std::vector<std::size_t> all;
    for (std::size_t other = 0; other < ranks_.size(); ++other) {
      const bool same_place = other % ulysses == rank % ulysses;
      const bool same_block = other / ulysses == rank / ulysses;
      if (group == Group::ring ? same_place : same_block) all.push_back(other);
    }
    return all;
  }
  static Ways ways_of(const sim::Shift& shift) {
    Ways ways = 0;
    for (const sim::ShiftItem& item : shift.items) ways |= bit(item.way);
    return ways;
  }

  void add_hops(std::vector<Candidate>& candidates, std::size_t rank, std::size_t index) const {
    const Instruction& instruction = list_.instructions[index];
    const Ways ways = ways_of(*std::get<const sim::Shift*>(instruction.what));
    const std::size_t s = instruction.stream;
    for (const sim::Way way : all_ways) {
      if ((ways & bit(way)) == 0 || (ranks_[rank][s].sent & bit(way)) != 0) continue;
      if (ranks_[target(rank, way)][s].position == ranks_[rank][s].position) candidates.push_back({index, rank, way});
    }
  }
  // A collective is the first member's turn.
  [[nodiscard]] bool all_there(std::size_t rank, const Instruction& instruction) const {
    const auto& collective = *std::get<const sim::Collective*>(instruction.what);
    const std::vector<std::size_t> all = members(rank, collective, instruction.layer);
    return all.front() == rank && std::all_of(all.begin(), all.end(), [&](std::size_t member) {
             return ranks_[member][instruction.stream].position == instruction.position;
           });
  }
  [[nodiscard]] bool passes(std::size_t rank, const WaitFor& wait) const {
    if (!wait.record) return true;
    const Instruction& record = list_.instructions[*wait.record];
    return ranks_[rank][record.stream].position > record.position;
  }

  [[nodiscard]] std::vector<Candidate> enabled() const {
    std::vector<Candidate> candidates;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      for (std::size_t s = 0; s < list_.stream.size(); ++s) {
        const std::size_t position = ranks_[rank][s].position;
        if (position == list_.stream[s].size()) continue;
        const std::size_t index = list_.stream[s][position];
        const Instruction& instruction = list_.instructions[index];
        const auto* wait = std::get_if<WaitFor>(&instruction.what);
        if (std::holds_alternative<const sim::Shift*>(instruction.what)) {
          add_hops(candidates, rank, index);
        } else if (std::holds_alternative<const sim::Collective*>(instruction.what)) {
          if (all_there(rank, instruction)) candidates.push_back({index, rank});
        } else if (wait == nullptr || passes(rank, *wait)) {
          candidates.push_back({index, rank});
        }
      }
    }
    return candidates;
  }

  [[nodiscard]] const Candidate& choose(const std::vector<Candidate>& candidates) {
    if (choice_.order == Order::random) return candidates[next_random(choice_.seed) % candidates.size()];
    const auto before = [this](const Candidate& a, const Candidate& b) {
      return std::tuple(turn(a), a.instruction, a.rank, a.way) < std::tuple(turn(b), b.instruction, b.rank, b.way);
    };
    return *std::min_element(candidates.begin(), candidates.end(), before);
  }
  [[nodiscard]] int turn(const Candidate& candidate) const {
    const sim::StreamId stream = list_.instructions[candidate.instruction].stream;
    const int transfers = shifts_[stream] ? 1 + static_cast<int>(stream) : 0;
    switch (choice_.order) {
      case Order::transfers_first:
        return -transfers;
      case Order::transfers_last:
        return transfers;
      default:
        return 0;
    }
  }

  // The operation ends on a rank when all of its hops, out and in, have ended.
  void finish_hop(const Candidate& hop, const Instruction& instruction) {
    const std::size_t stream = instruction.stream;
    const std::size_t receiver = target(hop.rank, hop.way);
    const Ways ways = ways_of(*std::get<const sim::Shift*>(instruction.what));
    ranks_[hop.rank][stream].sent |= bit(hop.way);
    ranks_[receiver][stream].received |= bit(hop.way);
    for (const std::size_t rank : std::array{hop.rank, receiver}) {
      StreamState& state = ranks_[rank][stream];
      if (state.sent == ways && state.received == ways) state = {state.position + 1, 0, 0};
    }
  }

  const sim::Program& program_;
  const IssueList& list_;
  OrderChoice choice_;
  std::vector<std::vector<StreamState>> ranks_;
  std::vector<bool> shifts_;  // per stream
};

}  // namespace

IssueList issue_list(const sim::Program& program) {
  IssueList list;
  list.stream.resize(program.streams.size());
  Issuer(list).body(program.body);
  return list;
}

sim::StreamId compute_stream(const IssueList& list) {
  std::optional<sim::StreamId> stream;
  for (const Instruction& instruction : list.instructions) {
    if (!std::holds_alternative<const sim::Attend*>(instruction.what)) continue;
    if (stream && *stream != instruction.stream) throw Error("attention runs on more than one stream", "program");
    stream = instruction.stream;
  }
  if (!stream) throw Error("no attention runs", "program");
  return *stream;
}

void run_in_order(const sim::Program& program, const IssueList& list, OrderChoice choice, const Actions& actions) {
  Progress(program, list, choice).run(actions);
}

}  // namespace ringsim::host
