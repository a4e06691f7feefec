#pragma once
// The sentences that answer a planner's first three questions: how long, do transfers hide, does it fit.

#include "models/scenario.hpp"
#include "sim/prediction.hpp"
#include "sim/summarize.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace ringsim::reports {

/// A sentence and whether it is good news.
struct Verdict {
  std::string text;
  bool good = true;
};

/// "NAME: prefill attention of 80 layers over 1,048,576 tokens takes 14.02 s on 64 GPUs (between 12.90 s and 15.20 s)."
/// Of a whole model: "NAME: a training step of 16 sequences of 8,192 tokens takes 2.100 s on 64 GPUs: 62,420 tokens/s, MFU
/// 41.0 %."
[[nodiscard]] std::string answer(const sim::Prediction& prediction, const Scenario& scenario);

/// Transfers hide where waiting for them takes at most 1 % of the slowest rank's time, the tolerance of the simulated
/// B_min. Where collectives take part it speaks of all communication.
[[nodiscard]] Verdict transfers_verdict(const sim::Prediction& prediction);
/// The same of a measured run.
[[nodiscard]] Verdict transfers_verdict(const sim::RunSummary& run, std::int64_t ring);

/// Whether it fits; empty where that is not known, since not everything is counted and the rest is not too much yet.
[[nodiscard]] std::optional<bool> fits(const Memory& memory);

/// "weights: ...; ...": what is not counted.
[[nodiscard]] std::string missing_text(const Memory& memory);

[[nodiscard]] Verdict memory_verdict(const Memory& memory);

/// Whether requests have to wait for cache.
[[nodiscard]] Verdict serving_verdict(const sim::ServingSummary& serving);

/// The B_min to go by: simulated where that was asked for, else calibrated; empty where no block hides the hop.
struct BlockMinimum {
  bool simulated = false;
  std::optional<double> tokens;
};
[[nodiscard]] BlockMinimum block_minimum(const sim::BlockMinima& minima);

/// The scenario's block against the most trustworthy B_min there is: simulated, else calibrated.
[[nodiscard]] Verdict block_verdict(const sim::BlockMinima& minima, std::int64_t block);

}  // namespace ringsim::reports
