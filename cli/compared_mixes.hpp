#pragma once
// What mixes of two scenarios come to: each is predicted once, by one engine.

#include "scenarios/difference.hpp"
#include "sim/attribution.hpp"
#include "sim/predict.hpp"

#include <map>
#include <string>
#include <string_view>

namespace ringsim::cli {

class ComparedMixes {
 public:
  /// `how` for the mixes; A and B themselves are given, and their headline figure is `key` ("ttft_s").
  ComparedMixes(const scenarios::Difference& difference, sim::PredictOptions how, const sim::Prediction& a,
                const sim::Prediction& b);

  /// Why a mix cannot be run, or its time is not of the kind of A's and B's; empty where neither.
  [[nodiscard]] std::string obstacle(sim::Mix of_b);
  [[nodiscard]] double seconds(sim::Mix of_b) { return outcome(of_b).seconds; }
  [[nodiscard]] double memory_bytes(sim::Mix of_b) { return outcome(of_b).memory_bytes; }

 private:
  struct Outcome {
    double seconds = 0;
    double memory_bytes = 0;
    std::string obstacle{};
  };
  const Outcome& outcome(sim::Mix of_b);
  [[nodiscard]] Outcome run(sim::Mix of_b) const;
  [[nodiscard]] Outcome outcome_of(const sim::Prediction& prediction) const;

  const scenarios::Difference& difference_;
  sim::PredictOptions how_;
  std::string key_;
  std::map<sim::Mix, Outcome> known_;
};

}  // namespace ringsim::cli
