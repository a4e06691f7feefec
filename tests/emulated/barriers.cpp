#include "tests/emulated/barriers.hpp"

#include "models/error.hpp"
#include "tests/emulated/block_state.hpp"

#include <algorithm>
#include <string>

namespace ringsim::emulated {

void AsyncBarriers::init(std::uint32_t address, std::uint32_t arrivals) {
  static_cast<void>(shared_at(address, 8));
  if (address % 8 != 0) throw Error("mbarrier at address " + std::to_string(address) + ", not a multiple of 8");
  if (arrivals == 0 || arrivals >= (1U << 20U)) {
    throw Error("mbarrier for " + std::to_string(arrivals) + " arrivals", {}, "1 to 2^20 - 1");
  }
  if (!barriers_.try_emplace(address, Barrier{arrivals, arrivals, 0, 0, false, {}}).second) {
    throw Error("mbarrier at address " + std::to_string(address) + ": init a second time");
  }
}

void AsyncBarriers::fence_init() {
  for (auto& [address, barrier] : barriers_) barrier.visible_to_copies = true;
}

AsyncBarriers::Barrier& AsyncBarriers::at(std::uint32_t address) {
  const auto found = barriers_.find(address);
  if (found == barriers_.end()) throw Error("mbarrier at address " + std::to_string(address) + ": not initialised");
  return found->second;
}

void AsyncBarriers::end_phase_if_complete(Barrier& barrier) {
  if (barrier.missing > 0 || barrier.bytes != 0) return;
  barrier.parity ^= 1U;
  barrier.missing = barrier.arrivals;
  current_block().fibers.wake(barrier.waiting);
}

void AsyncBarriers::take_arrival(Barrier& barrier, std::uint32_t address) {
  if (barrier.missing == 0) {
    throw Error("mbarrier at address " + std::to_string(address) + ": more than " + std::to_string(barrier.arrivals) +
                " arrivals in a phase");
  }
  --barrier.missing;
}

void AsyncBarriers::arrive(std::uint32_t address) {
  current_block().fibers.maybe_yield();
  auto& barrier = at(address);
  take_arrival(barrier, address);
  end_phase_if_complete(barrier);
}

void AsyncBarriers::arrive_expecting(std::uint32_t address, std::uint32_t bytes) {
  current_block().fibers.maybe_yield();
  auto& barrier = at(address);
  barrier.bytes += bytes;
  take_arrival(barrier, address);
  end_phase_if_complete(barrier);
}

void AsyncBarriers::complete(std::uint32_t address, std::uint32_t bytes) {
  auto& barrier = at(address);
  barrier.bytes -= bytes;
  end_phase_if_complete(barrier);
}

void AsyncBarriers::use_by_copy(std::uint32_t address) {
  if (!at(address).visible_to_copies) {
    throw Error("mbarrier at address " + std::to_string(address) + ": a copy uses it, and no fence followed its init");
  }
}

void AsyncBarriers::wait(std::uint32_t address, std::uint32_t parity) {
  auto& fibers = current_block().fibers;
  fibers.maybe_yield();
  auto& barrier = at(address);
  while (barrier.parity == parity) {
    fibers.block(barrier.waiting, [&barrier, address, parity] {
      return "mbarrier at address " + std::to_string(address) + ", parity " + std::to_string(parity) +
             ", which lacks " + std::to_string(barrier.missing) + " of " + std::to_string(barrier.arrivals) +
             " arrivals and " + std::to_string(barrier.bytes) + " bytes";
    });
  }
}

void AsyncBarriers::check_at_end() const {
  for (const auto& [address, barrier] : barriers_) {
    if (barrier.bytes != 0) {
      throw Error("the block ended while the mbarrier at address " + std::to_string(address) + " waits for " +
                  std::to_string(barrier.bytes) + " bytes");
    }
  }
}

NamedBarriers::Barrier& NamedBarriers::count(unsigned id, unsigned threads) {
  auto& block = current_block();
  block.fibers.maybe_yield();
  const std::string name = "named barrier " + std::to_string(id);
  if (id >= barriers_.size()) throw Error(name, {}, "0 to 15");
  if (threads == 0 || threads % 32 != 0 || threads > block.threads.size()) {
    throw Error(name + " for " + std::to_string(threads) + " threads", {}, "whole warps of the block");
  }
  auto& barrier = barriers_[id];
  if (!barrier.arrived.empty() && barrier.threads != threads) {
    throw Error(name + " for " + std::to_string(threads) + " threads, before for " + std::to_string(barrier.threads));
  }
  barrier.threads = threads;
  const std::size_t self = block.fibers.self();
  if (std::ranges::find(barrier.arrived, self) != barrier.arrived.end()) {
    throw Error(name + ": thread " + std::to_string(self) + " arrives twice");
  }
  barrier.arrived.push_back(self);
  if (barrier.arrived.size() == threads) {
    barrier.arrived.clear();
    ++barrier.generation;
    block.fibers.wake(barrier.waiting);
  }
  return barrier;
}

void NamedBarriers::arrive(unsigned id, unsigned threads) { count(id, threads); }

void NamedBarriers::sync(unsigned id, unsigned threads) {
  // The generation that the thread is counted for, before others run.
  auto& fibers = current_block().fibers;
  auto& barrier = count(id, threads);
  if (barrier.arrived.empty()) return;  // it was the last
  const std::uint64_t generation = barrier.generation;
  while (barrier.generation == generation) {
    fibers.block(barrier.waiting, [&barrier, id] {
      return "named barrier " + std::to_string(id) + ", where " + std::to_string(barrier.arrived.size()) + " of " +
             std::to_string(barrier.threads) + " threads have arrived";
    });
  }
}

void NamedBarriers::check_at_end() const {
  for (std::size_t id = 0; id < barriers_.size(); ++id) {
    if (!barriers_[id].arrived.empty()) {
      throw Error("the block ended while " + std::to_string(barriers_[id].arrived.size()) + " of " +
                  std::to_string(barriers_[id].threads) + " threads have arrived at named barrier " +
                  std::to_string(id));
    }
  }
}

}  // namespace ringsim::emulated
