#pragma once
// Barriers of PTX: the asynchronous ones, which lie in shared memory (PTX ISA, "mbarrier"), and the sixteen
// that have a number ("barrier").

#include "tests/emulated/fibers.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ringsim::emulated {

/// A phase of a barrier ends when as many have arrived as it was made for and all bytes that were announced have come;
/// then the next one begins with the same count.
class AsyncBarriers {
 public:
  /// `address` in shared memory, a multiple of 8. Throws Error where there is one already.
  void init(std::uint32_t address, std::uint32_t arrivals);
  /// What makes barriers visible to the units that copy. Asked for before the first use by a copy.
  void fence_init();
  void arrive(std::uint32_t address);
  /// Announces bytes, then arrives.
  void arrive_expecting(std::uint32_t address, std::uint32_t bytes);
  /// Bytes have come. May be before they are announced.
  void complete(std::uint32_t address, std::uint32_t bytes);
  /// Throws Error unless a fence has followed the init.
  void use_by_copy(std::uint32_t address);
  /// Waits until the phase of this parity has ended: that is when the current one has the other parity.
  void wait(std::uint32_t address, std::uint32_t parity);
  /// Throws Error where announced bytes have not come.
  void check_at_end() const;

 private:
  struct Barrier {
    std::uint32_t arrivals = 0;
    std::uint32_t missing = 0;
    std::int64_t bytes = 0;
    std::uint32_t parity = 0;
    bool visible_to_copies = false;
    WaitList waiting;
  };
  Barrier& at(std::uint32_t address);
  static void end_phase_if_complete(Barrier& barrier);
  static void take_arrival(Barrier& barrier, std::uint32_t address);

  std::map<std::uint32_t, Barrier> barriers_;
};

class NamedBarriers {
 public:
  /// Counts the thread; `threads` is how many the barrier collects.
  void arrive(unsigned barrier, unsigned threads);
  /// Counts the thread and waits for the others.
  void sync(unsigned barrier, unsigned threads);
  /// Throws Error where threads have arrived at a barrier that never was complete.
  void check_at_end() const;

 private:
  struct Barrier {
    unsigned threads = 0;
    std::vector<std::size_t> arrived;
    std::uint64_t generation = 0;
    WaitList waiting;
  };
  Barrier& count(unsigned barrier, unsigned threads);

  std::array<Barrier, 16> barriers_;
};

}  // namespace ringsim::emulated
