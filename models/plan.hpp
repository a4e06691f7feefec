#pragma once
// The parallel plan: degrees, the order in which ranks are laid over GPUs, and the options of the ring.

#include "models/device.hpp"
#include "models/layout.hpp"
#include "models/numeric.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim {

enum class Axis { tensor, ulysses, ring, pipeline, data };
inline constexpr std::array<Axis, 5> all_axes = {Axis::tensor, Axis::ulysses, Axis::ring, Axis::pipeline, Axis::data};
[[nodiscard]] std::string_view name_of(Axis axis);
[[nodiscard]] std::string_view short_name_of(Axis axis);  // "tp", "up", "cp", "pp", "dp"

/// Degrees of parallelism and their order, innermost (neighbouring GPUs) first.
struct Parallel {
  std::int64_t tensor = 1;
  std::int64_t ulysses = 1;
  std::int64_t ring = 1;
  std::int64_t pipeline = 1;
  std::int64_t data = 1;
  std::array<Axis, 5> order = all_axes;
  /// GPU of every rank of the job, ranks counted in that order; empty: rank i on GPU i.
  std::vector<std::int64_t> gpus{};
  /// Expert parallelism: divides the experts of a mixture over ranks of the axes ring, ulysses and data, whose tokens it
  /// exchanges; adds no ranks.
  std::int64_t expert = 1;
  /// Tokens that the fullest expert rank gets against the mean; 1: the router spreads them evenly.
  double load_imbalance = 1.0;
  /// Decode context parallelism: divides the K/V cache of a decode step over tensor ranks that would hold copies of it; adds
  /// no ranks.
  std::int64_t decode_context = 1;
  /// Megatron sequence parallelism: what tensor parallelism leaves whole (norms, residuals) is divided by tokens.
  bool sequence_parallel = false;
  /// Ulysses beyond the number of K/V heads: every K/V head is sent to several ranks.
  bool replicate_kv = false;
  [[nodiscard]] std::int64_t degree(Axis axis) const;
  /// Exact where check_degrees has passed.
  [[nodiscard]] std::int64_t product() const { return tensor * ulysses * ring * pipeline * data; }
};

/// Reads "tensor-ulysses-ring-pipeline-data", any order of these five names; or short names as in "tp-cp-ep-dp-pp", where cp
/// is the ring with Ulysses inside it (unless up names that) and ep is passed over. Throws Error.
[[nodiscard]] std::array<Axis, 5> parse_order(std::string_view text);
[[nodiscard]] std::string format_order(const std::array<Axis, 5>& order);

enum class Rotation { kv, q };  // what travels: K/V (and dK/dV), or Q (and dO, statistics, dQ)

/// How the ranks of a ring come to each other's blocks.
enum class Exchange {
  one_way,    // a block goes from rank to rank + 1, N - 1 times
  both_ways,  // half of the heads or of the block goes each way round, N - 1 times
  two_level,  // rings inside the nodes, and a ring of nodes whose hops have a whole turn of the inner ring to hide behind
  all_gather,  // every rank gathers all blocks, then computes once
};
/// What each way round takes under Exchange::both_ways.
enum class Halves { heads, tokens };

constexpr std::string_view name_of(Exchange exchange) {
  switch (exchange) {
    case Exchange::one_way:
      return "one-way";
    case Exchange::both_ways:
      return "both-ways";
    case Exchange::two_level:
      return "two-level";
    case Exchange::all_gather:
      break;
  }
  return "all-gather";
}
constexpr std::string_view name_of(Halves halves) { return halves == Halves::heads ? "heads" : "tokens"; }

enum class TransferEngine { sm_kernel, copy_engine };  // who moves the bytes: a kernel on SMs (NCCL), or a copy engine

constexpr std::string_view name_of(Rotation rotation) { return rotation == Rotation::kv ? "kv" : "q"; }
constexpr std::string_view name_of(TransferEngine engine) {
  return engine == TransferEngine::sm_kernel ? "sm-kernel" : "copy-engine";
}

struct RingOptions {
  Layout layout = Layout::zigzag;
  Rotation travels = Rotation::kv;  // forward
  Rotation backward = Rotation::kv;
  std::int64_t buffers = 2;  // block buffers a rank rotates through: 2 or 3
  TransferEngine transfer = TransferEngine::sm_kernel;
  GradientDtype gradient = GradientDtype::fp32;  // of the accumulator that travels in the backward pass
  bool choose_travels = false;                   // `travels: auto`: the cheaper by bytes, models/pass_choice.hpp
  Exchange exchange = Exchange::one_way;
  Halves halves = Halves::heads;
  std::int64_t inner = 0;  // ranks of an inner ring under Exchange::two_level; 0: those of a node
};

/// Global GPU index of a rank given its coordinate on each axis.
[[nodiscard]] std::int64_t gpu_of(const Parallel& parallel, std::int64_t tensor, std::int64_t ulysses,
                                  std::int64_t ring, std::int64_t pipeline, std::int64_t data);

}  // namespace ringsim
