#pragma once
// What a run of the recurrence did, operation by operation, so that it can be gone through backwards: which value each value came
// from on every rank. A value is a vector over ranks; an entry makes one of earlier ones.
//
//   kind       value of rank r
//   ready      when the rank became ready
//   work       a_r + how long the operation takes                                 a kernel, dense work, a collective, a send
//   hop        a_r + how long the hop that r sends takes
//   issue      a_r + constant                                                     the host's clock
//   join       max(a_r, b_r + constant)                                           a wait
//   pair       max(a_r, a_target(r))                                              both ends of a hop have posted it
//   arrive     max(a_r, a_source(r))                                              hops out and in have ended
//   all        max over all ranks of a                                            a collective of the ring's ranks
//   grant      a_r, or the end of the kernel that holds the SMs then              value c of `candidates`
//   receive    a_source(r): of the incoming hop, by receiver;   send   a_target(r): the reverse
//   beside     under sharing, an end that kernel and hop moved (rate_sharing.hpp): linear in four values, with coefficients a rank
//
// Durations are not kept, as OperationDurations has them; nor times: of a maximum, a byte a rank says which side it was.
// Moments within 1e-13 of each other are one (kernel_log.hpp): of a maximum of such both sides count.

#include "models/cost.hpp"
#include "sim/program.hpp"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringsim::sim {

/// Index of an entry, which is also the value that it makes.
using TapeValue = std::int32_t;
inline constexpr TapeValue no_value = -1;

/// Of a maximum on one rank.
enum class Larger : std::uint8_t { first = 1, second = 2, both = 3 };

struct TapeEntry {
  enum class Kind : std::uint8_t { ready, work, hop, issue, join, pair, arrive, all, grant, receive, send, beside };
  Kind kind = Kind::ready;
  Way way = Way::up;  // hop, pair, arrive, receive, send
  TapeValue a = no_value;
  TapeValue b = no_value;
  std::int32_t instruction =
      0;  // work, hop: its number in the lowered program (work that one instruction does follows its number)
  std::int32_t layer = 0;
  std::int32_t step = 0;
  std::uint32_t role = 0;
  double constant = 0;         // issue, join [s]
  std::size_t detail = 0;      // first byte of `choices`, or number in `lines`
  std::size_t candidates = 0;  // grant: first of its kernels in `kernels`
};

/// beside: value = Σ coefficient · operand, a row a rank.
struct LinearStep {
  std::array<TapeValue, 4> operands{no_value, no_value, no_value, no_value};
  Eigen::ArrayX4d coefficients;
};

/// Where an iteration of an outermost loop began.
struct TapeMark {
  std::size_t loop = 0;  // number of the loop, in program order
  std::int64_t index = 0;
  TapeValue first = 0;  // the first entry of it
};

class Tape {
 public:
  /// Bytes beyond which recording breaks off.
  static constexpr std::size_t most_bytes = std::size_t{3} << 30;

  explicit Tape(std::int64_t ranks, std::size_t most = most_bytes) : ranks_(ranks), most_(most) {}

  [[nodiscard]] TapeValue add(const TapeEntry& entry) {
    entries.push_back(entry);
    return static_cast<TapeValue>(entries.size()) - 1;
  }
  /// Room for a byte a rank.
  [[nodiscard]] std::uint8_t* choose(TapeEntry& entry) {
    entry.detail = choices.size();
    choices.resize(choices.size() + static_cast<std::size_t>(ranks_));
    return choices.data() + entry.detail;
  }
  [[nodiscard]] Larger side(const TapeEntry& entry, std::int64_t rank) const {
    return static_cast<Larger>(choices[entry.detail + static_cast<std::size_t>(rank)]);
  }
  /// grant: 0 for the request itself, else 1 + the number of the kernel among its candidates.
  [[nodiscard]] std::uint8_t choice(const TapeEntry& entry, std::int64_t rank) const {
    return choices[entry.detail + static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] std::int64_t ranks() const { return ranks_; }
  [[nodiscard]] std::size_t bytes() const {
    return entries.size() * sizeof(TapeEntry) + choices.size() +
           lines.size() * static_cast<std::size_t>(ranks_) * 4 * sizeof(double);
  }
  /// Recording has broken off: the tape is of no use.
  [[nodiscard]] bool full() const { return bytes() > most_; }

  std::vector<TapeEntry> entries;
  std::vector<std::uint8_t> choices;
  std::vector<TapeValue> kernels;  // ends of kernels that a grant chose from
  std::vector<LinearStep> lines;
  std::vector<TapeMark> marks;
  std::vector<TapeValue> ends;    // by role: of the compute stream
  std::vector<TapeValue> starts;  // ready entries

 private:
  std::int64_t ranks_;
  std::size_t most_;
};

/// Which side of a maximum of x and y is the larger.
[[nodiscard]] inline Larger larger_of(double x, double y) {
  constexpr double moment = 1e-13;
  if (x < y * (1.0 - moment)) return Larger::second;
  if (y < x * (1.0 - moment)) return Larger::first;
  return Larger::both;
}

}  // namespace ringsim::sim
