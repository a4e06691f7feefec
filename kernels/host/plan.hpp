#pragma once
// What all ranks of a program have in common for its execution: where tokens stand, and how the passes use the tensors'
// buffers, read off the operations.
//
// A layer's own block lies in the buffer from which a travelling tensor is first read, in a pass; a travelling gradient has come
// home in the buffer that it is last received in, or that a kernel starts it in where nothing is sent.

#include "kernels/host/attention.hpp"
#include "kernels/host/buffer.hpp"
#include "sim/program.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <vector>

namespace ringsim::host {

[[nodiscard]] constexpr std::size_t index_of(Pass pass) { return pass == Pass::forward ? 0 : 1; }
[[nodiscard]] constexpr std::size_t index_of(sim::Share share) { return static_cast<std::size_t>(share); }
inline constexpr std::size_t shares = 5;

/// Index of a slot at a step.
[[nodiscard]] inline std::size_t index_of(const sim::Slot& slot, std::int64_t step) {
  return static_cast<std::size_t>(slot.first + ((step + slot.offset) % slot.count + slot.count) % slot.count);
}

/// A travelling tensor in a pass.
struct TensorRole {
  std::size_t tensor = 0;  // index into Program::tensors
  std::size_t slot = 0;    // of the own block where the layer begins; of a gradient where it ends
};

struct PassRoles {
  bool runs = false;
  bool queries_travel = false;
  std::vector<TensorRole> operands;
  std::vector<TensorRole> gradients;
};

/// Heads [first, first + count) of a block, sequences one after the other.
struct HeadRange {
  Eigen::Index first = 0;
  Eigen::Index count = 0;
};

struct RingPlan {
  explicit RingPlan(const sim::Program& program, double score_scale, Tiling tiling = {});

  [[nodiscard]] const PassRoles& roles(Pass pass) const { return roles_of_pass[index_of(pass)]; }
  [[nodiscard]] AttentionSpec spec(std::int64_t layer) const;
  /// Query or key/value heads of a share, of all that the rank has.
  [[nodiscard]] HeadRange query_heads(sim::Share share) const;
  [[nodiscard]] HeadRange kv_heads(sim::Share share) const;
  /// The heads of the rank cut down to a share's.
  [[nodiscard]] HeadShape heads(sim::Share share) const;
  /// Keys of a rank, of all or of half of its tokens, in ascending order; and which rows of all of them these are.
  [[nodiscard]] const Positions& key_positions(std::int64_t rank, sim::Share share) const;
  [[nodiscard]] const Positions& key_rows(std::int64_t rank, sim::Share share) const;

  const sim::Program& program;
  double scale;
  Tiling tile;
  std::array<PassRoles, 2> roles_of_pass;  // forward, backward
  std::vector<std::int64_t> slots;         // of each tensor's buffers
  std::array<bool, shares> used{};         // shares that kernels compute
  bool keeps_partials = false;             // forward kernels of travelling queries: a result a step
  bool gathers = false;                    // kernels against all keys
  std::vector<Positions> positions;        // of each rank's own tokens, those of its queries
  Positions all_keys;                      // 0, 1, ...

 private:
  struct Keys {
    std::array<Positions, 3> positions, rows;  // whole, first and second half
  };
  std::vector<Keys> keys_;
};

}  // namespace ringsim::host
