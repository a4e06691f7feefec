// From calls of attention kernels to shapes, which are the keys of plans: what makes two calls share a plan, and what
// is refused.
#include "kernels/cuda/attention.hpp"
#include "kernels/cuda/cudnn/scratch.hpp"
#include "kernels/cuda/cudnn/shapes.hpp"
#include "models/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace ringsim::cuda::cudnn {
namespace {

/// What addresses point into; never read.
alignas(256) std::array<std::byte, 0x20000> memory{};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

template <class T>
T* address(std::size_t offset) {
  return reinterpret_cast<T*>(memory.data() + offset);
}

/// 8 query heads on 2 key/value heads of 128, 64 queries on 32 keys.
ForwardCall forward_call() {
  ForwardCall call;
  call.q = contiguous(address<const Bf16>(0x1000), 8, 64, 128);
  call.k = contiguous(address<const Bf16>(0x2000), 2, 32, 128);
  call.v = contiguous(address<const Bf16>(0x3000), 2, 32, 128);
  call.o = contiguous(address<Bf16>(0x4000), 8, 64, 128);
  call.lse = contiguous(address<float>(0x5000), 8, 64, 1);
  return call;
}

BackwardCall backward_call() {
  BackwardCall call;
  call.q = contiguous(address<const Bf16>(0x1000), 8, 64, 128);
  call.k = contiguous(address<const Bf16>(0x2000), 2, 32, 128);
  call.v = contiguous(address<const Bf16>(0x3000), 2, 32, 128);
  call.o = contiguous(address<const Bf16>(0x4000), 8, 64, 128);
  call.d_out = contiguous(address<const Bf16>(0x6000), 8, 64, 128);
  call.lse = contiguous(address<const float>(0x5000), 8, 64, 1);
  call.dq = contiguous(address<Bf16>(0x7000), 8, 64, 128);
  call.dk = contiguous(address<Bf16>(0x8000), 2, 32, 128);
  call.dv = contiguous(address<Bf16>(0x9000), 2, 32, 128);
  return call;
}

std::string refusal(const std::function<void(ForwardCall&)>& change) {
  ForwardCall call = forward_call();
  change(call);
  try {
    static_cast<void>(shape_of(call));
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

TEST(CudnnShape, HasTheCallsNumbers) {
  const AttentionShape shape = shape_of(forward_call());
  EXPECT_EQ(shape.heads, 8);
  EXPECT_EQ(shape.kv_heads, 2);
  EXPECT_EQ(shape.queries, 64);
  EXPECT_EQ(shape.keys, 32);
  EXPECT_EQ(shape.dim, 128);
  EXPECT_EQ(shape.v_dim, 128);
  EXPECT_EQ(shape.q, (Layout{8192, 128}));
  EXPECT_EQ(shape.k, (Layout{4096, 128}));
  EXPECT_EQ(shape.lse, (Layout{64, 1}));
  EXPECT_EQ(shape.dq, Layout{});
}

// Addresses and the scale may change from call to call. Lengths, the mask, and distances of heads are of the plan.
TEST(CudnnShape, KeysOfPlansAreShapeStridesAndMask) {
  const AttentionShape shape = shape_of(forward_call());
  ForwardCall call = forward_call();
  call.q.data = address<const Bf16>(0x10000);
  call.scale = 0.125;
  EXPECT_EQ(shape_of(call), shape);
  call.causal = true;
  EXPECT_NE(shape_of(call), shape);
  call = forward_call();
  call.k.rows = call.v.rows = 16;  // half of the same block: as many numbers between heads, fewer rows
  EXPECT_NE(shape_of(call), shape);
  call = forward_call();
  call.o.head_stride *= 2;
  EXPECT_NE(shape_of(call), shape);
}

// Keys of a map: each in its place, and found again.
TEST(CudnnShape, ShapesAreOrdered) {
  std::map<AttentionShape, int> plans;
  for (const bool causal : {false, true}) {
    for (const std::int64_t stride : {8192, 16384}) {
      ForwardCall call = forward_call();
      call.causal = causal;
      call.q.head_stride = stride;
      plans[shape_of(call)] = static_cast<int>(stride) + (causal ? 1 : 0);
    }
  }
  EXPECT_EQ(plans.size(), 4U);
  ForwardCall call = forward_call();
  call.causal = true;
  EXPECT_EQ(plans.at(shape_of(call)), 8192 + 1);
}

TEST(CudnnShape, BackwardHasTheLayoutsOfGradients) {
  BackwardCall call = backward_call();
  call.dk.head_stride = 5000;
  const AttentionShape shape = shape_of(call);
  EXPECT_EQ(shape.dk, (Layout{5000, 128}));
  EXPECT_EQ(shape.dq, (Layout{8192, 128}));
  call.dv.rows = 31;
  EXPECT_THROW(static_cast<void>(shape_of(call)), Error);
}

TEST(CudnnShape, WhatDoesNotFitIsRefusedInWords) {
  EXPECT_EQ(refusal([](ForwardCall&) {}), "");
  EXPECT_THAT(refusal([](ForwardCall& call) { call.k.heads = call.v.heads = 3; }),
              ::testing::HasSubstr("k [3][32][128]"));
  EXPECT_THAT(refusal([](ForwardCall& call) { call.k.dim = 64; }), ::testing::HasSubstr("k [2][32][64]"));
  EXPECT_THAT(refusal([](ForwardCall& call) { call.o.dim = 64; }), ::testing::HasSubstr("o [8][64][64]"));
  EXPECT_THAT(refusal([](ForwardCall& call) { call.lse.rows = 63; }), ::testing::HasSubstr("lse [8][63][1]"));
  EXPECT_THAT(refusal([](ForwardCall& call) { call.k.rows = call.v.rows = 0; }), ::testing::HasSubstr("is empty"));
}

// Plans are built for rows of vectors on multiples of 16 bytes, and for statistics, one number a row, that begin at any query: the triangle of a
// striped ring begins at the second one, 4 bytes in. A row of 128 numbers is 256 bytes, so that its other tensors stay on theirs.
TEST(CudnnShape, AddressesOfVectorsAreMultiplesOf16AndStatisticsBeginAnywhere) {
  EXPECT_EQ(refusal([](ForwardCall& call) { call.lse = contiguous(address<float>(0x5000), 8, 65, 1).part(1, 64); }),
            "");
  EXPECT_THAT(refusal([](ForwardCall& call) { call.lse = contiguous(address<float>(0x5002), 8, 64, 1); }),
              ::testing::HasSubstr("lse [8][64][1] is no multiple of 4"));
  EXPECT_THAT(refusal([](ForwardCall& call) { call.q = contiguous(address<const Bf16>(0x5008), 8, 64, 128); }),
              ::testing::HasSubstr("q [8][64][128] is no multiple of 16"));
}

// Pieces of the scratch memory begin at multiples of 256 bytes.
TEST(CudnnScratch, PiecesAreAligned) {
  EXPECT_EQ(aligned(0), 0U);
  EXPECT_EQ(aligned(1), 256U);
  EXPECT_EQ(aligned(256), 256U);
  EXPECT_EQ(aligned(257), 512U);
}

}  // namespace
}  // namespace ringsim::cuda::cudnn
