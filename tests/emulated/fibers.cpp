#include "tests/emulated/fibers.hpp"

#include "models/error.hpp"

#include <cstdint>
#include <map>
#include <utility>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

namespace ringsim::emulated {
namespace {

constexpr std::size_t kStackBytes = std::size_t{256} << 10U;

/// Stacks are kept for the next block: a block of 384 threads has 96 MiB of them, of which the system gives what is
/// touched.
std::vector<std::unique_ptr<std::byte[]>>& spare_stacks() {
  thread_local std::vector<std::unique_ptr<std::byte[]>> stacks;
  return stacks;
}

void leaving([[maybe_unused]] void** fake, [[maybe_unused]] const void* to, [[maybe_unused]] std::size_t bytes) {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(fake, to, bytes);
#endif
}

void arrived([[maybe_unused]] void* fake, [[maybe_unused]] const void** from, [[maybe_unused]] std::size_t* bytes) {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(fake, from, bytes);
#endif
}

}  // namespace

Fibers::Fibers(std::size_t count, std::uint64_t seed)
    : fibers_(count), runnable_((count + kGroup - 1) / kGroup), random_(seed), live_(count) {
  auto& spare = spare_stacks();
  for (auto& fiber : fibers_) {
    if (spare.empty()) {
      fiber.stack = std::make_unique_for_overwrite<std::byte[]>(kStackBytes);
    } else {
      fiber.stack = std::move(spare.back());
      spare.pop_back();
    }
  }
}

Fibers::~Fibers() {
  for (auto& fiber : fibers_) spare_stacks().push_back(std::move(fiber.stack));
}

void Fibers::run(const std::function<void()>& body) {
  body_ = &body;
  scheduler_.begun = true;
  for (std::size_t i = 0; i < fibers_.size(); ++i) {
    prepare(fibers_[i]);
    make_runnable(i);
  }
  while (live_ > 0) {
    if (!tasks_.empty() && draw(8) == 0) step_task();
    std::size_t fiber = 0;
    while (!next(fiber)) {
      if (tasks_.empty()) report_deadlock();
      step_task();
    }
    switch_to(fiber);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

void Fibers::prepare(Fiber& fiber) {
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  fiber.place.begun = false;
  getcontext(&fiber.place.context);
  fiber.place.context.uc_stack.ss_sp = fiber.stack.get();
  fiber.place.context.uc_stack.ss_size = kStackBytes;
  fiber.place.context.uc_link = nullptr;
  // makecontext passes ints: a pointer goes in halves.
  makecontext(&fiber.place.context, reinterpret_cast<void (*)()>(&Fibers::enter), 2, static_cast<unsigned>(self >> 32U),
              static_cast<unsigned>(self & 0xffffffffU));
}

void Fibers::enter(unsigned high, unsigned low) {
  auto& self = *reinterpret_cast<Fibers*>((static_cast<std::uintptr_t>(high) << 32U) | low);
  arrived(nullptr, &self.scheduler_stack_, &self.scheduler_stack_bytes_);
  try {
    (*self.body_)();
  } catch (...) {
    self.failure_ = std::current_exception();
  }
  self.fibers_[self.running_].ended = true;
  --self.live_;
  if (self.on_end) self.on_end();
  leaving(nullptr, self.scheduler_stack_, self.scheduler_stack_bytes_);
  go(self.fibers_[self.running_].place, self.scheduler_);
}

// swapcontext() asks the system for the signal mask, twice a switch, which would be most of the time of a test. AddressSanitizer
// knows that, and does not know what a jump to another stack is.
void Fibers::go(Place& from, Place& to) {
#ifdef __SANITIZE_ADDRESS__
  swapcontext(&from.context, &to.context);
#else
  if (_setjmp(from.waiting) != 0) return;
  if (to.begun) _longjmp(to.waiting, 1);
  to.begun = true;
  setcontext(&to.context);
#endif
}

void Fibers::switch_to(std::size_t fiber) {
  running_ = fiber;
  void* fake = nullptr;
  leaving(&fake, fibers_[fiber].stack.get(), kStackBytes);
  go(scheduler_, fibers_[fiber].place);
  arrived(fake, nullptr, nullptr);
}

void Fibers::switch_back() {
  void* fake = nullptr;
  leaving(&fake, scheduler_stack_, scheduler_stack_bytes_);
  go(fibers_[running_].place, scheduler_);
  arrived(fake, &scheduler_stack_, &scheduler_stack_bytes_);
}

bool Fibers::next(std::size_t& fiber) {
  if (favour_left_ == 0) {
    favoured_ = draw(runnable_.size());
    favour_left_ = 1 + draw(4000);
  }
  --favour_left_;
  std::size_t group = draw(8) == 0 ? draw(runnable_.size()) : favoured_;
  for (std::size_t tried = 0; runnable_[group].empty(); ++tried) {
    if (tried == runnable_.size()) return false;
    group = (group + 1) % runnable_.size();
  }
  auto& candidates = runnable_[group];
  std::swap(candidates[draw(candidates.size())], candidates.back());
  fiber = candidates.back();
  candidates.pop_back();
  return true;
}

void Fibers::spawn(std::function<bool()> step) {
  // Uniform in its logarithm: a delay of any order of magnitude up to what two blocks of keys take.
  tasks_.push_back({std::move(step), draw(2) == 0 ? 0 : std::size_t{1} << draw(13)});
}

void Fibers::step_task() {
  const std::size_t i = draw(tasks_.size());
  if (tasks_[i].delay > 0) {
    --tasks_[i].delay;
    return;
  }
  // A step may spawn, which moves the tasks: it runs from a variable of its own.
  auto step = std::exchange(tasks_[i].step, nullptr);
  if (step()) {
    tasks_.erase(tasks_.begin() + static_cast<std::ptrdiff_t>(i));
  } else {
    tasks_[i].step = std::move(step);
  }
}

void Fibers::maybe_yield(unsigned one_in) {
  if (draw(one_in) != 0) return;
  make_runnable(running_);
  switch_back();
}

void Fibers::block(WaitList& list, std::function<std::string()> what) {
  list.fibers.push_back(running_);
  fibers_[running_].waits_for = std::move(what);
  switch_back();
}

void Fibers::wake(WaitList& list) {
  for (const auto fiber : list.fibers) make_runnable(fiber);
  list.fibers.clear();
}

void Fibers::report_deadlock() const {
  struct Waiting {
    std::size_t first = 0, last = 0, count = 0;
  };
  std::map<std::string, Waiting> by_reason;
  for (std::size_t i = 0; i < fibers_.size(); ++i) {
    if (fibers_[i].ended) continue;
    auto& waiting = by_reason[fibers_[i].waits_for()];
    if (waiting.count == 0) waiting.first = i;
    waiting.last = i;
    ++waiting.count;
  }
  std::string text = "all threads of the block wait:";
  for (const auto& [reason, waiting] : by_reason) {
    text += " " + std::to_string(waiting.count) + " of threads " + std::to_string(waiting.first) + " to " +
            std::to_string(waiting.last) + " for " + reason + ";";
  }
  text.pop_back();
  throw Error(text);
}

}  // namespace ringsim::emulated
