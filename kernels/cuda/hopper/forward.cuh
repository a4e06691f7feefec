#pragma once
// Attention forward on sm_90a: one kernel of three warpgroups.
//
// A producer copies, two consumers compute, each 64 of a tile's 128 queries; all three walk the same tiles and the same
// blocks of keys, from the last block to the first, since the blocks that need a mask are the last ones. Tiles of K and
// of V go through rings of two stages, of Q through one or two. A stage has two barriers: "full" (its bytes have come)
// and "empty" (both consumers are done with it).
//
//   consumer, for a tile:   S ← Q·K'                                   (K' the last block)
//                           p ← softmax step of S
//                           each further block:  S ← Q·K  and  O ← O + p·V'  start at once, V' the block before
//                                                softmax step of S while p·V' may still run; O decays; p ← S
//                           O ← O + p·V
//
// Tensor cores do the products and the other units the softmax: the consumers take turns in starting products (named
// barriers), so that one has the tensor cores while the other does its softmax (FlashAttention-3, arXiv 2407.08608,
// sections 3.1 and 3.2).
//
// Registers of a consumer's thread: O 64, S key_rows/2, p key_rows/4, states. 240 a thread for consumers and 24 for the
// producer are what the 65,536 of an SM allow: 128·(24 + 2·240) = 64,512.

#include "kernels/cuda/hopper/descriptor.hpp"
#include "kernels/cuda/hopper/epilogue.cuh"
#include "kernels/cuda/hopper/softmax.cuh"
#include "kernels/cuda/hopper/tiles.hpp"

#include <cuda_runtime.h>
#include <ringsim_ptx.cuh>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace ringsim::cuda {

constexpr unsigned kWarpgroup = 128;
constexpr unsigned kConsumers = 2;
constexpr unsigned kThreads = kWarpgroup * (1 + kConsumers);
constexpr unsigned kKeyStages = 2;

struct ForwardProblem {
  Shape shape;
  float scale = 1;
  float scale_log2 = 1;  // scale · log2 e
  Output output;
};

/// A block's shared memory. Tiles as in descriptor.hpp, [panel][row][64 columns].
template <unsigned key_rows>
struct alignas(kAtomBytes) ForwardShared {
  /// A second tile of Q where it fits into the 227 KiB of a block.
  static constexpr unsigned kQueryStages = key_rows <= 128 ? 2 : 1;
  using QueryTile = Bf16[2][kQueryRows][64];
  using KeyTile = Bf16[2][key_rows][64];
  QueryTile q[kQueryStages];
  KeyTile k[kKeyStages];
  KeyTile v[kKeyStages];
  std::uint64_t q_full[kQueryStages], q_empty[kQueryStages];
  std::uint64_t k_full[kKeyStages], k_empty[kKeyStages];
  std::uint64_t v_full[kKeyStages], v_empty[kKeyStages];
  static_assert(sizeof(KeyTile) % (2 * kAtomBytes) == 0, "panels begin on boundaries of the swizzle");
};
static_assert(sizeof(ForwardShared<128>) <= 232448 && sizeof(ForwardShared<176>) <= 232448);

/// Which stage of a ring comes next, and in which phase its barriers are.
template <unsigned stages>
struct RingPosition {
  unsigned stage = 0;
  unsigned parity = 0;
  __device__ __forceinline__ void advance() {
    if (++stage == stages) {
      stage = 0;
      parity ^= 1U;
    }
  }
};

/// One thread: a tile of Q whenever the tile before is done with, blocks of K and V whenever a stage is free.
template <unsigned key_rows>
__device__ __forceinline__ void produce(ForwardShared<key_rows>& shared, const TensorMap* q, const TensorMap* k,
                                        const TensorMap* v, const Shape& shape) {
  constexpr int kRows = key_rows;
  RingPosition<ForwardShared<key_rows>::kQueryStages> query;
  RingPosition<kKeyStages> key;
  RingPosition<kKeyStages> value;
  // A new barrier is in phase 0, so a wait for parity 1 finds the stages of the first walk through a ring empty.
  const auto load_next = [](auto& tiles, const TensorMap* tensor, std::uint64_t* full, std::uint64_t* empty,
                            auto& position, int row, int head) {
    auto& tile = tiles[position.stage];
    ptx::wait(&empty[position.stage], position.parity ^ 1U);
    ptx::arrive_expecting(&full[position.stage], sizeof(tile));
    ptx::load_box(&tile[0], tensor, &full[position.stage], 0, row, head);
    ptx::load_box(&tile[1], tensor, &full[position.stage], 64, row, head);
    position.advance();
  };
  const int blocks = static_cast<int>(gridDim.x);
  for (int round = 0;; ++round) {
    const int number = tile_of(round, static_cast<int>(blockIdx.x), blocks);
    if (number >= shape.tiles()) return;
    const Tile tile = tile_at(shape, number);
    int block = key_blocks(shape, tile.first_query, kRows);
    if (block == 0) continue;
    const int key_head = tile.head / shape.heads_per_key_head;
    load_next(shared.q, q, shared.q_full, shared.q_empty, query, tile.first_query, tile.head);
    // As consumers need them: the scores of a block come before the output of the block before.
    load_next(shared.k, k, shared.k_full, shared.k_empty, key, --block * kRows, key_head);
    while (block > 0) {
      load_next(shared.k, k, shared.k_full, shared.k_empty, key, (block - 1) * kRows, key_head);
      load_next(shared.v, v, shared.v_full, shared.v_empty, value, block * kRows, key_head);
      --block;
    }
    load_next(shared.v, v, shared.v_full, shared.v_empty, value, 0, key_head);
  }
}

/// Starts S ← Q·Kᵀ; a group.
template <unsigned key_rows>
__device__ __forceinline__ void start_scores(float (&scores)[key_rows / 2], std::uint64_t q, std::uint64_t k) {
  RINGSIM_UNROLL
  for (unsigned step = 0; step < kHeadDim / 16; ++step) {
    const unsigned panel = step / 4;
    const unsigned in_row = step % 4 * 32;
    ptx::mma_shared_shared<key_rows>(scores, further(q, panel * kQueryRows * kRowBytes + in_row),
                                     further(k, panel * key_rows * kRowBytes + in_row), step > 0);
  }
  ptx::mma_commit();
}

/// Starts O ← O + p·V; a group.
template <unsigned key_rows>
__device__ __forceinline__ void start_output(float (&o)[kHeadDim / 2], const std::uint32_t (&p)[key_rows / 4],
                                             std::uint64_t v) {
  RINGSIM_UNROLL
  for (unsigned step = 0; step < key_rows / 16; ++step) {
    ptx::mma_registers_transposed<kHeadDim>(o, p + 4 * step, further(v, step * 2 * kAtomBytes), true);
  }
  ptx::mma_commit();
}

/// A stage is free as soon as every warp of both consumers says so: a wait for products has all lanes of a warp behind
/// it.
__device__ __forceinline__ void release(std::uint64_t* empty) {
  if (threadIdx.x % 32 == 0) ptx::arrive(empty);
}
constexpr unsigned kReleases = kConsumers * kWarpgroup / 32;

template <unsigned key_rows, bool causal, bool merging>
__device__ __forceinline__ void consume(ForwardShared<key_rows>& shared, const ForwardProblem& problem,
                                        unsigned consumer) {
  constexpr int kRows = key_rows;
  const Shape& shape = problem.shape;
  const auto lane = static_cast<int>(threadIdx.x % 32);
  const auto warp = static_cast<int>(threadIdx.x % kWarpgroup / 32);
  const int row_in_tile = static_cast<int>(consumer) * kConsumerRows + 16 * warp + lane / 4;
  const int first_column = 2 * (lane % 4);

  // Products are started by turns; the first turn is consumer 0's.
  const unsigned my_turn = 1 + consumer;
  const unsigned other_turn = 2 - consumer;
  if (consumer == 1) ptx::named_barrier_arrive<2 * kWarpgroup>(other_turn);

  float o[kHeadDim / 2];
  float scores[key_rows / 2];
  std::uint32_t p[key_rows / 4];
  RowStates rows;
  float decay[2];
  RingPosition<ForwardShared<key_rows>::kQueryStages> query;
  RingPosition<kKeyStages> key;    // of the scores
  RingPosition<kKeyStages> value;  // of the output, a block behind

  const auto query_descriptor = [&] {
    return matrix_descriptor(ptx::shared_address(&shared.q[query.stage]) + consumer * kConsumerRows * kRowBytes, 0,
                             kAtomBytes);
  };
  const auto key_descriptor = [&] {
    return matrix_descriptor(ptx::shared_address(&shared.k[key.stage]), 0, kAtomBytes);
  };
  const auto value_descriptor = [&] {
    return matrix_descriptor(ptx::shared_address(&shared.v[value.stage]), key_rows * kRowBytes, kAtomBytes);
  };

  for (int round = 0;; ++round) {
    const int number = tile_of(round, static_cast<int>(blockIdx.x), static_cast<int>(gridDim.x));
    if (number >= shape.tiles()) break;
    const Tile tile = tile_at(shape, number);
    const int first_row = tile.first_query + row_in_tile;
    // Keys that every row of this consumer sees: blocks beyond need the mask.
    const int seen_by_all = shape.keys_of(tile.first_query + static_cast<int>(consumer) * kConsumerRows);
    int block = key_blocks(shape, tile.first_query, kRows) - 1;

    RINGSIM_UNROLL
    for (unsigned i = 0; i < kHeadDim / 2; ++i) o[i] = 0.0F;
    RINGSIM_UNROLL
    for (unsigned row = 0; row < 2; ++row) {
      rows.maximum[row] = -INFINITY;
      rows.sum[row] = 0.0F;
    }

    const auto mask = [&] {
      if ((block + 1) * kRows <= seen_by_all) return;
      const int first_key = block * kRows + first_column;
      mask_scores(scores, shape.keys_of(first_row) - first_key, shape.keys_of(first_row + 8) - first_key);
    };

    if (block >= 0) {
      ptx::wait(&shared.q_full[query.stage], query.parity);
      ptx::wait(&shared.k_full[key.stage], key.parity);
      ptx::mma_fence();
      start_scores<key_rows>(scores, query_descriptor(), key_descriptor());
      ptx::mma_wait<0>();
      ptx::keep_in_order(scores);
      release(&shared.k_empty[key.stage]);
      key.advance();
      mask();
      soften(scores, rows, decay, problem.scale_log2);
      pack(scores, p);

      while (block-- > 0) {
        ptx::wait(&shared.k_full[key.stage], key.parity);
        ptx::named_barrier_sync<2 * kWarpgroup>(my_turn);
        ptx::mma_fence();
        start_scores<key_rows>(scores, query_descriptor(), key_descriptor());
        ptx::wait(&shared.v_full[value.stage], value.parity);
        ptx::mma_fence();
        start_output<key_rows>(o, p, value_descriptor());
        ptx::named_barrier_arrive<2 * kWarpgroup>(other_turn);
        ptx::mma_wait<1>();
        ptx::keep_in_order(scores);
        release(&shared.k_empty[key.stage]);
        key.advance();
        mask();
        soften(scores, rows, decay, problem.scale_log2);
        ptx::mma_wait<0>();
        ptx::keep_in_order(o);
        ptx::keep_in_order(p);
        release(&shared.v_empty[value.stage]);
        value.advance();
        decay_output(o, decay);
        pack(scores, p);
      }
      release(&shared.q_empty[query.stage]);
      query.advance();

      ptx::wait(&shared.v_full[value.stage], value.parity);
      ptx::mma_fence();
      start_output<key_rows>(o, p, value_descriptor());
      ptx::mma_wait<0>();
      ptx::keep_in_order(o);
      ptx::keep_in_order(p);
      release(&shared.v_empty[value.stage]);
      value.advance();
    }

    const OutputRows place{tile.head, first_row, shape.queries, lane % 4};
    if constexpr (merging) {
      merge_output_rows(o, rows, problem.output, place, problem.scale);
    } else {
      write_output(o, rows, problem.output, place, problem.scale);
    }
    ptx::converge();
  }
  // Consumer 1's last word stands open: it is taken, so that no barrier is half full at the end.
  if (consumer == 0) ptx::named_barrier_sync<2 * kWarpgroup>(my_turn);
}

/// Any grid of up to tiles() blocks of kThreads threads, with ForwardShared<key_rows> of dynamic shared memory. Boxes
/// of `q` have kQueryRows rows, those of `k` and `v` key_rows.
template <unsigned key_rows, bool causal, bool merging>
__global__ void __launch_bounds__(kThreads, 1)
    attention_forward(const __grid_constant__ TensorMap q, const __grid_constant__ TensorMap k,
                      const __grid_constant__ TensorMap v, const __grid_constant__ ForwardProblem problem) {
  auto& shared = *static_cast<ForwardShared<key_rows>*>(static_cast<void*>(ptx::dynamic_shared()));
  // The same for all lanes of a warp, which the compiler cannot know of threadIdx.
  const auto warpgroup = static_cast<unsigned>(ptx::shuffle(static_cast<std::uint32_t>(threadIdx.x / kWarpgroup), 0));

  if (threadIdx.x == 0) {
    ptx::prefetch(&q);
    ptx::prefetch(&k);
    ptx::prefetch(&v);
    for (unsigned i = 0; i < ForwardShared<key_rows>::kQueryStages; ++i) {
      ptx::init_barrier(&shared.q_full[i], 1);
      ptx::init_barrier(&shared.q_empty[i], kReleases);
    }
    for (unsigned i = 0; i < kKeyStages; ++i) {
      ptx::init_barrier(&shared.k_full[i], 1);
      ptx::init_barrier(&shared.k_empty[i], kReleases);
      ptx::init_barrier(&shared.v_full[i], 1);
      ptx::init_barrier(&shared.v_empty[i], kReleases);
    }
    ptx::fence_barrier_init();
  }
  __syncthreads();

  // The template knows of the mask what Shape says: without it, its arithmetic goes.
  ForwardProblem of_kernel = problem;
  of_kernel.shape.causal = causal;
  if (warpgroup == 0) {
    ptx::give_registers<24>();
    if (threadIdx.x == 0) produce<key_rows>(shared, &q, &k, &v, of_kernel.shape);
  } else {
    ptx::take_registers<240>();
    consume<key_rows, causal, merging>(shared, of_kernel, warpgroup - 1);
  }
}

}  // namespace ringsim::cuda
