#pragma once
// The contest for SMs (non-preemptive, first ready first served): when does a transfer kernel get the SMs it needs?
//
// A compute kernel fills all SMs from its start to its end. A transfer that becomes ready at p while a kernel that started
// before p is running waits for that kernel's end; it then goes before any later kernel, since it was ready first. A
// transfer that is ready no later than a kernel's start runs beside it. So  p' = end of the kernel with start < p < end,
// else p; kernels of one stream are disjoint, so at most one contains p.
//
// Rings of equal ranks make p and a kernel's start the same moment on purpose (the same times added up in another order). There
// rounding must not decide, or engines would differ by whole kernels: moments within 1e-13 of themselves are one.

#include "models/clones.hpp"
#include "sim/recurrence/registers.hpp"

#include <cstdint>
#include <deque>

namespace ringsim::sim {

/// What is earlier than a moment t is before this.
RINGSIM_IN_CLONES double before_moment(double t) {
  constexpr double moment = 1e-13;
  return t * (1.0 - moment);
}

/// granted = end where start < p < end of requests p, else what it is.
void grant_at_end(const double* start, const double* end, const double* p, std::int64_t n, double* granted);

class KernelLog {
 public:
  explicit KernelLog(Registers& registers) : registers_(registers) {}
  ~KernelLog() { forget_before(next_); }
  KernelLog(const KernelLog&) = delete;
  KernelLog& operator=(const KernelLog&) = delete;
  KernelLog(KernelLog&&) = delete;
  KernelLog& operator=(KernelLog&&) = delete;

  /// Remembers a kernel by the handles of its start and end times; takes a reference to both.
  void add(Registers::Handle start, Registers::Handle end) {
    registers_.retain(start);
    registers_.retain(end);
    log_.push_back({start, end});
    ++next_;
  }
  /// Number of the next kernel: a mark for forget_before.
  [[nodiscard]] std::int64_t next() const { return next_; }
  /// Kernels numbered below `mark` have ended before anything that is still to be asked for.
  void forget_before(std::int64_t mark) {
    while (!log_.empty() && next_ - static_cast<std::int64_t>(log_.size()) < mark) {
      registers_.release(log_.front().start);
      registers_.release(log_.front().end);
      log_.pop_front();
    }
  }
  /// Number of kernels that are remembered, and the ends of the i-th of them.
  [[nodiscard]] std::size_t size() const { return log_.size(); }
  [[nodiscard]] Registers::Handle start(std::size_t i) const { return log_[i].start; }
  [[nodiscard]] Registers::Handle end(std::size_t i) const { return log_[i].end; }
  /// granted = p' for requests p, per rank.
  void grant(Registers::Handle requests, Registers::Handle granted) {
    registers_.view(granted) = registers_.view(requests);
    for (const Kernel& kernel : log_) {
      grant_at_end(registers_.at(kernel.start), registers_.at(kernel.end), registers_.at(requests),
                   registers_.layout().extent(), registers_.at(granted));
    }
  }

 private:
  struct Kernel {
    Registers::Handle start;
    Registers::Handle end;
  };
  Registers& registers_;
  std::deque<Kernel> log_;
  std::int64_t next_ = 0;
};

}  // namespace ringsim::sim
