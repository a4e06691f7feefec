// The contest for SMs against a simulation that shares nothing with the engine but the costs: rank by rank, from one
// moment at which something happens to the next, with two queues a rank.
//
// The rule (overlap of real rings): a compute kernel takes all SMs from its start to its end. A transfer that becomes
// ready while a kernel runs that started earlier waits for its end and then goes first; one that is ready no later than
// a kernel's start runs beside it. Nothing is interrupted, and a running transfer does not hold a kernel up. What waits
// for the other stream becomes ready the event latency late.
#include "tests/unit/sim/queues.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Ring;

constexpr double never = std::numeric_limits<double>::infinity();

struct Item : rings::QueueItem {
  double ready = never;  // when it could have started: its queue is free, its event (event latency ago) is there
  double posted = never;
  double hop_start = never;
  double end = never;
};

struct Rank {
  std::vector<Item> compute, transfer;
};

class BruteForce {
 public:
  BruteForce(const Ring& ring, Passes passes) : ring_(ring), n_(ring.ranks) {
    for (const rings::RankQueues& queues : rings::queues_of(ring, passes)) {
      Rank& rank = ranks_.emplace_back();
      for (const rings::QueueItem& item : queues.compute) rank.compute.push_back({item});
      for (const rings::QueueItem& item : queues.transfer) rank.transfer.push_back({item});
    }
  }

  std::vector<double> run() {
    double now = 0;
    while (now < never) {
      while (progress(now)) {
      }
      now = next(now);
    }
    std::vector<double> ends;
    for (const Rank& rank : ranks_) ends.push_back(rank.compute.back().end);
    return ends;
  }

 private:
  // When an item may start as far as its queue and its event are concerned.
  [[nodiscard]] double ready(const std::vector<Item>& own, const std::vector<Item>& other, std::size_t i,
                             std::int64_t r) const {
    double t = i > 0 ? own[i - 1].end : ring_.start_s.empty() ? 0.0 : ring_.start_s[static_cast<std::size_t>(r)];
    if (own[i].after >= 0) t = std::max(t, other[static_cast<std::size_t>(own[i].after)].end + ring_.event_latency_s);
    return t;
  }

  // Does what can be done at `now`; true if that was anything.
  bool progress(double now) {
    bool any = false;
    for (std::int64_t r = 0; r < n_; ++r) {
      Rank& rank = ranks_[static_cast<std::size_t>(r)];
      for (std::size_t i = 0; i < rank.transfer.size(); ++i) {
        Item& t = rank.transfer[i];
        if (t.ready == never) t.ready = ready(rank.transfer, rank.compute, i, r);
        if (t.ready <= now && t.posted == never && sms_free_for(rank, t.ready, now)) {
          t.posted = now;
          any = true;
        }
      }
      for (std::size_t i = 0; i < rank.compute.size(); ++i) {
        Item& k = rank.compute[i];
        if (k.posted != never) continue;
        k.ready = ready(rank.compute, rank.transfer, i, r);
        if (k.ready > now) break;
        k.posted = k.ready;
        k.end = k.ready + k.duration;
        any = true;
      }
    }
    // Hops whose both ends have posted.
    for (std::int64_t r = 0; r < n_; ++r) {
      Rank& rank = ranks_[static_cast<std::size_t>(r)];
      const Rank& next = ranks_[static_cast<std::size_t>((r + 1) % n_)];
      for (std::size_t i = 0; i < rank.transfer.size(); ++i) {
        Item& t = rank.transfer[i];
        if (t.hop_start != never || t.posted == never || next.transfer[i].posted == never) continue;
        t.hop_start = std::max(t.posted, next.transfer[i].posted);
        any = true;
      }
    }
    // Operations whose both hops are under way have an end.
    for (std::int64_t r = 0; r < n_; ++r) {
      Rank& rank = ranks_[static_cast<std::size_t>(r)];
      const Rank& previous = ranks_[static_cast<std::size_t>((r + n_ - 1) % n_)];
      for (std::size_t i = 0; i < rank.transfer.size(); ++i) {
        Item& t = rank.transfer[i];
        const Item& in = previous.transfer[i];
        if (t.end != never || t.hop_start == never || in.hop_start == never) continue;
        t.end = std::max(t.hop_start + t.hop, in.hop_start + in.hop);
        any = true;
      }
    }
    return any;
  }

  // No kernel is running that had started before the transfer was ready, and none will run at `now` that did.
  [[nodiscard]] bool sms_free_for(const Rank& rank, double ready_at, double now) const {
    if (!ring_.contest) return true;
    for (const Item& k : rank.compute) {
      if (k.posted < ready_at && now < k.end && k.posted != never) return false;
    }
    return true;
  }

  // The next moment at which something may happen.
  [[nodiscard]] double next(double now) const {
    double t = never;
    const auto consider = [&](double at) {
      if (at > now) t = std::min(t, at);
    };
    for (std::int64_t r = 0; r < n_; ++r) {
      const Rank& rank = ranks_[static_cast<std::size_t>(r)];
      for (std::size_t i = 0; i < rank.transfer.size(); ++i) {
        consider(ready(rank.transfer, rank.compute, i, r));
        consider(rank.transfer[i].end);
      }
      for (std::size_t i = 0; i < rank.compute.size(); ++i) {
        if (rank.compute[i].posted == never) consider(ready(rank.compute, rank.transfer, i, r));
        consider(rank.compute[i].end);
      }
    }
    return t;
  }

  Ring ring_;
  std::int64_t n_;
  std::vector<Rank> ranks_;
};

std::string text(const Ring& r, Passes passes) {
  return std::string(name_of(r.layout)) + (r.causal ? " causal" : " full") + " N " + std::to_string(r.ranks) + " S " +
         std::to_string(r.tokens) + " buffers " + std::to_string(r.buffers) + " layers " + std::to_string(r.layers) +
         " token_s " + std::to_string(r.token_s) + " merge " + std::to_string(r.merge_bytes_per_s) + " event " +
         std::to_string(r.event_latency_s) +
         (passes == Passes::forward    ? " forward"
          : passes == Passes::backward ? " backward"
                                       : " both") +
         (r.backward_travels == Rotation::q ? " q" : " kv") + (r.contest ? " contest" : "");
}

Ring random_ring(std::mt19937& random, bool contest) {
  const auto uniform = [&](double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); };
  const auto whole = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  };
  Ring ring{.ranks = whole(2, 5), .buffers = whole(2, 3), .layers = whole(1, 3)};
  ring.layout = std::array{Layout::contiguous, Layout::striped, Layout::zigzag}[static_cast<std::size_t>(whole(0, 2))];
  ring.tokens = ring.layout == Layout::zigzag ? 4 * ring.ranks : 3 * ring.ranks + whole(0, ring.ranks);
  ring.causal = whole(0, 2) > 0;
  ring.backward_travels = whole(0, 1) == 0 ? Rotation::kv : Rotation::q;
  ring.gradient = whole(0, 1) == 0 ? GradientDtype::bf16 : GradientDtype::fp32;
  // Whole numbers on purpose in half of the cases: then things happen at the same moment, and the tie decides.
  const bool ties = whole(0, 1) == 0;
  const auto some = [&](std::int64_t from, std::int64_t to) {
    return ties ? static_cast<double>(whole(from, to)) : uniform(static_cast<double>(from), static_cast<double>(to));
  };
  ring.pair_s = some(1, 4);
  ring.token_s = some(1, 8);
  ring.merge_bytes_per_s = whole(0, 1) == 0 ? 0 : some(4, 40);
  ring.contest = contest;
  ring.event_latency_s = contest ? some(0, 3) : 0;
  if (whole(0, 1) == 0) {
    for (std::int64_t r = 0; r < ring.ranks; ++r) {
      ring.slowdown.push_back(some(1, 3));
      ring.hop_factor.push_back(some(1, 3));
    }
  }
  if (whole(0, 2) == 0) {
    for (std::int64_t r = 0; r < ring.ranks; ++r) ring.start_s.push_back(some(0, 12));
  }
  return ring;
}

void expect_equal_to_brute_force(bool contest, unsigned seed, int cases) {
  std::mt19937 random(seed);
  for (int i = 0; i < cases; ++i) {
    const Ring ring = random_ring(random, contest);
    for (const Passes passes : {Passes::forward, Passes::backward, Passes::both}) {
      const std::vector<double> expected = BruteForce(ring, passes).run();
      const RunResult result = run(ring, passes);
      for (std::size_t r = 0; r < expected.size(); ++r) {
        ASSERT_NEAR(result.end_s[r], expected[r], 1e-12 * expected[r])
            << "case " << i << ", rank " << r << ": " << text(ring, passes);
      }
    }
  }
}

TEST(BruteForceRing, EqualsTheEngineWithoutAContest) { expect_equal_to_brute_force(false, 1, 400); }

TEST(BruteForceRing, EqualsTheEngineUnderAContest) { expect_equal_to_brute_force(true, 2, 800); }

// So that the agreement above is about something: the contest changes most of these runs.
TEST(BruteForceRing, IsChangedByTheContest) {
  std::mt19937 random(2);
  int changed = 0;
  for (int i = 0; i < 800; ++i) {
    Ring ring = random_ring(random, true);
    const double with = BruteForce(ring, Passes::both).run()[0];
    ring.contest = false;
    changed += with != BruteForce(ring, Passes::both).run()[0] ? 1 : 0;
  }
  EXPECT_GT(changed, 400);
}

}  // namespace
}  // namespace ringsim::sim
