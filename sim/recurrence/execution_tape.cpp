// What a tape is told. A tape is of one lane, whose rank 0 is at position 0.
#include "models/error.hpp"
#include "sim/recurrence/execution.hpp"

#include <algorithm>

namespace ringsim::sim {

using Kind = TapeEntry::Kind;

void RecurrenceEngine::Execution::tape_ready(Handle made) {
  const TapeValue value = tape_->add({.kind = Kind::ready, .role = static_cast<std::uint32_t>(tape_->starts.size())});
  tape_->starts.push_back(value);
  registers_.name(made, value);
}

void RecurrenceEngine::Execution::tape_after(Kind kind, Handle made, Handle from, const Instruction& instruction,
                                             std::int64_t layer, std::int64_t step, Way way) {
  registers_.name(made, tape_->add({.kind = kind,
                                    .way = way,
                                    .a = registers_.value(from),
                                    .instruction = instruction.number,
                                    .layer = static_cast<std::int32_t>(layer),
                                    .step = static_cast<std::int32_t>(step),
                                    .role = static_cast<std::uint32_t>(program_.role_of(instruction.stream))}));
}

TapeValue RecurrenceEngine::Execution::tape_join(TapeValue a, const double* of_a, TapeValue b, const double* of_b,
                                                 double late) {
  TapeEntry entry{.kind = Kind::join, .a = a, .b = b, .role = static_cast<std::uint32_t>(role_), .constant = late};
  std::uint8_t* sides = tape_->choose(entry);
  for (std::int64_t r = 0; r < tape_->ranks(); ++r) {
    sides[r] = static_cast<std::uint8_t>(larger_of(of_a[r], of_b[r] + late));
  }
  return tape_->add(entry);
}

void RecurrenceEngine::Execution::tape_neighbours(Kind kind, Handle made, Handle of, Way way) {
  TapeEntry entry{.kind = kind, .way = way, .a = registers_.value(of)};
  std::uint8_t* sides = tape_->choose(entry);
  const double* times = registers_.at(of);
  for (std::int64_t r = 0; r < tape_->ranks(); ++r) {
    const std::int64_t other = kind == Kind::pair ? program_.target(way, r) : program_.source(way, r);
    sides[r] = static_cast<std::uint8_t>(larger_of(times[r], times[other]));
  }
  registers_.name(made, tape_->add(entry));
}

TapeValue RecurrenceEngine::Execution::tape_through(Kind kind, TapeValue of) {
  return tape_->add({.kind = kind, .way = Way::up, .a = of});
}

// As time_ways: every way's hops, and the last of all that go out and come in.
void RecurrenceEngine::Execution::tape_ways(const PendingShift& shift, Handle posted, Handle made) {
  const auto n = static_cast<std::size_t>(tape_->ranks());
  const double* ready = registers_.at(posted);
  std::vector<double> last(n), end(n), in_end(n);
  TapeValue value = no_value;
  const Handle start = registers_.acquire();
  const Handle ended = registers_.acquire();
  const auto fold = [&](TapeValue one, const std::vector<double>& times) {
    value = value == no_value ? one : tape_join(value, last.data(), one, times.data());
    for (std::size_t r = 0; r < n; ++r) last[r] = std::max(last[r], times[r]);
  };
  for (const std::shared_ptr<HopTimes>& way : shift.instruction->ways) {
    const Eigen::ArrayXd& seconds = times_.hops(*shift.instruction, *way, shift.layer, shift.step);
    for (std::size_t r = 0; r < n; ++r) {
      const auto to = static_cast<std::size_t>(program_.target(way->way, static_cast<std::int64_t>(r)));
      end[r] = std::max(ready[r], ready[to]) + seconds[static_cast<Eigen::Index>(r)];
      in_end[to] = end[r];
    }
    tape_neighbours(Kind::pair, start, posted, way->way);
    tape_after(Kind::hop, ended, start, *shift.instruction, shift.layer, shift.step, way->way);
    const TapeValue out = registers_.value(ended);
    fold(out, end);
    fold(tape_->add({.kind = Kind::receive, .way = way->way, .a = out}), in_end);
  }
  registers_.release(start);
  registers_.release(ended);
  registers_.name(made, value);
}

void RecurrenceEngine::Execution::tape_all(Handle made, Handle of, const double* times) {
  TapeEntry entry{.kind = Kind::all, .a = registers_.value(of)};
  std::uint8_t* sides = tape_->choose(entry);
  const double last = *std::max_element(times, times + tape_->ranks());
  for (std::int64_t r = 0; r < tape_->ranks(); ++r) sides[r] = larger_of(times[r], last) == Larger::both ? 1 : 0;
  registers_.name(made, tape_->add(entry));
}

void RecurrenceEngine::Execution::tape_grant(Handle made, Handle request) {
  TapeEntry entry{.kind = Kind::grant, .a = registers_.value(request), .candidates = tape_->kernels.size()};
  std::uint8_t* choices = tape_->choose(entry);
  const double* asked = registers_.at(request);
  const double* given = registers_.at(made);
  constexpr std::size_t most = 255;
  if (log_.size() > most) throw Error("more than 255 kernels that a transfer may wait for", "ring.buffers", "2 or 3");
  for (std::size_t i = 0; i < log_.size(); ++i) tape_->kernels.push_back(registers_.value(log_.end(i)));
  for (std::int64_t r = 0; r < tape_->ranks(); ++r) {
    choices[r] = 0;
    if (given[r] == asked[r]) continue;
    for (std::size_t i = 0; i < log_.size(); ++i) {
      if (registers_.at(log_.end(i))[r] == given[r]) choices[r] = static_cast<std::uint8_t>(i + 1);
    }
  }
  registers_.name(made, tape_->add(entry));
}

void RecurrenceEngine::Execution::tape_issue(Handle made, std::size_t role) {
  registers_.name(made, tape_->add({.kind = Kind::issue,
                                    .a = registers_.value(ready_[role]),
                                    .role = static_cast<std::uint32_t>(role),
                                    .constant = host_s_[role]}));
}

// rate_sharing.hpp: with b = max(s, h),  o = max(0, min((x - b)/ψ, (e - b)/φ)),  e' = e + (1 - φ) o,  x' = x + (1 - ψ) o.
void RecurrenceEngine::Execution::tape_beside(const double* start, const double* alone, TapeValue start_value,
                                              Handle kernel, RateShares shares) {
  const auto n = static_cast<Eigen::Index>(tape_->ranks());
  const TapeValue alone_value = registers_.value(kernel);
  // Operands: e, x, s, h.
  LinearStep of_kernel{{alone_value, flight_end_, start_value, flight_start_}, Eigen::ArrayX4d::Zero(n, 4)};
  LinearStep of_hop = of_kernel;
  bool meet = false;
  for (Eigen::Index r = 0; r < n; ++r) {
    of_kernel.coefficients(r, 0) = 1.0;
    of_hop.coefficients(r, 1) = 1.0;
    const double hop_start = flight_->start()[r];
    const double both = std::max(start[r], hop_start);
    const double of_hop_s = (flight_->end()[r] - both) / shares.transfer;
    const double of_kernel_s = (alone[r] - both) / shares.compute;
    if (std::min(of_hop_s, of_kernel_s) <= 0) continue;
    meet = true;
    const bool hop_ends = of_hop_s <= of_kernel_s;
    // Of two that start at the same time the one that ends first: what it has left is its whole duration.
    const Larger later = larger_of(start[r], hop_start);
    const bool kernel_later = later == Larger::first || (later == Larger::both && !hop_ends);
    const double rate = hop_ends ? shares.transfer : shares.compute;
    for (auto [line, share] : {std::pair{&of_kernel, shares.compute}, std::pair{&of_hop, shares.transfer}}) {
      const double slope = (1.0 - share) / rate;
      line->coefficients(r, hop_ends ? 1 : 0) += slope;
      line->coefficients(r, kernel_later ? 2 : 3) -= slope;
    }
  }
  if (!meet) return;
  const auto add = [&](LinearStep&& line) {
    tape_->lines.push_back(std::move(line));
    return tape_->add({.kind = Kind::beside, .detail = tape_->lines.size() - 1});
  };
  const TapeValue kernel_value = add(std::move(of_kernel));
  flight_end_ = add(std::move(of_hop));
  registers_.name(kernel, kernel_value);
}

// OpenOperations::lengthen goes through the operations of the compute stream one after the other. A kernel moves with the end of the one
// before:  after' = after + before' - before,  and then meets the hop.
void RecurrenceEngine::Execution::tape_lengthened(const OpenOperation& operation, const Eigen::ArrayXd& late) {
  const TapeValue was = registers_.value(operation.after);
  if (operation.awaited != Registers::none) {
    registers_.name(operation.after, tape_join(registers_.value(operation.before), registers_.at(operation.before),
                                               registers_.value(operation.awaited), registers_.at(operation.awaited)));
  } else {
    if ((late != 0.0).any() && tape_before_ != no_value) {
      LinearStep moved{{was, registers_.value(operation.before), tape_before_, no_value},
                       Eigen::ArrayX4d::Zero(static_cast<Eigen::Index>(tape_->ranks()), 4)};
      moved.coefficients.col(0) = 1.0;
      moved.coefficients.col(1) = 1.0;
      moved.coefficients.col(2) = -1.0;
      tape_->lines.push_back(std::move(moved));
      registers_.name(operation.after, tape_->add({.kind = Kind::beside, .detail = tape_->lines.size() - 1}));
    }
    tape_beside(registers_.at(operation.before), registers_.at(operation.after), registers_.value(operation.before),
                operation.after, operation.shares);
  }
  tape_before_ = was;
}

void RecurrenceEngine::Execution::tape_ends() {
  for (std::size_t role = 0; role < program_.roles.size(); ++role) {
    tape_->ends.push_back(registers_.value(streams_[program_.compute_stream(role)].time));
  }
}

}  // namespace ringsim::sim
