#pragma once
// A scenario, resolved: everything that a prediction needs, with no default left open.

#include "models/device.hpp"
#include "models/documents.hpp"
#include "models/noise.hpp"
#include "models/plan.hpp"
#include "models/profile.hpp"
#include "models/serving.hpp"
#include "models/training.hpp"
#include "models/transformer.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim {

enum class Phase { prefill, train, backward, decode };
enum class Scope { attention, model };

constexpr std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::prefill:
      return "prefill";
    case Phase::train:
      return "train";
    case Phase::backward:
      return "backward";
    case Phase::decode:
      break;
  }
  return "decode";
}
/// Which passes of attention a phase runs. `backward` is the second half of `train` by itself, as benchmarks time it.
constexpr bool runs_forward(Phase phase) { return phase != Phase::backward; }
constexpr bool runs_backward(Phase phase) { return phase == Phase::train || phase == Phase::backward; }
constexpr std::string_view name_of(Scope scope) { return scope == Scope::attention ? "attention" : "model"; }

struct Workload {
  Phase phase = Phase::prefill;
  std::int64_t tokens = 0;  // of one whole sequence, over all ranks; of a decode step: in the cache already
  std::int64_t batch = 1;   // sequences in all; data parallelism divides it
  bool causal = true;
  Dtype dtype = Dtype::bf16;
  Scope scope = Scope::attention;
  std::int64_t cached = 0;  // prefill: tokens of each sequence before `tokens`, whose K/V are in the cache already
  std::int64_t chunk = 0;   // prefill: tokens of a sequence that one pass takes, over all ranks; 0: all of them
  std::int64_t output_tokens = 1;        // decode: tokens that each sequence is given
  std::optional<Documents> documents{};  // packed into the sequences; absent: a sequence is one document
};

/// One value of the resolved scenario for `show`: "parallel.ring" = "8", from "file.yaml:7:11" | "default" |
/// "library/clusters/dgx-h100.yaml:3:1" | "--set".
struct ResolvedValue {
  std::string key;
  std::string text;
  std::string origin;
};

struct Scenario {
  std::string name;
  Transformer model;
  Workload workload;
  Cluster cluster;
  Parallel parallel;
  RingOptions ring;
  Profile profile;
  Noise noise;
  Training training;
  Serving serving;
  std::optional<double> price_per_gpu_hour;       // in the user's currency
  std::optional<double> price_per_kilowatt_hour;  // the same
  std::vector<std::string> warnings;              // noticed while reading
  std::vector<ResolvedValue> resolved;            // in the order of the scenario language
  std::string hash;                               // 16 hexadecimal digits of FNV-1a over `resolved` keys and texts
};

/// Checks what spans several parts (degrees against heads, GPUs, batch, layout divisibility, fp8 against the profile,
/// straggler ranks ...). Throws Error with the key in `where` ("parallel.tensor") and the legal values in `hint`.
void check(const Scenario& scenario);

/// Sequences that one data-parallel rank works on.
[[nodiscard]] inline std::int64_t batch_of_rank(const Scenario& s) { return s.workload.batch / s.parallel.data; }

}  // namespace ringsim
