#pragma once
// Goes through a tape backwards: by how much does the end move if one duration grows? With T the end and d_i the durations,
//
//   w_i = ∂T / ∂d_i        T = Σ w_i d_i
//
// since T is made of the durations by sums and maxima, and so is positively homogeneous of degree one in them (Euler's theorem). In a
// max-plus system every w_i is 0 or 1 and those with 1 are a critical path. Where kernels and hops slow each other down, weights
// are real numbers: the ends are linear in the durations as long as nothing changes places.
//
// Where two sides of a maximum are equal the path takes the first: the rank's own, of a wait its own stream's.

#include "sim/recurrence/tape.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ringsim::sim {

/// Weight of an entry on one rank.
struct PathPart {
  std::int64_t rank = 0;
  double weight = 0;
};

/// Weights that values of a tape are given, to be handed on to what they were made of.
class PathWeights {
 public:
  explicit PathWeights(const Tape& tape) : tape_(tape), parts_(tape.entries.size()) {}

  void add(TapeValue value, PathPart part);
  /// Calls visit(index, entry, parts) for every entry that has weights, from the last to the first. Only once.
  template <class Visit>
  void hand_back(const Visit& visit, const Program& program) {
    for (std::size_t i = parts_.size(); i-- > 0;) {
      if (parts_[i].empty()) continue;
      const std::vector<PathPart> own = std::move(parts_[i]);
      parts_[i] = {};
      visit(i, tape_.entries[i], std::span<const PathPart>(own));
      for (const PathPart& part : own) pass_on(tape_.entries[i], part, program);
    }
  }

 private:
  void pass_on(const TapeEntry& entry, PathPart part, const Program& program);

  const Tape& tape_;
  std::vector<std::vector<PathPart>> parts_;
};

/// Where the value of an entry on a rank comes from, of each side of a maximum: (value, rank).
struct Origin {
  TapeValue value = no_value;
  std::int64_t rank = 0;
};

/// Calls visit(origin) for every side of an entry's maximum that decides its value on a rank, the first one first; of `all` the
/// rank itself where it is one of them. Not for `ready`, which comes from nothing, nor for `beside`.
template <class Visit>
void for_each_deciding(const Tape& tape, const TapeEntry& entry, std::int64_t rank, const Program& program,
                       const Visit& visit) {
  using Kind = TapeEntry::Kind;
  const auto sides = [&](Origin first, Origin second) {
    const Larger side = tape.side(entry, rank);
    if (side != Larger::second) visit(first);
    if (side != Larger::first) visit(second);
  };
  switch (entry.kind) {
    case Kind::ready:
    case Kind::beside:
      return;
    case Kind::work:
    case Kind::hop:
    case Kind::issue:
      visit(Origin{entry.a, rank});
      return;
    case Kind::join:
      sides({entry.a, rank}, {entry.b, rank});
      return;
    case Kind::pair:
      sides({entry.a, rank}, {entry.a, program.target(entry.way, rank)});
      return;
    case Kind::arrive:
      sides({entry.a, rank}, {entry.a, program.source(entry.way, rank)});
      return;
    case Kind::receive:
      visit(Origin{entry.a, program.source(entry.way, rank)});
      return;
    case Kind::send:
      visit(Origin{entry.a, program.target(entry.way, rank)});
      return;
    case Kind::grant: {
      const std::uint8_t choice = tape.choice(entry, rank);
      visit(Origin{choice == 0 ? entry.a : tape.kernels[entry.candidates + choice - 1], rank});
      return;
    }
    case Kind::all:
      if (tape.choice(entry, rank) != 0) visit(Origin{entry.a, rank});
      for (std::int64_t r = 0; r < tape.ranks(); ++r) {
        if (r != rank && tape.choice(entry, r) != 0) visit(Origin{entry.a, r});
      }
      return;
  }
}

}  // namespace ringsim::sim
