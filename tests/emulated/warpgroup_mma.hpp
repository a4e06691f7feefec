#pragma once
// wgmma on the CPU: D (+)= A·B by the 128 threads of a warpgroup, D 64 x n in fp32, A 64 x 16 and B 16 x n in bf16 (PTX
// ISA, "wgmma.mma_async"). Written from that text alone, so that it judges the kernel's index arithmetic and
// does not share it.
//
// It is as asynchronous as the hardware is: operands in shared memory and in registers are read at random moments after
// the commit of their group, by each warp (16 rows of D) for itself, and a wait lasts until that has happened. Until
// the wait D's registers are NaN.

#include "tests/emulated/fibers.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace ringsim::emulated {

/// A matrix in shared memory, as the 64-bit descriptor says ("Matrix Descriptor Format"): bits 0 to 13 the start
/// address, 16 to 29 the leading and 32 to 45 the stride offset, each in units of 16 bytes; 49 to 51 the base offset;
/// 62 and 63 the swizzle, of which this knows 1, 128 bytes.
struct MatrixDescriptor {
  std::uint32_t start = 0, leading_bytes = 0, stride_bytes = 0;
};
/// Throws Error for what is not emulated.
[[nodiscard]] MatrixDescriptor decode_descriptor(std::uint64_t descriptor);

/// Which index of a matrix runs along its rows of 128 bytes: k, or that of A's rows or B's columns ("MN-major",
/// "transposed").
enum class Major { k, mn };

/// Elements (i, k), k = 0 to 15, i = 0 to count − 1, at to[k·count + i]; count is a multiple of 8.
void read_matrix(std::uint64_t descriptor, Major major, std::size_t count, float* to);

/// An instruction as one thread gives it.
struct Multiplication {
  std::size_t n = 0;
  bool accumulate = true;
  const std::uint32_t* a = nullptr;  // its four registers, two bf16 each; null: A is in shared memory, k-major
  std::uint64_t a_descriptor = 0;
  std::uint64_t b_descriptor = 0;
  Major b_major = Major::k;
};

class WarpgroupMma {
 public:
  explicit WarpgroupMma(std::size_t threads);
  ~WarpgroupMma();
  WarpgroupMma(const WarpgroupMma&) = delete;
  WarpgroupMma& operator=(const WarpgroupMma&) = delete;
  /// wgmma.fence: what the thread has done to registers comes before what follows.
  void fence();
  /// `d`: n/2 registers of the thread.
  void multiply(float* d, const Multiplication& asked);
  void commit();
  /// Until all groups but the latest `pending` are done.
  void wait(std::size_t pending);
  void check_at_end() const;

 private:
  struct Accumulator;
  struct Operation;
  struct InFlight {
    float* registers = nullptr;
    std::shared_ptr<Accumulator> accumulator;
    std::size_t last_operation = 0;
  };
  struct Thread {
    bool fenced = false;
    std::size_t operations = 0;      // given so far
    std::size_t commits = 0;         // so far
    std::deque<std::size_t> groups;  // committed, not waited for: `operations` at the commit
    std::vector<InFlight> in_flight;
  };
  /// A group, of which `threads` have committed the operations before number `end`.
  struct Group {
    std::size_t end = 0;
    std::size_t threads = 0;
  };
  struct Warpgroup {
    std::deque<Group> groups;
    std::size_t first_group = 0;  // the number of groups.front()
    std::deque<Operation> operations;
    std::size_t first = 0;              // the number of operations.front()
    std::array<std::size_t, 4> done{};  // operations that each warp has executed
    WaitList waiting;
  };
  Operation& operation(Warpgroup& warpgroup, std::size_t number, const Multiplication& asked);
  InFlight& accumulator(Thread& thread, std::size_t in_warpgroup, float* d, Operation& operation);
  void execute_next(Warpgroup& warpgroup, std::size_t warp);

  std::vector<Thread> threads_;
  std::vector<Warpgroup> warpgroups_;
};

}  // namespace ringsim::emulated
