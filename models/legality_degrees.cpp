#include "models/error.hpp"
#include "models/legality.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ringsim {
namespace {

using Degrees = std::vector<std::int64_t>;

Degrees divisors(std::int64_t n) {
  Degrees all;
  for (std::int64_t d = 1; d <= n; ++d) {
    if (n % d == 0) all.push_back(d);
  }
  return all;
}

std::string listed(const Degrees& degrees) { return fmt::format("{}", fmt::join(degrees, ", ")); }

void at_least_one(std::int64_t degree, std::string_view name) {
  if (degree < 1) {
    throw Error(fmt::format("a {} degree of {}", name, degree), fmt::format("parallel.{}", name), "at least 1");
  }
}

void check_tensor(const Transformer& m, std::int64_t tensor) {
  if (m.heads % tensor != 0) {
    throw Error(fmt::format("tensor {} does not divide {} query heads", tensor, m.heads), "parallel.tensor",
                fmt::format("one of {}", listed(legal_tensor(m))));
  }
  if (!m.latent && m.kv_heads % tensor != 0 && tensor % m.kv_heads != 0) {
    throw Error(fmt::format("tensor {} neither divides nor is a multiple of {} key/value heads", tensor, m.kv_heads),
                "parallel.tensor",
                fmt::format("one of {}, which share or replicate the key/value heads evenly", listed(legal_tensor(m))));
  }
}

// What else gives as many ranks: the largest legal Ulysses degree that divides them, and a ring around it.
std::string combined(const Degrees& legal, const Parallel& p) {
  std::int64_t inner = 1;
  for (const std::int64_t degree : legal) {
    if (p.ulysses % degree == 0) inner = std::max(inner, degree);
  }
  return fmt::format("ulysses {} x ring {}, since heads do not limit a ring", inner, p.ulysses / inner * p.ring);
}

void check_ulysses(const Scenario& s) {
  const Parallel& p = s.parallel;
  if (p.ulysses == 1) return;
  const Degrees dividing = legal_ulysses(s.model, p.tensor, false);
  const Degrees all = legal_ulysses(s.model, p.tensor, true);
  const Degrees& allowed = p.replicate_kv ? all : dividing;
  if (std::find(allowed.begin(), allowed.end(), p.ulysses) != allowed.end()) return;
  const std::string of_rank = p.tensor > 1 ? fmt::format(" of a tensor rank (tensor {})", p.tensor) : "";
  const std::int64_t kv = std::max<std::int64_t>(1, s.model.kv_heads / p.tensor);
  if (std::find(all.begin(), all.end(), p.ulysses) != all.end()) {
    throw Error(fmt::format("ulysses {} is more than the {} key/value heads{}: each would be sent to {} ranks",
                            p.ulysses, kv, of_rank, p.ulysses / kv),
                "parallel.ulysses",
                fmt::format("replicate_kv: true, which sends {} times the K/V bytes; or one of {}; or {}",
                            p.ulysses / kv, listed(dividing), combined(dividing, p)));
  }
  std::string legal = fmt::format("one of {}", listed(dividing));
  Degrees replicating;
  std::set_difference(all.begin(), all.end(), dividing.begin(), dividing.end(), std::back_inserter(replicating));
  if (!replicating.empty()) legal += fmt::format(" (and with replicate_kv: true {})", listed(replicating));
  const PaddedHeads padded = padded_heads(s.model, p.ulysses * p.tensor);
  const std::string heads = s.model.latent
                                ? fmt::format("{} heads", s.model.heads / p.tensor)
                                : fmt::format("{} query and {} key/value heads", s.model.heads / p.tensor, kv);
  throw Error(fmt::format("ulysses {} cannot divide {}{}", p.ulysses, heads, of_rank), "parallel.ulysses",
              fmt::format("{}; or {}; a model padded to {} query and {} key/value heads would run, at {:+.1f} % of "
                          "attention work and bytes",
                          legal, combined(allowed, p), padded.query_heads, padded.kv_heads, 100 * padded.tax));
}

void check_experts(const Scenario& s) {
  const Parallel& p = s.parallel;
  if (p.expert == 1) return;
  const std::int64_t experts = s.model.feed_forward ? s.model.feed_forward->experts : 0;
  if (experts == 0) {
    throw Error(fmt::format("an expert degree of {} for a model without experts", p.expert), "parallel.expert", "1");
  }
  const std::int64_t ranks = p.ulysses * p.ring * p.data;
  Degrees legal;
  for (const std::int64_t d : divisors(experts)) {
    if (ranks % d == 0) legal.push_back(d);
  }
  if (experts % p.expert != 0) {
    throw Error(fmt::format("expert {} does not divide {} experts", p.expert, experts), "parallel.expert",
                fmt::format("one of {}", listed(legal)));
  }
  if (ranks % p.expert != 0) {
    throw Error(fmt::format("expert {} does not divide the {} ranks of ulysses {} x ring {} x data {}", p.expert, ranks,
                            p.ulysses, p.ring, p.data),
                "parallel.expert", fmt::format("one of {}", listed(legal)));
  }
}

void check_pipeline(const Scenario& s) {
  const std::int64_t pipeline = s.parallel.pipeline;
  const std::int64_t interleave = s.training.interleave;
  if (interleave < 1) {
    throw Error(fmt::format("{} pieces a stage", interleave), "training.interleave", "at least 1");
  }
  if (pipeline > 1 && s.workload.scope == Scope::attention) {
    throw Error(fmt::format("pipeline {} with attention alone: there is nothing to hand on", pipeline),
                "parallel.pipeline", "1, or workload.scope: model");
  }
  if (pipeline > s.model.layers) {
    throw Error(fmt::format("pipeline {} for {} layers", pipeline, s.model.layers), "parallel.pipeline",
                fmt::format("at most {}; layers need not divide evenly", s.model.layers));
  }
  if (interleave == 1) return;
  if (pipeline == 1) {
    throw Error(fmt::format("{} pieces a stage without a pipeline", interleave), "training.interleave",
                "1, or parallel.pipeline above 1");
  }
  if (pipeline * interleave > s.model.layers) {
    throw Error(fmt::format("{} stages of {} pieces for {} layers", pipeline, interleave, s.model.layers),
                "training.interleave", fmt::format("at most {}", s.model.layers / pipeline));
  }
}

void check_decode_context(const Scenario& s) {
  const Parallel& p = s.parallel;
  if (p.decode_context == 1) return;
  if (runs_backward(s.workload.phase)) {
    throw Error(fmt::format("decode_context {} in training, which keeps no cache", p.decode_context),
                "parallel.decode_context", "1");
  }
  const std::int64_t heads = s.model.latent ? 1 : s.model.kv_heads;
  const std::int64_t copies = std::max<std::int64_t>(1, p.tensor / heads);
  if (copies % p.decode_context != 0) {
    throw Error(
        fmt::format("decode_context {} divides a cache of which tensor {} with {} key/value head{} holds {} cop{}",
                    p.decode_context, p.tensor, heads, heads == 1 ? "" : "s", copies, copies == 1 ? "y" : "ies"),
        "parallel.decode_context", fmt::format("one of {}", listed(divisors(copies))));
  }
}

void check_micro_batches(const Scenario& s) {
  if (s.training.micro_batch < 1) {
    throw Error(fmt::format("a micro-batch of {}", s.training.micro_batch), "training.micro_batch", "at least 1");
  }
  if (s.workload.phase != Phase::train || s.workload.scope == Scope::attention) return;
  const std::int64_t batch = batch_of_rank(s);
  if (batch % s.training.micro_batch != 0) {
    throw Error(fmt::format("micro-batches of {} cannot make up {} sequences of a data-parallel rank",
                            s.training.micro_batch, batch),
                "training.micro_batch", fmt::format("one of {}", listed(divisors(batch))));
  }
  const std::int64_t count = batch / s.training.micro_batch;
  if (s.training.interleave > 1 && count % s.parallel.pipeline != 0) {
    throw Error(fmt::format("{} micro-batches with interleave {}: pieces take turns in groups of pipeline {}", count,
                            s.training.interleave, s.parallel.pipeline),
                "training.interleave",
                fmt::format("1, or a number of micro-batches that {} divides", s.parallel.pipeline));
  }
}

Error too_few_gpus(const Parallel& p, const std::string& needed, std::int64_t gpus) {
  return Error(
      fmt::format(
          "the degrees need {} GPUs (tensor {} x ulysses {} x ring {} x pipeline {} x data {}), the cluster has {}",
          needed, p.tensor, p.ulysses, p.ring, p.pipeline, p.data, gpus),
      "parallel", fmt::format("a product of at most {}, or more nodes", gpus));
}

// Products of degrees are exact from here on: 64 bits hold the one of all.
void check_product_is_exact(const Parallel& p, std::int64_t gpus) {
  std::int64_t product = 1;
  for (const Axis axis : all_axes) {
    if (__builtin_mul_overflow(product, p.degree(axis), &product)) throw too_few_gpus(p, "more than 2^63", gpus);
  }
}

}  // namespace

void check_degrees(const Scenario& s) {
  const Parallel& p = s.parallel;
  for (const Axis axis : all_axes) at_least_one(p.degree(axis), name_of(axis));
  at_least_one(p.expert, "expert");
  at_least_one(p.decode_context, "decode_context");
  check_product_is_exact(p, s.cluster.gpus());
  check_tensor(s.model, p.tensor);
  check_ulysses(s);
  check_experts(s);
  check_pipeline(s);
  check_decode_context(s);
  if (p.product() > s.cluster.gpus()) throw too_few_gpus(p, std::to_string(p.product()), s.cluster.gpus());
  if (s.workload.batch % p.data != 0) {
    throw Error(fmt::format("a batch of {} cannot be divided by data {}", s.workload.batch, p.data), "parallel.data",
                fmt::format("one of {}", listed(divisors(s.workload.batch))));
  }
  check_micro_batches(s);
}

}  // namespace ringsim
