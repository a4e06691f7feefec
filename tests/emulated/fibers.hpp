#pragma once
// Fibers that take turns, and work that proceeds between their turns: what a block of emulated CUDA threads is made of.
//
// Which fiber comes next is drawn. So that large lags between groups of threads occur, which a fair draw almost never
// shows, the draw favours one group of 128 threads (a warpgroup) for a while, then another.

#include <setjmp.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace ringsim::emulated {

/// Fibers that wait for one thing. Whoever makes it true wakes them, and they look again.
struct WaitList {
  std::vector<std::size_t> fibers;
};

class Fibers {
 public:
  Fibers(std::size_t count, std::uint64_t seed);
  ~Fibers();
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  /// Runs `body` on every fiber to its end. Throws what a fiber throws, and Error where all wait and no task is left.
  void run(const std::function<void()>& body);

  // For a fiber that is running.
  [[nodiscard]] std::size_t self() const { return running_; }
  /// Lets others go first, one time in `one_in`.
  void maybe_yield(unsigned one_in = 16);
  /// Waits until the list is woken. `what` is asked in a deadlock: what the fiber waits for, and how it stands.
  void block(WaitList& list, std::function<std::string()> what);
  void wake(WaitList& list);
  /// Work that proceeds by itself: a step each time it is called, at random moments, until it returns true. Begins soon
  /// or, as often, so late that whoever forgets to wait for it does not find it done.
  void spawn(std::function<bool()> step);

  [[nodiscard]] std::size_t live() const { return live_; }
  [[nodiscard]] std::size_t tasks() const { return tasks_.size(); }
  /// Called when a fiber has ended.
  std::function<void()> on_end;
  /// In [0, count).
  [[nodiscard]] std::size_t draw(std::size_t count) { return static_cast<std::size_t>(random_()) % count; }

 private:
  /// Where a fiber, or the scheduler, goes on.
  struct Place {
    ucontext_t context{};  // where it begins
    jmp_buf waiting{};     // where it has stopped
    bool begun = false;
  };
  struct Fiber {
    Place place;
    std::unique_ptr<std::byte[]> stack;
    std::function<std::string()> waits_for;
    bool ended = false;
  };
  struct Task {
    std::function<bool()> step;
    std::size_t delay = 0;  // calls that do nothing yet
  };
  void prepare(Fiber& fiber);
  static void go(Place& from, Place& to);
  static void enter(unsigned high, unsigned low);
  void switch_to(std::size_t fiber);
  void switch_back();
  void make_runnable(std::size_t fiber) { runnable_[fiber / kGroup].push_back(fiber); }
  [[nodiscard]] bool next(std::size_t& fiber);
  void step_task();
  [[noreturn]] void report_deadlock() const;

  static constexpr std::size_t kGroup = 128;
  std::vector<Fiber> fibers_;
  std::vector<std::vector<std::size_t>> runnable_;  // by group
  std::vector<Task> tasks_;
  std::mt19937_64 random_;
  std::size_t favoured_ = 0;
  std::size_t favour_left_ = 0;
  Place scheduler_;
  const std::function<void()>* body_ = nullptr;
  std::exception_ptr failure_;
  std::size_t running_ = 0;
  std::size_t live_ = 0;
  // Of AddressSanitizer, which must be told where the stack is.
  const void* scheduler_stack_ = nullptr;
  std::size_t scheduler_stack_bytes_ = 0;
};

}  // namespace ringsim::emulated
