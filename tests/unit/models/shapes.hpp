#pragma once
// Models and machines that several tests use, typed off their public configuration files and data sheets.

#include "models/device.hpp"
#include "models/scenario.hpp"
#include "models/transformer.hpp"

namespace ringsim::shapes {

inline Transformer dense(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t kv_heads,
                         std::int64_t head_dim, std::int64_t intermediate, std::int64_t vocabulary) {
  Transformer m;
  m.layers = layers;
  m.hidden = hidden;
  m.heads = heads;
  m.kv_heads = kv_heads;
  m.head_dim = head_dim;
  m.feed_forward = FeedForward{};
  m.feed_forward->intermediate = intermediate;
  m.vocabulary = vocabulary;
  return m;
}

inline Transformer llama2_7b() { return dense(32, 4096, 32, 32, 128, 11008, 32000); }
inline Transformer llama3_8b() { return dense(32, 4096, 32, 8, 128, 14336, 128256); }
inline Transformer llama3_70b() { return dense(80, 8192, 64, 8, 128, 28672, 128256); }

inline Transformer mixtral_8x7b() {
  Transformer m = dense(32, 4096, 32, 8, 128, 14336, 32000);
  m.feed_forward->experts = 8;
  m.feed_forward->experts_per_token = 2;
  m.feed_forward->expert_intermediate = 14336;
  return m;
}

/// DeepSeek-V3: 61 layers of multi-head latent attention, the first 3 dense, then 256 experts and a shared one.
inline Transformer deepseek_v3() {
  Transformer m = dense(61, 7168, 128, 128, 192, 18432, 129280);
  m.latent = LatentAttention{512, 64, 128, 128, 1536};
  m.feed_forward->experts = 256;
  m.feed_forward->experts_per_token = 8;
  m.feed_forward->shared_experts = 1;
  m.feed_forward->expert_intermediate = 2048;
  m.feed_forward->router_bias = true;
  m.feed_forward->expert_layer.assign(61, true);
  for (std::size_t layer = 0; layer < 3; ++layer) m.feed_forward->expert_layer[layer] = false;
  return m;
}

inline Gpu h100() {
  Gpu g;
  g.name = "h100-sxm";
  g.bf16 = teraflop_per_second(989);
  g.fp8 = teraflop_per_second(1979);
  g.memory = gigabytes(80);
  g.memory_bandwidth = gigabytes_per_second(3350);
  g.multiprocessors = 132;
  return g;
}

/// Nodes of eight H100: 450 GB/s inside, eight NICs of 400 Gb/s.
inline Cluster dgx_h100(std::int64_t nodes) {
  Cluster c;
  c.gpu = h100();
  c.nodes = nodes;
  c.gpus_per_node = 8;
  c.intra_node = {"nvlink4", gigabytes_per_second(450), std::nullopt};
  c.inter_node = Link{"ib-ndr", gigabits_per_second(400), std::nullopt};
  c.nics_per_node = 8;
  return c;
}

/// A causal prefill of `tokens` over a ring inside one node, datasheet profile.
inline Scenario scenario(const Transformer& model, std::int64_t tokens, std::int64_t ring, Layout layout) {
  Scenario s;
  s.model = model;
  s.workload.tokens = tokens;
  s.cluster = dgx_h100((ring + 7) / 8);
  s.parallel.ring = ring;
  s.ring.layout = layout;
  s.profile = datasheet_profile(s.cluster.gpu, s.workload.dtype);
  return s;
}

}  // namespace ringsim::shapes
