#include "models/scenario.hpp"

#include "models/error.hpp"
#include "models/job_network.hpp"
#include "models/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ringsim {
namespace {

std::string divisors(std::int64_t n) {
  std::string text;
  for (std::int64_t d = 1; d <= n; ++d) {
    if (n % d == 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", d);
  }
  return text;
}

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

void check_degrees(const Scenario& s) {
  const Parallel& p = s.parallel;
  for (const Axis axis : all_axes) {
    if (p.degree(axis) < 1) {
      throw Error(fmt::format("a {} degree of {}", name_of(axis), p.degree(axis)),
                  fmt::format("parallel.{}", name_of(axis)), "at least 1");
    }
  }
  for (const auto& [axis, degree] : {std::pair(Axis::ulysses, p.ulysses), std::pair(Axis::pipeline, p.pipeline)}) {
    if (degree > 1) {
      throw Error(fmt::format("{} {} has no schedule in this version", name_of(axis), degree),
                  fmt::format("parallel.{}", name_of(axis)), "1; tensor, ring and data may be larger");
    }
  }
  if (s.model.heads % p.tensor != 0) {
    throw Error(fmt::format("tensor {} does not divide {} query heads", p.tensor, s.model.heads), "parallel.tensor",
                fmt::format("one of {}", divisors(s.model.heads)));
  }
  if (!s.model.latent && s.model.kv_heads % p.tensor != 0 && p.tensor % s.model.kv_heads != 0) {
    throw Error(
        fmt::format("tensor {} neither divides nor is a multiple of {} key/value heads", p.tensor, s.model.kv_heads),
        "parallel.tensor", "a degree that shares or replicates the key/value heads evenly");
  }
  if (p.product() > s.cluster.gpus()) {
    throw Error(
        fmt::format(
            "the degrees need {} GPUs (tensor {} x ulysses {} x ring {} x pipeline {} x data {}), the cluster has {}",
            p.product(), p.tensor, p.ulysses, p.ring, p.pipeline, p.data, s.cluster.gpus()),
        "parallel", fmt::format("a product of at most {}, or more nodes", s.cluster.gpus()));
  }
  check_placement(p, s.cluster);
  if (s.workload.batch % p.data != 0) {
    throw Error(fmt::format("a batch of {} cannot be divided by data {}", s.workload.batch, p.data), "parallel.data",
                fmt::format("one of {}", divisors(s.workload.batch)));
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
  static_cast<void>(Shards(s.ring.layout, s.workload.tokens, s.parallel.ring));
  static_cast<void>(peak(s.cluster.gpu, s.workload.dtype));
  if (s.ring.travels == Rotation::q) {
    throw Error("the forward ring that moves queries has no schedule in this version", "ring.travels", "kv");
  }
  if (s.ring.buffers < 2 || s.ring.buffers > 3) {
    throw Error(fmt::format("{} block buffers", s.ring.buffers), "ring.buffers", "2 or 3");
  }
  if (s.profile.calibrated && s.workload.dtype == Dtype::fp8) {
    throw Error(fmt::format("profile {} holds no fp8 attention", s.profile.name), "workload.dtype",
                "bf16, or profile: datasheet");
  }
  check_noise(s);
  check_job_network(s.parallel, s.cluster, s.noise, s.ring);
}

}  // namespace ringsim
