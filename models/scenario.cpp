#include "models/scenario.hpp"

#include "models/error.hpp"
#include "models/job_network.hpp"
#include "models/legality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ringsim {
namespace {

void check_placement(const Parallel& p, const Cluster& cluster) {
  if (p.gpus.empty()) return;
  const auto wrong = [](const std::string& what, const std::string& hint) {
    return Error(what, "parallel.placement", hint);
  };
  if (static_cast<std::int64_t>(p.gpus.size()) != p.product()) {
    throw wrong(fmt::format("{} GPUs are named for {} ranks", p.gpus.size(), p.product()), "a GPU for every rank");
  }
  std::vector<std::int64_t> sorted = p.gpus;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.front() < 0 || sorted.back() >= cluster.gpus()) {
    throw wrong(fmt::format("there is no GPU {}", sorted.front() < 0 ? sorted.front() : sorted.back()),
                fmt::format("0 to {}", cluster.gpus() - 1));
  }
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
    throw wrong(fmt::format("GPU {} has two ranks", *twice), "a GPU of its own for every rank");
  }
}

void check_jitter(const Jitter& jitter, const std::string& where) {
  if (jitter.distribution == Distribution::none) return;
  if (!(jitter.spread >= 0) || !std::isfinite(jitter.spread)) {
    throw Error(fmt::format("a spread of {}", jitter.spread), where, "a ratio from 0, such as 2%");
  }
  if (jitter.distribution == Distribution::pareto && (!(jitter.tail > 1) || !std::isfinite(jitter.tail))) {
    throw Error(fmt::format("a tail of {} has no mean", jitter.tail), where + ".tail", "above 1, such as 3");
  }
}

void check_noise(const Scenario& s) {
  for (const Straggler& straggler : s.noise.stragglers) {
    if (straggler.rank < 0 || straggler.rank >= s.parallel.ring) {
      throw Error(fmt::format("straggler {} is not a rank of the ring", straggler.rank), "noise.stragglers",
                  fmt::format("a rank from 0 to {}", s.parallel.ring - 1));
    }
    if (!(straggler.slowdown > 0) || !std::isfinite(straggler.slowdown)) {
      throw Error(fmt::format("a slowdown of {}", straggler.slowdown), "noise.stragglers",
                  "a factor above 0, such as 1.2");
    }
  }
  check_jitter(s.noise.compute, "noise.compute");
  check_jitter(s.noise.links, "noise.links");
  const auto is_gpu = [&](std::int64_t gpu) { return gpu >= 0 && gpu < s.cluster.gpus(); };
  const std::string legal = fmt::format("a GPU from 0 to {}", s.cluster.gpus() - 1);
  for (const Failure& failure : s.noise.failures) {
    if (failure.gpu && !is_gpu(*failure.gpu)) {
      throw Error(fmt::format("there is no GPU {}", *failure.gpu), "noise.failures", legal);
    }
  }
  for (const BackgroundFlow& flow : s.noise.background) {
    for (const std::int64_t gpu : {flow.from_gpu, flow.to_gpu}) {
      if (!is_gpu(gpu)) throw Error(fmt::format("there is no GPU {}", gpu), "noise.background", legal);
    }
    if (flow.from_gpu == flow.to_gpu) {
      throw Error(fmt::format("GPU {} sends to itself", flow.from_gpu), "noise.background", "two different GPUs");
    }
  }
}

}  // namespace

void check(const Scenario& s) {
  if (s.workload.batch < 1)
    throw Error(fmt::format("a batch of {} sequences", s.workload.batch), "workload.batch", "at least 1");
  check_degrees(s);
  check_placement(s.parallel, s.cluster);
  check_tokens(s);
  static_cast<void>(peak(s.cluster.gpu, s.workload.dtype));
  check_options(s);
  if (s.profile.calibrated && s.workload.dtype == Dtype::fp8) {
    throw Error(fmt::format("profile {} holds no fp8 attention", s.profile.name), "workload.dtype",
                "bf16, or profile: datasheet");
  }
  check_noise(s);
  check_job_network(s.parallel, s.cluster, s.noise, s.ring);
}

}  // namespace ringsim
