#include "models/memory/rank.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::memory {

Rank rank_of(const Scenario& s, std::int64_t stage) {
  const Parallel& p = s.parallel;
  const auto largest = [&](std::int64_t tokens) { return (tokens + p.ring - 1) / p.ring; };
  Rank r{.scenario = s, .stage = stage};
  r.whole_model = s.workload.scope == Scope::model;
  r.training = runs_backward(s.workload.phase);
  r.pieces = layers_of_stage(s.model.layers, p.pipeline, r.training ? s.training.interleave : 1, stage);
  for (const LayerRun& piece : r.pieces) r.layers += piece.count;
  r.element = bytes_per_element(s.workload.dtype);
  r.dense_element = s.workload.dtype == Dtype::fp8 ? bytes_per_element(Dtype::bf16) : r.element;
  const std::int64_t batch = batch_of_rank(s);
  // A pipeline takes sequences one by one; training in micro-batches.
  std::int64_t together = batch;
  if (r.whole_model && r.training) together = s.training.micro_batch;
  if (r.whole_model && s.workload.phase == Phase::prefill && p.pipeline > 1) together = 1;
  r.sequences = static_cast<double>(together);

  const std::int64_t tokens = s.workload.tokens;
  if (s.workload.phase == Phase::decode) {
    r.total = tokens + s.workload.output_tokens;
    r.block = 1;
    r.resident = largest(r.total);
  } else {
    const std::int64_t pass = s.workload.chunk > 0 ? std::min(s.workload.chunk, tokens) : tokens;
    r.total = s.workload.cached + tokens;
    r.block = largest(pass);
    r.resident = largest(s.workload.cached) + largest(tokens);
  }
  r.ring = ring_shape(s);
  r.ring.heads = heads_of_rank(s.model, p.tensor * p.ulysses, together);
  r.tokens = r.sequences * static_cast<double>(r.block);
  // The new token of a decode step is on every rank of ring and Ulysses; they divide the cache.
  const bool decode = s.workload.phase == Phase::decode;
  r.rows = decode ? r.tokens : r.tokens / static_cast<double>(p.ulysses);
  r.norm_rows = p.sequence_parallel && !decode ? r.rows / static_cast<double>(p.tensor) : r.rows;
  const HeadShape& h = r.ring.heads;
  r.query_width = static_cast<double>(h.query_heads * h.query_key_dim);
  r.output_width = static_cast<double>(h.query_heads * h.value_dim);
  r.kv_width = static_cast<double>(h.kv_heads * (h.query_key_dim + h.value_dim));
  r.statistics = static_cast<double>(h.query_heads) * 4.0;
  return r;
}

std::string divisors(const Scenario& s, std::initializer_list<Axis> axes) {
  std::string text;
  for (const Axis axis : axes) {
    if (s.parallel.degree(axis) == 1) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : " x ", name_of(axis), s.parallel.degree(axis));
  }
  return text.empty() ? "nothing" : text;
}

double inner_width(const Rank& r, std::int64_t layer) {
  const Transformer& m = r.scenario.model;
  if (!m.feed_forward) return 0;
  const FeedForward& f = *m.feed_forward;
  double width = static_cast<double>(f.intermediate);
  if (m.is_mixture(layer)) {
    width = (expert_visits(r) + static_cast<double>(f.shared_experts)) * static_cast<double>(f.expert_intermediate);
  }
  return width / static_cast<double>(r.scenario.parallel.tensor);
}

double expert_visits(const Rank& r) {
  return static_cast<double>(r.scenario.model.feed_forward->experts_per_token) * r.scenario.parallel.load_imbalance;
}

double widest_mlp(const Rank& r) {
  const Transformer& m = r.scenario.model;
  if (!m.feed_forward) return 0;
  double widest = 0;
  for (const LayerRun& piece : r.pieces) {
    for (std::int64_t layer = piece.first; layer < piece.first + piece.count; ++layer) {
      double elements = (m.feed_forward->gated ? 3.0 : 2.0) * inner_width(r, layer);
      if (m.is_mixture(layer)) {
        elements += 2.0 * expert_visits(r) * static_cast<double>(m.hidden);  // sent and returned
      }
      widest = std::max(widest, elements);
    }
  }
  return widest * r.rows * r.dense_element;
}

}  // namespace ringsim::memory
