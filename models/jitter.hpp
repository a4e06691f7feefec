#pragma once
// Random factors that depend on nothing but what they are for: (seed, stream, replica, ring, layer, step, pass, kind, rank) is
// hashed (models/counter_random.hpp), so that every engine draws the same factor for the same operation, in whatever order it
// gets there, and a further rank, layer or replica changes no other draw.
//
//   u                                                     uniform in (0, 1)
//   z = Φ⁻¹(u)                                            standard normal (models/normal_quantile.hpp)
//   normal     f = max(1 + σ·z, 1/16)                     mean 1, standard deviation σ, up to the cut at 1/16
//   lognormal  f = exp(s·z − s²/2),  s² = ln(1 + σ²)      mean 1, standard deviation σ
//   pareto     f = 1 + σ·(a − 1)·((1 − u)^(−1/a) − 1)     mean 1 + σ (Lomax excess of mean σ); infinite variance for a ≤ 2
//
// What the cut does to a normal factor: its mean exceeds 1 by σ·(φ(c) − c·(1 − Φ(c))), c = 15/(16 σ): by less than 2e-7 up to
// σ = 0.2 (c = 4.7), but by 4e-3 at σ = 0.5. A wide spread is lognormal.
//
// exp and ln are our own (models/elementary.hpp): results depend on no library. Draws of different ranks, steps and layers are
// independent; a disturbance that lasts over several kernels is not modelled.

#include "models/noise.hpp"

#include <cstdint>
#include <string_view>

namespace ringsim {

/// The named stream of one kind of draw of a ring in a replica.
class JitterStream {
 public:
  JitterStream() = default;  // factor 1 for ever
  JitterStream(const Jitter& jitter, std::uint64_t seed, std::string_view name, std::int64_t replica,
               std::int64_t ring);

  /// Whether any factor differs from 1.
  [[nodiscard]] bool on() const { return jitter_.distribution != Distribution::none && jitter_.spread > 0; }

  /// The draws of one operation, for all ranks: pass the result to `factor`. `kind` tells operations of a step apart.
  [[nodiscard]] std::uint64_t operation(std::int64_t layer, std::int64_t step, std::int64_t pass,
                                        std::int64_t kind) const;
  /// The factor of a rank.
  [[nodiscard]] double factor(std::uint64_t operation, std::int64_t rank) const;
  /// Those of ranks 0 to count - 1, into `out`.
  void factors(std::uint64_t operation, std::int64_t count, double* out) const { factors(operation, 0, count, out); }
  /// Those of ranks first to first + count - 1, into out[0] to out[count - 1].
  void factors(std::uint64_t operation, std::int64_t first, std::int64_t count, double* out) const;
  /// Multiplies times of ranks first to first + count - 1 by their factors: the same bits as one by one.
  void stretch(std::uint64_t operation, std::int64_t first, std::int64_t count, double* times) const;

 private:
  Jitter jitter_;
  double log_deviation_ = 0;  // s
  std::uint64_t key_ = 0;
};

/// Names of the streams.
inline constexpr std::string_view compute_stream = "compute";
inline constexpr std::string_view link_stream = "links";

/// `kind` of the operations of a step. Kernels draw from the compute stream, hops (by their sender) from the links'.
inline constexpr std::int64_t attention_kind = 0;
inline constexpr std::int64_t hop_kind = 0;
constexpr std::int64_t merge_kind(int accumulator) { return 1 + accumulator; }
inline constexpr std::int64_t second_half_kinds = 8;  // added for the other half of a block
inline constexpr std::int64_t second_hop_kind = 1;    // the other way round
/// Dense work (compute stream) and collectives and sends (links), by their number in the program.
constexpr std::int64_t timed_kind(std::size_t number) { return 16 + static_cast<std::int64_t>(number); }

}  // namespace ringsim
