#pragma once
// A scenario, resolved: everything that a prediction needs, with no default left open.

#include "models/device.hpp"
#include "models/noise.hpp"
#include "models/plan.hpp"
#include "models/profile.hpp"
#include "models/transformer.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim {

enum class Phase { prefill, train };
enum class Scope { attention };

constexpr std::string_view name_of(Phase phase) { return phase == Phase::prefill ? "prefill" : "train"; }
constexpr std::string_view name_of(Scope) { return "attention"; }

struct Workload {
  Phase phase = Phase::prefill;
  std::int64_t tokens = 0;  // of one whole sequence, over all ranks
  std::int64_t batch = 1;   // sequences in all; data parallelism divides it
  bool causal = true;
  Dtype dtype = Dtype::bf16;
  Scope scope = Scope::attention;
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
  std::optional<double> price_per_gpu_hour;  // in the user's currency
  std::vector<std::string> warnings;         // noticed while reading
  std::vector<ResolvedValue> resolved;       // in the order of the scenario language
  std::string hash;                          // 16 hexadecimal digits of FNV-1a over `resolved` keys and texts
};

/// Checks what spans several parts (degrees against heads, GPUs, batch, layout divisibility, fp8 against the profile,
/// straggler ranks ...). Throws Error with the key in `where` ("parallel.tensor") and the legal values in `hint`.
void check(const Scenario& scenario);

/// Sequences that one data-parallel rank works on.
[[nodiscard]] inline std::int64_t batch_of_rank(const Scenario& s) { return s.workload.batch / s.parallel.data; }

}  // namespace ringsim
