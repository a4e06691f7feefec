#include "sim/critical/path_times.hpp"

#include <algorithm>

namespace ringsim::sim {

std::string_view name_of(TimePart part) {
  switch (part) {
    case TimePart::attention:
      return "attention";
    case TimePart::products:
      return "products";
    case TimePart::memory:
      return "memory";
    case TimePart::merge:
      return "merge";
    case TimePart::imbalance:
      return "imbalance";
    case TimePart::slow_ranks:
      return "slow-ranks";
    case TimePart::transfer:
      return "transfer";
    case TimePart::latency:
      return "latency";
    case TimePart::overhead:
      return "overhead";
    case TimePart::padding:
      return "padding";
    case TimePart::other:
      break;
  }
  return "other";
}

void Segments::add(const TapeEntry& entry, const Instruction* instruction, std::int64_t rank, double seconds) {
  if (seconds == 0) return;
  const auto stage = static_cast<std::int64_t>(entry.role);
  if (segments_.empty() || segments_.back().rank != rank || segments_.back().stage != stage) {
    PathSegment next;
    next.rank = rank;
    next.stage = stage;
    next.first_layer = next.last_layer = -1;
    segments_.push_back(next);
  }
  PathSegment& s = segments_.back();
  s.until_s += seconds;  // take() makes moments of lengths
  ++s.operations;
  ++operations_;
  if (instruction == nullptr) {
    s.other_s += seconds;
    return;
  }
  if (entry.kind == TapeEntry::Kind::hop) {
    s.transfer_s += seconds;
    ++s.hops;
  } else if (instruction->attend != nullptr) {
    s.attention_s += seconds;
  } else if (instruction->merge != nullptr) {
    s.merge_s += seconds;
  } else if (instruction->timed->dense != nullptr) {
    s.dense_s += seconds;
  } else {
    s.transfer_s += seconds;
  }
  if (instruction->timed) return;  // what stands around the layers and between stages has none
  if (s.last_layer < 0 || backwards_) {
    s.first_layer = entry.layer;
    s.first_step = entry.step;
  }
  if (s.last_layer < 0 || !backwards_) {
    s.last_layer = entry.layer;
    s.last_step = entry.step;
  }
}

std::vector<PathSegment> Segments::take() {
  if (backwards_) std::reverse(segments_.begin(), segments_.end());
  double now_s = 0;
  for (PathSegment& s : segments_) {
    s.from_s = now_s;
    now_s += s.until_s;
    s.until_s = now_s;
  }
  return std::move(segments_);
}

void PathTimes::add(const TapeEntry& entry, std::span<const PathPart> parts, DurationGradients& gradients) {
  using Kind = TapeEntry::Kind;
  const bool operation = entry.kind == Kind::work || entry.kind == Kind::hop;
  const bool constant = entry.kind == Kind::issue || (entry.kind == Kind::join && entry.constant != 0);
  if (!operation && !constant) return;
  const Eigen::ArrayXXd& g = gradients.of(entry);
  if (along_.size() == 0) along_.setZero(g.rows());
  for (const PathPart& part : parts) along_ += part.weight * g.col(part.rank);
  if (constant) {
    for (const PathPart& part : parts) {
      const double seconds = part.weight * entry.constant;
      times_[{TimePart::overhead, entry.kind == Kind::issue ? "the host issues operations" : "events on their way"}] +=
          seconds;
      ranks_[{entry.role, part.rank}] += seconds;
      total_s_ += seconds;
      segments_.add(entry, nullptr, part.rank, seconds);
    }
    return;
  }
  const Instruction& instruction = gradients.actual().instruction(entry);
  for (const PathPart& part : parts) {
    const double seconds = part.weight * gradients.actual().of(entry)[part.rank];
    if (seconds == 0) continue;
    ranks_[{entry.role, part.rank}] += seconds;
    total_s_ += seconds;
    segments_.add(entry, &instruction, part.rank, seconds);
    split(entry, part, seconds, g, gradients);
  }
}

void PathTimes::split(const TapeEntry& entry, const PathPart& part, double seconds, const Eigen::ArrayXXd& g,
                      DurationGradients& gradients) {
  const Instruction& instruction = gradients.actual().instruction(entry);
  double left = seconds;
  Key main{TimePart::other, "not linear in any rate"};
  double most = 0;
  std::vector<std::pair<Key, double>> parts;
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    const Parameter& p = parameters_[k];
    if (!is_part_of_time(p)) continue;
    const double of_it = part.weight * g(static_cast<Eigen::Index>(k), part.rank);
    if (of_it == 0) continue;
    Key key;
    switch (p.kind) {
      case ParameterKind::attention_forward:
        key = instruction.timed ? Key{TimePart::products, "products on the way of memory passes"}
                                : Key{TimePart::attention, "attention kernels, forward"};
        break;
      case ParameterKind::attention_backward:
        key = {TimePart::attention, "attention kernels, backward"};
        break;
      case ParameterKind::products:
        key = {TimePart::products, "matrix products"};
        break;
      case ParameterKind::memory:
        key = {TimePart::memory, "passes over memory"};
        break;
      case ParameterKind::merge:
        key = {TimePart::merge, "merging partial results"};
        break;
      case ParameterKind::launch:
        key = {TimePart::overhead, "launching kernels"};
        break;
      case ParameterKind::bandwidth:
        key = {TimePart::transfer, "transfer over " + p.link_class};
        break;
      case ParameterKind::latency:
        key = {TimePart::latency, "latency of " + p.link_class};
        break;
      default:
        continue;
    }
    left -= of_it;
    if (of_it > most) {
      most = of_it;
      main = key;
    }
    parts.emplace_back(std::move(key), of_it);
  }
  for (const auto& [key, of_it] : parts) times_[key] += of_it;
  // Differences of durations leave some rounding; what is more than that is something.
  if (std::abs(left) > 1e-8 * std::abs(seconds)) {
    times_[{TimePart::other, "not linear in any rate"}] += left;
  } else {
    times_[main] += left;
  }
  // Out of the main part: what this rank has to do more than the mean, and what it is slower than it should be.
  const double actual = gradients.actual().of(entry)[part.rank];
  const Eigen::ArrayXd& fair = gradients.fair().of(entry);
  const double slow = part.weight * (actual - fair[part.rank]);
  if (slow != 0) {
    times_[{TimePart::slow_ranks, "slow ranks and random times"}] += slow;
    times_[main] -= slow;
  }
  const bool computes = instruction.attend != nullptr || instruction.merge != nullptr ||
                        (instruction.timed && instruction.timed->dense != nullptr);
  const double over = part.weight * (fair[part.rank] - fair.mean());
  if (computes && std::abs(over) > 1e-12 * std::abs(seconds)) {
    times_[{TimePart::imbalance, "more work than the mean of the ranks"}] += over;
    times_[main] -= over;
  }
}

std::vector<TimeShare> PathTimes::shares(double makespan_s, double padded) const {
  std::vector<TimeShare> all;
  double padding_s = 0;
  for (const auto& [key, seconds] : times_) {
    const bool of_tokens = key.first == TimePart::attention || key.first == TimePart::products ||
                           key.first == TimePart::memory || key.first == TimePart::merge;
    const double filled_s = of_tokens ? padded * seconds : 0.0;
    padding_s += filled_s;
    all.push_back({key.first, key.second, seconds - filled_s, (seconds - filled_s) / makespan_s});
  }
  if (padding_s > 0)
    all.push_back({TimePart::padding, "tokens that fill documents up", padding_s, padding_s / makespan_s});
  std::stable_sort(all.begin(), all.end(),
                   [](const TimeShare& a, const TimeShare& b) { return a.seconds > b.seconds; });
  return all;
}

std::vector<RankOnPath> PathTimes::ranks() const {
  std::vector<RankOnPath> all;
  all.reserve(ranks_.size());
  for (const auto& [place, seconds] : ranks_) all.push_back({place.second, place.first, seconds});
  std::stable_sort(all.begin(), all.end(),
                   [](const RankOnPath& a, const RankOnPath& b) { return a.seconds > b.seconds; });
  return all;
}

}  // namespace ringsim::sim
