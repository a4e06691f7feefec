#include "tests/emulated/warpgroup_mma.hpp"

#include "kernels/cuda/bf16.hpp"
#include "models/error.hpp"
#include "tests/emulated/block_state.hpp"
#include "tests/emulated/tensor_copy.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace ringsim::emulated {
namespace {

constexpr std::size_t kRows = 64, kDepth = 16, kThreads = 128, kWarpRows = 16;
using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Eight elements that lie side by side.
std::array<cuda::Bf16, 8> read_chunk(std::uint32_t address) {
  std::array<cuda::Bf16, 8> chunk{};
  std::memcpy(chunk.data(), shared_at(swizzle_128(address), 16), 16);
  return chunk;
}

/// Register i of the accumulator (figure of "wgmma .m64nNk16", matrix D): lane l of warp w has, of every eight columns
/// 8j, rows 16w + l/4 and 8 further down, columns 2(l mod 4) and the next; i = 4j, 4j + 1 in the upper row, 4j + 2, 4j
/// + 3 in the lower one.
std::pair<std::size_t, std::size_t> place_of_d(std::size_t thread, std::size_t i) {
  const std::size_t warp = thread / 32, lane = thread % 32;
  return {16 * warp + lane / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * (lane % 4) + i % 2};
}

/// Half h (0: bits 0 to 15) of register i of A (figure of matrix A in registers): rows as those of D; i = 0, 1 columns
/// 2(l mod 4) + h in the upper and lower row, i = 2, 3 eight columns further right.
std::pair<std::size_t, std::size_t> place_of_a(std::size_t thread, std::size_t i, std::size_t h) {
  const std::size_t warp = thread / 32, lane = thread % 32;
  return {16 * warp + lane / 4 + 8 * (i % 2), 8 * (i / 2) + 2 * (lane % 4) + h};
}

}  // namespace

struct WarpgroupMma::Accumulator {
  explicit Accumulator(std::size_t n) : values(kRows, n) {
    values.setConstant(std::numeric_limits<float>::quiet_NaN());
  }
  RowMajor values;
  std::array<bool, kThreads> taken{};  // threads whose registers are in it
};

struct WarpgroupMma::Operation {
  Multiplication asked;
  std::size_t arrived = 0;
  std::array<const std::uint32_t*, kThreads> a{};
  std::shared_ptr<Accumulator> d;
};

MatrixDescriptor decode_descriptor(std::uint64_t descriptor) {
  const auto field = [&](unsigned bit) { return static_cast<std::uint32_t>(descriptor >> bit & 0x3fffU) << 4U; };
  if (descriptor >> 62U != 1) throw Error("wgmma: a descriptor without the 128-byte swizzle");
  if ((descriptor >> 49U & 7U) != 0) throw Error("wgmma: a descriptor with a base offset");
  return {field(0), field(16), field(32)};
}

// Layouts with the 128-byte swizzle ("Shared Memory Matrix Layout", canonical layouts): rows of 128 bytes, eight of
// which are an atom of 1024.
//   k-major:  a row of memory is 64 k of one i; eight i make an atom; the next eight are stride_bytes further. Leading
// unused.
//   mn-major: a row of memory is 64 i of one k; eight k make an atom; the next eight k are stride_bytes further, the
// next 64 i leading_bytes.
void read_matrix(std::uint64_t descriptor, Major major, std::size_t count, float* to) {
  const auto matrix = decode_descriptor(descriptor);
  const auto narrow = [](std::size_t x) { return static_cast<std::uint32_t>(x); };
  if (major == Major::k) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < kDepth; k += 8) {
        const auto chunk = read_chunk(matrix.start + narrow(i / 8) * matrix.stride_bytes + narrow(i % 8 * 128 + k * 2));
        for (std::size_t e = 0; e < 8; ++e) to[(k + e) * count + i] = cuda::to_float(chunk[e]);
      }
    }
  } else {
    for (std::size_t k = 0; k < kDepth; ++k) {
      for (std::size_t i = 0; i < count; i += 8) {
        const auto chunk = read_chunk(matrix.start + narrow(i / 64) * matrix.leading_bytes +
                                      narrow(k / 8) * matrix.stride_bytes + narrow(k % 8 * 128 + i % 64 * 2));
        for (std::size_t e = 0; e < 8; ++e) to[k * count + i + e] = cuda::to_float(chunk[e]);
      }
    }
  }
}

WarpgroupMma::WarpgroupMma(std::size_t threads) : threads_(threads), warpgroups_((threads + kThreads - 1) / kThreads) {}
WarpgroupMma::~WarpgroupMma() = default;

void WarpgroupMma::fence() {
  auto& fibers = current_block().fibers;
  fibers.maybe_yield();
  threads_[fibers.self()].fenced = true;
}

WarpgroupMma::Operation& WarpgroupMma::operation(Warpgroup& warpgroup, std::size_t number,
                                                 const Multiplication& asked) {
  if (number < warpgroup.first) throw Error("wgmma: a thread gives an instruction that its warpgroup has done");
  if (number == warpgroup.first + warpgroup.operations.size()) {
    warpgroup.operations.emplace_back();
    warpgroup.operations.back().asked = asked;
  }
  auto& operation = warpgroup.operations[number - warpgroup.first];
  const auto& first = operation.asked;
  if (first.n != asked.n || first.accumulate != asked.accumulate || (first.a == nullptr) != (asked.a == nullptr) ||
      first.a_descriptor != asked.a_descriptor || first.b_descriptor != asked.b_descriptor ||
      first.b_major != asked.b_major) {
    throw Error("wgmma: threads of a warpgroup give different instructions");
  }
  return operation;
}

WarpgroupMma::InFlight& WarpgroupMma::accumulator(Thread& thread, std::size_t in_warpgroup, float* d,
                                                  Operation& operation) {
  for (auto& in_flight : thread.in_flight) {
    if (in_flight.registers != d) continue;
    if (operation.d == nullptr) operation.d = in_flight.accumulator;
    if (operation.d != in_flight.accumulator) throw Error("wgmma: threads of a warpgroup have different accumulators");
    return in_flight;
  }
  if (operation.d == nullptr) operation.d = std::make_shared<Accumulator>(operation.asked.n);
  if (std::exchange(operation.d->taken[in_warpgroup], true)) {
    throw Error("wgmma: threads of a warpgroup have different accumulators");
  }
  for (std::size_t i = 0; i < operation.asked.n / 2; ++i) {
    const auto [row, column] = place_of_d(in_warpgroup, i);
    if (operation.asked.accumulate) {
      operation.d->values(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) = d[i];
    }
    d[i] = std::numeric_limits<float>::quiet_NaN();
  }
  return thread.in_flight.emplace_back(InFlight{d, operation.d, 0});
}

void WarpgroupMma::multiply(float* d, const Multiplication& asked) {
  auto& fibers = current_block().fibers;
  fibers.maybe_yield(64);
  const std::size_t self = fibers.self();
  auto& thread = threads_[self];
  auto& warpgroup = warpgroups_[self / kThreads];
  if (asked.n == 0 || asked.n % 8 != 0 || asked.n > 256) throw Error("wgmma: n is " + std::to_string(asked.n));
  auto& op = operation(warpgroup, thread.operations, asked);
  const bool new_registers =
      std::ranges::none_of(thread.in_flight, [&](const InFlight& f) { return f.registers == d; }) || asked.a != nullptr;
  if (new_registers && !thread.fenced) throw Error("wgmma: no wgmma.fence since the registers may have been written");
  auto& in_flight = accumulator(thread, self % kThreads, d, op);
  in_flight.last_operation = thread.operations;
  op.a[self % kThreads] = asked.a;
  ++thread.operations;
  ++op.arrived;
}

/// The warp's 16 rows of the operation that is its next one.
void WarpgroupMma::execute_next(Warpgroup& warpgroup, std::size_t warp) {
  const auto& op = warpgroup.operations[warpgroup.done[warp] - warpgroup.first];
  const auto n = static_cast<Eigen::Index>(op.asked.n);
  RowMajor b(kDepth, n);
  read_matrix(op.asked.b_descriptor, op.asked.b_major, op.asked.n, b.data());
  Eigen::Matrix<float, kWarpRows, kDepth, Eigen::RowMajor> a;
  if (op.asked.a == nullptr) {
    RowMajor all(kDepth, kRows);
    read_matrix(op.asked.a_descriptor, Major::k, kRows, all.data());
    a = all.middleCols(static_cast<Eigen::Index>(warp * kWarpRows), kWarpRows).transpose();
  } else {
    for (std::size_t thread = 32 * warp; thread < 32 * (warp + 1); ++thread) {
      for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t h = 0; h < 2; ++h) {
          const auto [row, column] = place_of_a(thread, i, h);
          const cuda::Bf16 value{static_cast<std::uint16_t>(op.a[thread][i] >> (16U * h))};
          a(static_cast<Eigen::Index>(row % kWarpRows), static_cast<Eigen::Index>(column)) = cuda::to_float(value);
        }
      }
    }
  }
  auto rows = op.d->values.middleRows(static_cast<Eigen::Index>(warp * kWarpRows), kWarpRows);
  if (!op.asked.accumulate) rows.setZero();
  rows.noalias() += a * b;
  ++warpgroup.done[warp];
  const std::size_t done_by_all = *std::ranges::min_element(warpgroup.done);
  while (warpgroup.first < done_by_all) {
    warpgroup.operations.pop_front();
    ++warpgroup.first;
  }
}

void WarpgroupMma::commit() {
  auto& fibers = current_block().fibers;
  auto& thread = threads_[fibers.self()];
  auto& warpgroup = warpgroups_[fibers.self() / kThreads];
  const std::size_t end = thread.operations;
  thread.groups.push_back(end);
  const std::size_t number = thread.commits++;
  if (number == warpgroup.first_group + warpgroup.groups.size()) warpgroup.groups.push_back({end, 0});
  auto& group = warpgroup.groups[number - warpgroup.first_group];
  if (group.end != end) throw Error("wgmma: threads of a warpgroup commit different groups");
  if (++group.threads < kThreads) return;
  // Threads commit in order, so this is the front.
  warpgroup.groups.pop_front();
  ++warpgroup.first_group;
  for (std::size_t warp = 0; warp < 4; ++warp) {
    fibers.spawn([this, &warpgroup, warp, end] {
      if (warpgroup.done[warp] < end) execute_next(warpgroup, warp);
      if (warpgroup.done[warp] < end) return false;
      current_block().fibers.wake(warpgroup.waiting);
      return true;
    });
  }
}

void WarpgroupMma::wait(std::size_t pending) {
  auto& fibers = current_block().fibers;
  fibers.maybe_yield();
  const std::size_t self = fibers.self();
  auto& thread = threads_[self];
  auto& warpgroup = warpgroups_[self / kThreads];
  thread.fenced = false;
  if (thread.groups.size() <= pending) return;
  const std::size_t count = thread.groups[thread.groups.size() - 1 - pending];
  thread.groups.erase(thread.groups.begin(), thread.groups.end() - static_cast<std::ptrdiff_t>(pending));
  while (warpgroup.done[self / 32 % 4] < count) {
    fibers.block(warpgroup.waiting, [] { return "the other threads of the warpgroup (wgmma)"; });
  }
  std::erase_if(thread.in_flight, [&](const InFlight& in_flight) {
    if (in_flight.last_operation >= count) return false;
    const auto& values = in_flight.accumulator->values;
    for (std::size_t i = 0; i < static_cast<std::size_t>(values.cols()) / 2; ++i) {
      const auto [row, column] = place_of_d(self % kThreads, i);
      in_flight.registers[i] = values(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column));
    }
    return true;
  });
}

void WarpgroupMma::check_at_end() const {
  for (const auto& thread : threads_) {
    if (!thread.in_flight.empty()) throw Error("the block ended before a wait for its wgmma instructions");
  }
}

}  // namespace ringsim::emulated
