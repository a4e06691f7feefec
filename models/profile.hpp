#pragma once
// The Profile: what turns amounts into times. Every value carries its source, its kind of origin and a relative
// uncertainty. The profile "datasheet" is made from a GPU's peaks and has no overheads at all.

#include "models/device.hpp"
#include "models/quantity.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim {

enum class Origin { measured, published, vendor, assumed };
[[nodiscard]] std::string name_of(Origin origin);

/// A calibrated value, where it comes from and how far it may be off.
template <class T>
struct Calibrated {
  T value{};
  double relative_uncertainty = 0.0;  // one-sided, as a fraction: 0.05 means ±5 %
  Origin origin = Origin::assumed;
  std::string source;
  friend bool operator==(const Calibrated&, const Calibrated&) = default;
};

/// What the thread blocks of an attention kernel divide among themselves, beside heads and sequences.
enum class Blocks {
  queries,  // query_tile rows each
  keys,     // key_tile columns each: backward kernels of the FlashAttention family
  split,    // queries, and keys as well where queries are too few to fill the chip (split keys)
};
[[nodiscard]] constexpr std::string_view name_of(Blocks blocks) {
  return blocks == Blocks::queries ? "queries" : blocks == Blocks::keys ? "keys" : "split";
}

/// Attention kernel of one pass; models/cost.hpp says what follows from it.
struct AttentionCost {
  Calibrated<FlopRate> saturated;  // useful FLOP/s of an endless unmasked block that fills the chip
  Calibrated<double> half_depth;   // tokens: depth (keys a row) at which half of `saturated` is reached
  Calibrated<double> half_rows;    // tokens: rows at which half is reached of a deep kernel; 0: rows cost nothing extra
  /// Part of `saturated` that is kept while all GPUs compute for long (power, clocks); 1: a benchmark of one kernel says it all.
  Calibrated<double> sustained{1.0};
  Blocks blocks = Blocks::queries;
  friend bool operator==(const AttentionCost&, const AttentionCost&) = default;
};

/// Values from `low` to `high`, both included.
struct Range {
  double low = 0;
  double high = 0;
  [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
  friend bool operator==(const Range&, const Range&) = default;
};

struct LinkKnot {
  Bytes size;
  double efficiency = 1.0;
  friend bool operator==(const LinkKnot&, const LinkKnot&) = default;
};

/// Links of one class.
struct LinkCost {
  Calibrated<Duration> latency;   // α: fixed cost of one hop's grouped send-receive
  Calibrated<double> efficiency;  // reached / nominal bandwidth of a large message, one direction while both are busy
  /// Where the bandwidth depends on the size: (bytes, reached / nominal bandwidth, α taken off), by ascending bytes. The
  /// time without α is linear between the knots and proportional to the size outside of them; empty: `efficiency` at all
  /// sizes.
  std::vector<LinkKnot> by_size;
  std::optional<Range> measured_bytes;  // sizes that it was fitted on
  /// Of links between nodes that were measured with a flow of every GPU: bandwidth of the only flow that leaves a node, as a
  /// multiple of it; absent: the same.
  std::optional<Calibrated<double>> single_flow;
  friend bool operator==(const LinkCost&, const LinkCost&) = default;
};

/// What a kernel and a hop each make of their progress beside each other.
struct ProgressShares {
  Calibrated<double> compute_share;   // of the kernel
  Calibrated<double> transfer_share;  // of the hop
  friend bool operator==(const ProgressShares&, const ProgressShares&) = default;
};

/// Two streams that share what they run on (cores, SMs, caches, memory): while a hop is coming in to a rank and a kernel
/// runs there, the kernel makes `compute_share` of its progress and the hop `transfer_share` of its own. 1 and 1: they do
/// not disturb each other; a sum of 1: one core, divided. An attention kernel may differ from all other kernels, by its pass: one
/// that fills all SMs leaves next to nothing to a transfer that needs some of them.
struct Interference {
  Calibrated<double> compute_share;
  Calibrated<double> transfer_share;
  std::optional<ProgressShares> forward{};   // attention, forward; absent: as the others
  std::optional<ProgressShares> backward{};  // attention, backward
  friend bool operator==(const Interference&, const Interference&) = default;
};

/// Matrix products of one number format; models/dense_cost.hpp says what follows from it.
struct GemmCost {
  Calibrated<FlopRate> saturated;  // useful FLOP/s of a large product
  Calibrated<double> half_rows;    // rows (tokens) at which half of `saturated` is reached
  friend bool operator==(const GemmCost&, const GemmCost&) = default;
};

/// A collective of one kind among `ranks` ranks over links of one class: time = latency + traffic / (nominal · efficiency),
/// traffic being what a rank sends by the kind's ring algorithm (models/collective.hpp).
struct CollectiveCost {
  std::string kind;  // "all-gather", "reduce-scatter", "all-reduce", "all-to-all"
  std::string link_class;
  std::int64_t ranks = 0;
  Calibrated<Duration> latency;
  Calibrated<double> efficiency;  // of much traffic; above 1 where a switch that reduces saves traffic
  /// Where the efficiency depends on the traffic, as LinkCost::by_size: knots by ascending traffic.
  std::vector<LinkKnot> by_size{};
  friend bool operator==(const CollectiveCost&, const CollectiveCost&) = default;
};

/// What the attention costs were fitted on. Beyond it a prediction extrapolates, and says so.
struct AttentionRange {
  Range rows;     // of a kernel [tokens]
  Range columns;  // [tokens]
  Range heads;    // sequences × query heads
  Range dims;     // query/key dimension
  friend bool operator==(const AttentionRange&, const AttentionRange&) = default;
};

struct Profile {
  std::string name;         // "datasheet", "h100-sxm", ...
  bool calibrated = false;  // false for "datasheet"
  std::string gpu;          // the library GPU it was made for
  AttentionCost forward;
  AttentionCost backward;
  std::int64_t query_tile = 128;                // rows of a tile: one thread block works on query_tile × depth
  std::int64_t key_tile = 128;                  // columns of a tile: a mask edge wastes half a tile a row
  std::optional<std::int64_t> multiprocessors;  // SMs the kernel can fill; absent: the fill is not modelled
  Calibrated<Duration> launch;                  // τ: fixed cost of a kernel on the critical path
  Calibrated<double>
      merge_traffic;  // bytes moved / least bytes of a merge (1: a fused single pass; 0: merging is free)
  /// The same of a merge into a part of the accumulator, whose part is copied out and back; absent: as of a whole one.
  std::optional<Calibrated<double>> partial_merge_traffic;
  /// What the program that drives the GPU needs to issue one operation (kernel, merge or hop): none starts before it and all those
  /// ahead of it have been issued. 0: a captured graph, or operations that are long against it.
  Calibrated<Duration> issue;
  Calibrated<Bandwidth> merge_bandwidth;  // HBM rate an elementwise kernel reaches; ignored if merge_traffic is 0
  Calibrated<Duration> event_latency;     // how much later an operation that waits for the other stream becomes ready
  bool contest_for_multiprocessors = false;               // sm-kernel transfers and attention compete for SMs
  std::map<std::string, LinkCost> links;                  // by link class
  std::optional<Interference> sm_kernel;                  // of transfers that share the compute units with attention
  std::optional<Interference> copy_engine;                // of transfers by a unit of their own
  std::optional<GemmCost> gemm;                           // of bf16 and fp16; absent: peaks alone
  std::optional<GemmCost> gemm_fp8;                       // absent: peaks alone
  std::optional<Calibrated<Bandwidth>> memory_bandwidth;  // HBM rate of kernels that stream; absent: the data sheet's
  std::vector<CollectiveCost> collectives;                // absent ones follow from `links`
  std::optional<AttentionRange> measured;                 // absent: unknown, nothing is flagged
  std::map<std::string, std::string> made;  // how it came about: "device", "machine", "ranks", "date", ...
  friend bool operator==(const Profile&, const Profile&) = default;
};

/// Peaks alone: α = 0, no launch, merge or fill cost, no contest. Flagged uncalibrated wherever it is used.
[[nodiscard]] Profile datasheet_profile(const Gpu& gpu, Dtype dtype);

}  // namespace ringsim
