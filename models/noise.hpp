#pragma once
// What disturbs an ideal run. A description; models/jitter.hpp draws from it.

#include "models/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim {

enum class Distribution { none, normal, lognormal, pareto };
constexpr std::string_view name_of(Distribution d) {
  return d == Distribution::normal      ? "normal"
         : d == Distribution::lognormal ? "lognormal"
         : d == Distribution::pareto    ? "pareto"
                                        : "none";
}

/// A random factor on times, drawn anew for every operation. normal and lognormal have mean 1 and the standard deviation
/// `spread`; pareto is never below 1 and has mean 1 + `spread` and tail index `tail` (operating systems, page faults).
struct Jitter {
  Distribution distribution = Distribution::none;
  double spread = 0.0;
  double tail = 3.0;  // pareto: P(excess > x) falls as x^-tail; above 1
  friend bool operator==(const Jitter&, const Jitter&) = default;
};

/// A rank whose compute is slower than the profile says, all the time.
struct Straggler {
  std::int64_t rank = 0;  // ring rank, in every ring of the job
  double slowdown = 1.0;  // compute times are multiplied by it
  friend bool operator==(const Straggler&, const Straggler&) = default;
};

/// A link that is slower than its data sheet from a time on.
struct SlowLink {
  std::string link;        // name of a network link (models/topology/network.hpp)
  double bandwidth = 1.0;  // what is left of its bandwidth: above 0, at most 1
  Duration from;           // 0: from the start
  friend bool operator==(const SlowLink&, const SlowLink&) = default;
};

/// A link, or a GPU with its rank, that stops for good.
struct Failure {
  std::string link;                 // empty: a GPU fails
  std::optional<std::int64_t> gpu;  // global index
  Duration at;
  friend bool operator==(const Failure&, const Failure&) = default;
};

/// Traffic of somebody else between two GPUs of the cluster, as much as it gets, or at a rate of its own.
struct BackgroundFlow {
  std::int64_t from_gpu = 0;
  std::int64_t to_gpu = 0;
  std::optional<Bandwidth> rate;  // at most; absent: its fair share of every link
  Duration start;
  std::optional<Duration> end;  // absent: until the job ends
  friend bool operator==(const BackgroundFlow&, const BackgroundFlow&) = default;
};

struct Noise {
  Jitter compute;  // of every kernel
  Jitter links;    // of every hop: its whole time, α included
  std::vector<Straggler> stragglers;
  std::vector<SlowLink> slow_links;
  std::vector<Failure> failures;
  std::vector<BackgroundFlow> background;
  [[nodiscard]] bool random() const {
    return compute.distribution != Distribution::none || links.distribution != Distribution::none;
  }
  friend bool operator==(const Noise&, const Noise&) = default;
};

}  // namespace ringsim
