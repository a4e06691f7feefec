#include "models/memory.hpp"

#include "models/cost.hpp"
#include "models/ring_shape.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim {
namespace {

// K/V cache: full layers hold the rank's block, sliding layers never more than the window.
Bytes kv_cache(const Scenario& s, double block) {
  const double element = bytes_per_element(s.workload.dtype);
  const auto per_token = static_cast<double>(s.model.cache_elements_per_token(s.parallel.tensor)) * element;
  double tokens = 0;
  for (std::int64_t layer = 0; layer < s.model.layers; ++layer) {
    tokens += s.model.is_sliding(layer) ? std::min(block, static_cast<double>(*s.model.sliding_window)) : block;
  }
  return bytes(static_cast<double>(batch_of_rank(s)) * per_token * tokens / static_cast<double>(s.parallel.pipeline));
}

// Parameters that tensor parallelism does not divide: key and value projections of heads that several ranks hold, and the
// down-projections of latent attention.
double replicated_parameters(const Transformer& m, std::int64_t tensor) {
  const auto layers = static_cast<double>(m.layers);
  const auto hidden = static_cast<double>(m.hidden);
  const auto t = static_cast<double>(tensor);
  if (m.latent) {
    const LatentAttention& a = *m.latent;
    const auto down = static_cast<double>(a.kv_lora_rank + a.qk_rope_head_dim + a.q_lora_rank.value_or(0));
    return layers * hidden * down * (1.0 - 1.0 / t);
  }
  const auto heads = static_cast<double>(m.kv_heads);
  return layers * hidden * 2.0 * static_cast<double>(m.head_dim) * (std::max(1.0, heads / t) - heads / t);
}

}  // namespace

Memory memory_of_rank(const Scenario& s) {
  const Shards shards(s.ring.layout, s.workload.tokens, s.parallel.ring);
  const auto block = static_cast<double>(shards.largest_block());
  const RingShape ring = ring_shape(s);
  const HeadShape& h = ring.heads;
  const double tokens = static_cast<double>(h.batch) * block;
  const double element = bytes_per_element(s.workload.dtype);
  const double query_width = static_cast<double>(h.query_heads * h.query_key_dim);
  const double output_width = static_cast<double>(h.query_heads * h.value_dim);
  const double kv_width = static_cast<double>(h.kv_heads * (h.query_key_dim + h.value_dim));
  const double statistics = static_cast<double>(h.query_heads) * 4.0;
  const bool training = s.workload.phase == Phase::train;

  Memory memory;
  memory.capacity = s.cluster.gpu.memory;
  const auto add = [&](const char* name, std::string what, Bytes size) {
    if (size > Bytes{}) memory.terms.push_back({name, std::move(what), size});
  };
  if (const auto count = parameters(s.model)) {
    const double each = s.model.weight_bytes_per_parameter.value_or(element);
    const double of_rank =
        *count / static_cast<double>(s.parallel.tensor) + replicated_parameters(s.model, s.parallel.tensor);
    add("weights",
        fmt::format(
            "{:.4g} B parameters / (tensor {} x pipeline {}){}", *count / 1e9, s.parallel.tensor, s.parallel.pipeline,
            replicated_parameters(s.model, s.parallel.tensor) > 0 ? ", and projections that every rank holds" : ""),
        bytes(of_rank * each / static_cast<double>(s.parallel.pipeline)));
  } else {
    memory.missing.emplace_back("weights: the model gives no feed_forward or no vocabulary");
  }
  if (!training && s.model.feed_forward) {
    const FeedForward& f = *s.model.feed_forward;
    const double active = f.experts > 0
                              ? static_cast<double>((f.experts_per_token + f.shared_experts) * f.expert_intermediate)
                              : static_cast<double>(f.intermediate);
    memory.rest_of_network = bytes(tokens * element *
                                   (2.0 * static_cast<double>(s.model.hidden) +
                                    (f.gated ? 2.0 : 1.0) * active / static_cast<double>(s.parallel.tensor)));
  }
  if (training) {
    add("saved_activations", "Q, K, V, O and LSE of every layer, kept for the backward pass; / (ring x tensor)",
        bytes(static_cast<double>(s.model.layers) * tokens *
              ((query_width + output_width + kv_width) * element + statistics)));
  } else {
    add("kv_cache",
        s.model.latent ? "latents of all layers; / ring, whole on every tensor rank"
                       : "keys and values of all layers; / (ring x tensor up to the number of K/V heads)",
        kv_cache(s, block));
    add("activations", "Q, K, V and O of the layer at work; / (ring x tensor)",
        bytes(tokens * (query_width + output_width + kv_width) * element));
  }
  if (s.parallel.ring > 1) {
    const auto buffers = static_cast<double>(s.ring.buffers);
    const bool queries_travel = training && ring.backward == Rotation::q;
    Bytes buffer = ring.kv_per_token() * block * buffers;
    if (queries_travel) buffer = std::max(buffer, ring.q_bundle_per_token() * block * buffers);
    add("ring_buffers", fmt::format("{} buffers of one layer's travelling block", s.ring.buffers), buffer);
    add("output_accumulator", "fp32 output and LSE of the layer at work",
        bytes(tokens * (output_width * 4.0 + statistics)));
    if (training) {
      const Bytes travelling = queries_travel ? ring.q_gradient_per_token() : ring.kv_gradient_per_token();
      add("travelling_gradient", "two buffers of the travelling gradient and the step's own", travelling * block * 3.0);
    }
  }
  if (training) {
    add("gradients", "dO, and fp32 dQ or dK/dV that stay; of the layer at work",
        bytes(tokens * (output_width * element + (ring.backward == Rotation::kv ? query_width : kv_width) * 4.0)));
  }
  for (const MemoryTerm& term : memory.terms) memory.total += term.size;
  return memory;
}

}  // namespace ringsim
