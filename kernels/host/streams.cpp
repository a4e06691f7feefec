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
  void issue(const sim::Shift& shift) {
    const auto is_gradient = [](const sim::ShiftItem& item) { return item.lag != 0; };
    if (std::any_of(shift.items.begin(), shift.items.end(), is_gradient)) gradient_step_ = step_;
    append(shift.stream, &shift);
  }
  void issue(const sim::Dense&) { refuse("dense work"); }
  void issue(const sim::Collective&) { refuse("collectives"); }
  void issue(const sim::Send&) { refuse("sends between pipeline stages"); }
  [[noreturn]] static void refuse(const char* what) {
    throw Error(std::string("a program with ") + what + " is not executed for real", "parallel", "a ring alone");
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
      if (attend != nullptr) {
        gradient_step_ = 0;
        append(attend->stream, LayerBegin{attend->pass});
      }
      body(repeat.body);
      if (attend != nullptr) {
        append(attend->stream, LayerEnd{attend->pass});
        list_.instructions.back().step = gradient_step_;
      }
    }
    index = outer;
  }

  IssueList& list_;
  std::map<EventKey, std::size_t> latest_;
  std::int64_t layer_ = 0;
  std::int64_t step_ = 0;
  std::int64_t gradient_step_ = 0;
};

// Splitmix64 (Steele, Lea, Flood 2014): the same order from a seed everywhere.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111eb;
  return z ^ (z >> 31U);
}

// How far every rank has come on every stream.
class Progress {
 public:
  Progress(const IssueList& list, std::int64_t ranks, OrderChoice choice)
      : list_(list), choice_(choice), ranks_(static_cast<std::size_t>(ranks)), shifts_(list.stream.size()) {
    for (auto& rank : ranks_) rank.resize(list.stream.size());
    for (const Instruction& instruction : list.instructions) {
      if (std::holds_alternative<const sim::Shift*>(instruction.what)) shifts_[instruction.stream] = true;
    }
  }

  void run(const Actions& actions) {
    // Issue order is always allowed, so nothing is enabled only at the end.
    for (std::vector<Candidate> candidates = enabled(); !candidates.empty(); candidates = enabled()) {
      const Candidate& next = choose(candidates);
      const Instruction& instruction = list_.instructions[next.instruction];
      if (std::holds_alternative<const sim::Shift*>(instruction.what)) {
        actions.hop(static_cast<std::int64_t>(next.rank), instruction);
        finish_hop(next.rank, instruction.stream);
      } else {
        if (!std::holds_alternative<Recorded>(instruction.what) && !std::holds_alternative<WaitFor>(instruction.what)) {
          actions.run(static_cast<std::int64_t>(next.rank), instruction);
        }
        ++ranks_[next.rank][instruction.stream].position;
      }
    }
  }

 private:
  struct StreamState {
    std::size_t position = 0;
    bool sent = false;  // of the Shift at this position
    bool received = false;
  };
  struct Candidate {
    std::size_t instruction = 0;
    std::size_t rank = 0;
  };

  [[nodiscard]] std::size_t after(std::size_t rank) const { return (rank + 1) % ranks_.size(); }

  [[nodiscard]] bool may_run(std::size_t rank, const Instruction& instruction) const {
    if (const auto* wait = std::get_if<WaitFor>(&instruction.what)) {
      if (!wait->record) return true;
      const Instruction& record = list_.instructions[*wait->record];
      return ranks_[rank][record.stream].position > record.position;
    }
    if (std::holds_alternative<const sim::Shift*>(instruction.what)) {
      const std::size_t s = instruction.stream;
      return !ranks_[rank][s].sent && ranks_[after(rank)][s].position == ranks_[rank][s].position;
    }
    return true;
  }

  [[nodiscard]] std::vector<Candidate> enabled() const {
    std::vector<Candidate> candidates;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      for (std::size_t s = 0; s < list_.stream.size(); ++s) {
        const std::size_t position = ranks_[rank][s].position;
        if (position == list_.stream[s].size()) continue;
        const std::size_t instruction = list_.stream[s][position];
        if (may_run(rank, list_.instructions[instruction])) candidates.push_back({instruction, rank});
      }
    }
    return candidates;
  }

  [[nodiscard]] const Candidate& choose(const std::vector<Candidate>& candidates) {
    if (choice_.order == Order::random) return candidates[next_random(choice_.seed) % candidates.size()];
    const auto before = [this](const Candidate& a, const Candidate& b) {
      return std::tuple(turn(a), a.instruction, a.rank) < std::tuple(turn(b), b.instruction, b.rank);
    };
    return *std::min_element(candidates.begin(), candidates.end(), before);
  }
  [[nodiscard]] int turn(const Candidate& candidate) const {
    const bool transfers = shifts_[list_.instructions[candidate.instruction].stream];
    switch (choice_.order) {
      case Order::transfers_first:
        return transfers ? 0 : 1;
      case Order::transfers_last:
        return transfers ? 1 : 0;
      default:
        return 0;
    }
  }

  // The operation ends on a rank when both of its hops have ended.
  void finish_hop(std::size_t sender, std::size_t stream) {
    ranks_[sender][stream].sent = true;
    ranks_[after(sender)][stream].received = true;
    for (const std::size_t rank : std::array{sender, after(sender)}) {
      StreamState& state = ranks_[rank][stream];
      if (state.sent && state.received) state = {state.position + 1, false, false};
    }
  }

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

void run_in_order(const IssueList& list, std::int64_t ranks, OrderChoice choice, const Actions& actions) {
  Progress(list, ranks, choice).run(actions);
}

}  // namespace ringsim::host
