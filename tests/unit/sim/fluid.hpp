#pragma once
// A ring whose kernels and incoming hops slow each other down, as a fluid: from one moment at which something ends to the
// next, everything under way advances at its rate. Slow and plain; shares nothing with the engine but the costs.
#include "tests/unit/sim/queues.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace ringsim::sim::rings {

class Fluid {
 public:
  Fluid(const Ring& ring, Passes passes) : ring_(ring) {
    for (const RankQueues& queues : queues_of(ring, passes)) ranks_.push_back({queues});
  }

  /// End of every rank's compute queue [s].
  std::vector<double> run() {
    while (true) {
      while (settle()) {
      }
      const double dt = until_next();
      if (dt == std::numeric_limits<double>::infinity()) break;
      advance(dt);
    }
    std::vector<double> ends;
    for (const Rank& rank : ranks_) ends.push_back(rank.last_end);
    return ends;
  }

 private:
  struct Rank {
    RankQueues queues;
    std::size_t computed = 0;     // kernels that have ended
    std::size_t transferred = 0;  // send-receives that have ended
    bool running = false;         // the next kernel
    double kernel_left = 0;       // at full speed
    bool posted = false;          // the next send-receive
    bool flying = false;          // its outgoing hop
    double hop_left = 0;
    bool sent = false;
    bool received = false;
    double last_end = 0;
  };

  [[nodiscard]] std::size_t next(std::size_t r) const { return (r + 1) % ranks_.size(); }
  [[nodiscard]] std::size_t before(std::size_t r) const { return (r + ranks_.size() - 1) % ranks_.size(); }
  [[nodiscard]] double start(std::size_t r) const { return ring_.start_s.empty() ? 0.0 : ring_.start_s[r]; }
  static bool done(int after, std::size_t ended) { return after < 0 || static_cast<std::size_t>(after) < ended; }

  // What happens without time passing; true if anything did.
  bool settle() {
    bool any = false;
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      Rank& rank = ranks_[r];
      if (now_ < start(r)) continue;
      const auto& compute = rank.queues.compute;
      if (!rank.running && rank.computed < compute.size() && done(compute[rank.computed].after, rank.transferred)) {
        rank.running = true;
        rank.kernel_left = compute[rank.computed].duration;
        any = true;
      }
      if (rank.running && rank.kernel_left <= 0) {
        rank.running = false;
        ++rank.computed;
        rank.last_end = now_;
        any = true;
      }
      const auto& transfer = rank.queues.transfer;
      if (!rank.posted && rank.transferred < transfer.size() && done(transfer[rank.transferred].after, rank.computed)) {
        rank.posted = true;
        any = true;
      }
    }
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      Rank& rank = ranks_[r];
      Rank& to = ranks_[next(r)];
      if (rank.posted && !rank.sent && !rank.flying && to.posted && to.transferred == rank.transferred) {
        rank.flying = true;
        rank.hop_left = rank.queues.transfer[rank.transferred].hop;
        any = true;
      }
      if (rank.flying && rank.hop_left <= 0) {
        rank.flying = false;
        rank.sent = to.received = true;
        any = true;
      }
    }
    for (Rank& rank : ranks_) {
      if (!rank.sent || !rank.received) continue;
      rank.posted = rank.sent = rank.received = false;
      ++rank.transferred;
      any = true;
    }
    return any;
  }

  // Of the kernel that rank r runs.
  [[nodiscard]] RateShares shares(std::size_t r) const { return ranks_[r].queues.compute[ranks_[r].computed].shares; }
  [[nodiscard]] double kernel_rate(std::size_t r) const { return ranks_[before(r)].flying ? shares(r).compute : 1.0; }
  [[nodiscard]] double hop_rate(std::size_t r) const {
    return ranks_[next(r)].running ? shares(next(r)).transfer : 1.0;
  }

  [[nodiscard]] double until_next() const {
    double dt = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      if (ranks_[r].running) dt = std::min(dt, ranks_[r].kernel_left / kernel_rate(r));
      if (ranks_[r].flying) dt = std::min(dt, ranks_[r].hop_left / hop_rate(r));
      if (start(r) > now_) dt = std::min(dt, start(r) - now_);
    }
    return dt;
  }

  void advance(double dt) {
    const auto ran = [dt](double left, double rate) { return left / rate == dt ? 0.0 : left - rate * dt; };
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      if (ranks_[r].running) ranks_[r].kernel_left = ran(ranks_[r].kernel_left, kernel_rate(r));
      if (ranks_[r].flying) ranks_[r].hop_left = ran(ranks_[r].hop_left, hop_rate(r));
    }
    // A start that the sum misses by rounding would never come.
    double to = now_ + dt;
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      if (start(r) > now_ && start(r) - now_ == dt) to = start(r);
    }
    now_ = to;
  }

  Ring ring_;
  std::vector<Rank> ranks_;
  double now_ = 0;
};

}  // namespace ringsim::sim::rings
