#pragma once
// From amounts to times: the cost of an attention kernel, a merge and a ring hop, by a Profile.
//
// Attention, one kernel on a rectangle of rows × columns of which the mask lets `entries` pairs through:
//   waste = edges · rows · key_tile / 2        half a tile a row where a mask edge crosses it, at most the rectangle
//   fill  = rows · half_depth                  the loop's first and last tile cost a row as much as half_depth more keys,
//                                              so that a row of half_depth keys runs at half of F_sat
//         + columns · half_rows + half_depth · half_rows     and a key, which must be loaded for however few rows, as much
//                                              as half_rows more rows; (rows + half_rows)(columns + half_depth) in all
//   tiles = batch · query heads · max(1, rows / query_tile)      thread blocks to spread over the SMs (AttentionCost::blocks:
//                                              columns / key_tile of a kernel that divides keys; enough of one that splits them);
//                                              of the heads, and of the FLOP, only the part that the kernel computes
//   time  = τ + FLOP(entries + waste + fill) / (F_sat · sustained) · max(1, SMs / tiles)
// What the terms stand for: masked-out halves of edge tiles (FlashAttention-2, arXiv 2307.08691 §3.1), a pipeline that
// must be filled for every row tile, and a chip that small blocks cannot fill. Smooth on purpose: whole waves and whole
// tiles are not modelled, so that B_min has no saw-tooth.
//
// Merge (online softmax, or adding a gradient): least bytes · merge_traffic / merge_bandwidth + τ; of an output of which some
// rows took no part, with partial_merge_traffic (their part is copied out and back).   Hop: α + bytes / W.

#include "models/job_network.hpp"
#include "models/layout.hpp"
#include "models/numeric.hpp"
#include "models/plan.hpp"
#include "models/profile.hpp"
#include "models/quantity.hpp"
#include "models/transformer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ringsim {

enum class Pass { forward, backward };
constexpr const char* name_of(Pass pass) { return pass == Pass::forward ? "forward" : "backward"; }

/// A kernel's rectangle with real-valued sides, so that B_min can be solved for.
struct AttendShape {
  double rows = 0;
  double columns = 0;
  double entries = 0;
  int edges = 0;                 // mask edges that cross the rectangle: 0 full, 1 causal, 2 a window
  double heads = 1;              // part of the rank's heads that the kernel computes
  bool leaves_rows_out = false;  // AttendWork::leaves_rows_out
};
[[nodiscard]] AttendShape shape_of(const AttendWork& work);

/// FLOP of `entries` (query, key) pairs over all heads of a rank. Forward 2(Dqk + Dv) a pair and head (Q·K and P·V),
/// backward 6·Dqk + 4·Dv (five matrix products; S is computed again): 4D and 10D for equal dimensions.
[[nodiscard]] Flop attention_flop(const HeadShape& heads, Pass pass, double entries);

/// What travels and what is accumulated, in bytes a token of a block, over all heads and sequences of a rank.
struct RingShape {
  HeadShape heads;
  Dtype dtype = Dtype::bf16;
  GradientDtype gradient = GradientDtype::fp32;
  Rotation travels = Rotation::kv;
  Rotation backward = Rotation::kv;

  [[nodiscard]] Bytes kv_per_token() const;           // K and V
  [[nodiscard]] Bytes kv_gradient_per_token() const;  // travelling dK and dV
  [[nodiscard]] Bytes q_bundle_per_token() const;     // Q, dO and two fp32 statistics (LSE, delta) a head
  [[nodiscard]] Bytes q_gradient_per_token() const;   // travelling dQ
  [[nodiscard]] Bytes q_per_token() const;            // Q alone
  [[nodiscard]] Bytes output_per_token() const;       // O in the workload's dtype, without statistics
  [[nodiscard]] Bytes partial_per_token() const;      // O and one statistic a head (LSE), to be merged
};

/// What a merge adds up.
enum class Accumulator { output, q_gradient, kv_gradient };

/// Least traffic of a merge over `tokens` tokens of the accumulator's block: read it, read the partial, write it back
/// (fp32 accumulator and statistics, partial in the workload's dtype; 10 B an element for bf16).
/// A travelling gradient has the scenario's gradient dtype instead of fp32.
[[nodiscard]] Bytes merge_bytes(const RingShape& shape, Accumulator what, bool travelling, double tokens);

/// A hop with its costs.
struct HopCost {
  Duration latency;     // α
  Bandwidth bandwidth;  // W, one direction, of a large message
  bool inter_node = false;
  std::string link_class;
  bool calibrated = false;  // false: nominal bandwidth and no latency, since the profile does not know the link class
  /// Knots of the time without α where W depends on the size: ascending; empty: bytes / W at all sizes.
  std::vector<std::pair<Bytes, Duration>> by_size;
  Bandwidth nominal;  // W by the data sheets, shared or alone as the rest
  friend bool operator==(const HopCost&, const HopCost&) = default;
};

/// The costs of a ring's hops, by sender. Of a long ring few differ, so each kind of costs is kept once, and of a rank its kind.
class HopCosts {
 public:
  HopCosts() = default;
  HopCosts(const std::vector<HopCost>& of_ranks) {  // NOLINT(google-explicit-constructor): a list of hops is one
    for (const HopCost& hop : of_ranks) push_back(hop);
  }
  /// Of a placed ring; `cost` gives the costs of a hop and looks at nothing in which hops of one kind differ.
  template <class Cost>
  HopCosts(const RingHops& hops, const Cost& cost) : kind_of_(hops.kind_of()) {
    std::vector<std::uint32_t> kinds;  // hops that differ in their ways may cost the same
    for (const RingHop& hop : hops.kinds()) kinds.push_back(kind_like(cost(hop)));
    if (kinds.size() == kinds_.size()) return;
    for (std::uint32_t& kind : kind_of_) kind = kinds[kind];
  }

  [[nodiscard]] std::size_t size() const { return kind_of_.size(); }
  [[nodiscard]] bool empty() const { return kind_of_.empty(); }
  [[nodiscard]] const HopCost& operator[](std::size_t rank) const { return kinds_[kind_of_[rank]]; }
  [[nodiscard]] const HopCost& at(std::size_t rank) const { return kinds_[kind_of_.at(rank)]; }
  void push_back(const HopCost& hop) { kind_of_.push_back(kind_like(hop)); }

  /// Each kind, in the order in which they come up round the ring; no two are the same.
  [[nodiscard]] const std::vector<HopCost>& kinds() const { return kinds_; }
  /// The kind of every rank's hop, an index into kinds().
  [[nodiscard]] const std::vector<std::uint32_t>& kind_of() const { return kind_of_; }
  /// The first rank with a hop of a kind.
  [[nodiscard]] std::size_t first_of(std::size_t kind) const;
  /// Every rank's, written out: to be altered and made a ring's again.
  [[nodiscard]] std::vector<HopCost> of_ranks() const;

  friend bool operator==(const HopCosts&, const HopCosts&) = default;

 private:
  [[nodiscard]] std::uint32_t kind_like(const HopCost& hop);

  std::vector<HopCost> kinds_;
  std::vector<std::uint32_t> kind_of_;
};

/// Times of one rank's operations.
class CostModel {
 public:
  CostModel(Profile profile, RingShape shape)
      : profile_(std::make_shared<const Profile>(std::move(profile))), shape_(shape) {}
  /// The same profile with another shape.
  [[nodiscard]] CostModel with_shape(const RingShape& shape) const {
    CostModel other = *this;
    other.shape_ = shape;
    return other;
  }

  [[nodiscard]] Duration attention(Pass pass, const AttendShape& kernel) const;  // 0 for a masked step
  /// 0 where merging is free. `partial`: of an output, into some of its block's rows only.
  [[nodiscard]] Duration merge(Accumulator what, bool travelling, double tokens, bool partial = false) const;
  [[nodiscard]] static Duration hop(const HopCost& hop, Bytes size);
  /// Bandwidth that a hop reaches with a message of `size`, α taken off: its W where that does not depend on the size.
  [[nodiscard]] static Bandwidth reached_bandwidth(const HopCost& hop, Bytes size);

  /// Whether the kernel's thread blocks fill the chip, so that what comes later finds no SM free; true where the SMs are not known.
  [[nodiscard]] bool fills(Pass pass, const AttendShape& kernel) const;

  /// FLOP/s of an unmasked B × B block: the F of ring_efficiency.
  [[nodiscard]] FlopRate block_rate(Pass pass, double block) const;

  [[nodiscard]] const Profile& profile() const { return *profile_; }
  [[nodiscard]] const RingShape& shape() const { return shape_; }

 private:
  /// Thread blocks of a kernel by which it divides rows or columns, over all heads.
  [[nodiscard]] double thread_blocks(const AttentionCost& cost, const AttendShape& kernel) const;

  std::shared_ptr<const Profile> profile_;  // copies of a model share it
  RingShape shape_;
};

/// How much of a link that several hops use a hop is given.
enum class LinkShares {
  alone,  // all of it: what the flow engine starts from
  fixed,  // an equal share all the time (RingHop::shared): what engines that know no contention make of it
};

/// Costs of a placed hop: its route's nominal bandwidth with the profile's latency and efficiency for its class of links.
[[nodiscard]] HopCost hop_cost(const RingHop& hop, const Cluster& cluster, const Profile& profile,
                               LinkShares shares = LinkShares::fixed);

}  // namespace ringsim
