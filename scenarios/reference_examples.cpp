// Scenarios of the reference, a few lines each. A test reads every one of them.

#include "scenarios/reference.hpp"

namespace ringsim::scenarios {

const std::vector<ReferenceExample>& reference_examples() {
  static const std::vector<ReferenceExample> examples = {
      {"name", "The least that a scenario says: a name, a model, a length and machines.",
       R"(name: eight-gpus
model: llama3-8b
workload: {tokens: 128Ki}
cluster: dgx-h100
parallel: {ring: 8}
)"},
      {"model", "A model of one's own, whose layers take turns in seeing a window of 4,096 tokens and everything.",
       R"(name: a-model-of-ours
model:
  name: ours-13b
  layers: 40
  hidden: 5120
  heads: 40
  kv_heads: 8
  head_dim: 128
  sliding_window: 4096
  sliding_pattern: 2
  feed_forward: {intermediate: 13824}
  vocabulary: 128256
workload: {tokens: 256Ki, scope: model}
cluster: dgx-h100
parallel: {ring: 8}
)"},
      {"model", "A model of the library with more layers, and a name of its own.",
       R"(name: a-longer-llama
model: {use: llama3-8b, name: llama3-8b-48, layers: 48}
workload: {tokens: 128Ki}
cluster: dgx-h100
parallel: {ring: 8}
)"},
      {"workload", "The next 32,768 tokens of a conversation of 524,288, in passes of 16,384.",
       R"(name: next-turn
model: llama3-70b
workload: {phase: prefill, tokens: 32Ki, cached: 512Ki, chunk: 16Ki, scope: model}
cluster: dgx-h100
parallel: {tensor: 4, ring: 2}
)"},
      {"workload", "Training on documents of three lengths that are packed into sequences.",
       R"(name: packed-documents
model: llama3-8b
workload:
  phase: train
  tokens: 64Ki
  documents: {counts: {32Ki: 1, 8Ki: 3, 1Ki: 8}}
cluster: dgx-h100
parallel: {ring: 8}
)"},
      {"cluster",
       "A cluster of the library with more nodes, slower NICs, and a leaf-spine network with half of the bandwidth "
       "above.",
       R"(name: oversubscribed
model: llama3-70b
workload: {tokens: 1Mi}
cluster:
  use: dgx-h100
  nodes: 16
  inter_node: {bandwidth: 200 Gb/s}
  fabric: {kind: fat-tree, nodes_per_leaf: 8, oversubscription: 2}
parallel: {tensor: 8, ring: 16}
)"},
      {"cluster", "Machines that are in no library: two PCIe boxes, and a GPU by its data sheet.",
       R"(name: two-boxes
model: llama3-8b
workload: {tokens: 128Ki}
cluster:
  name: our-boxes
  gpu: {name: our-gpu, bf16: 300 TFLOP/s, memory: 48 GB, memory_bandwidth: 900 GB/s}
  nodes: 2
  gpus_per_node: 4
  nics_per_node: 1
  intra_node: {class: pcie4, bandwidth: 32 GB/s}
  inter_node: {class: ib-hdr, bandwidth: 200 Gb/s}
  node: {kind: pcie, gpus_per_switch: 2, switches_per_socket: 1, uplink: 32 GB/s, socket_link: 40 GB/s}
parallel: {ring: 8}
)"},
      {"parallel", "64 GPUs: tensor parallelism inside the nodes, and a ring across them with Ulysses inside of it.",
       R"(name: four-axes
model: llama3-405b
workload: {tokens: 512Ki}
cluster: {use: dgx-h100, nodes: 8}
parallel: {tensor: 4, ulysses: 2, ring: 8, order: tensor-ulysses-ring-pipeline-data}
)"},
      {"ring", "Rings inside nodes and a ring of nodes, blocks moved by copy engines.",
       R"(name: two-levels
model: llama3-8b
workload: {tokens: 1Mi}
cluster: {use: dgx-h100, nodes: 4}
parallel: {ring: 32}
ring: {layout: zigzag, exchange: two-level, inner: 8, transfer: copy-engine}
)"},
      {"training", "A training step: eight sequences a data rank, one at a time through the pipeline.",
       R"(name: a-training-step
model: llama3-70b
workload: {phase: train, tokens: 64Ki, batch: 16, scope: model}
cluster: {use: dgx-h100, nodes: 32}
parallel: {tensor: 8, ring: 4, pipeline: 4, data: 2}
training: {recompute: selective, micro_batch: 1, zero: 1}
)"},
      {"serving", "A decode step over a cache in fp8 pages, with a tenth of the memory left alone.",
       R"(name: a-decode-step
model: llama3-70b
workload: {phase: decode, tokens: 512Ki, batch: 4, output_tokens: 256, scope: model}
cluster: dgx-h100
parallel: {tensor: 4, ring: 2}
serving: {kv_layout: fp8, page_tokens: 16, memory_reserve: 10%}
)"},
      {"profile", "The GPU's profile with one value of one's own, known to 5 %.",
       R"(name: our-nics
model: llama3-70b
workload: {tokens: 1Mi}
cluster: {use: dgx-h100, nodes: 8}
parallel: {tensor: 8, ring: 8}
profile:
  use: h100-sxm
  links:
    ib-ndr:
      efficiency: {value: 88%, uncertainty: 5%, origin: measured, source: "nccl-tests, 8 nodes"}
)"},
      {"noise", "Random times, a slow GPU, and a NIC at half of its bandwidth from the tenth millisecond on.",
       R"(name: a-bad-day
model: llama3-70b
workload: {tokens: 1Mi}
cluster: {use: dgx-h100, nodes: 8}
parallel: {tensor: 8, ring: 8}
noise:
  compute: {lognormal: 2%}
  links: {pareto: 5%}
  stragglers: [{rank: 5, slowdown: 1.1}]
  slow_links: [{link: node3.nic2.out, bandwidth: 50%, from: 10 ms}]
)"},
      {"price", "What a GPU costs for an hour, and its power.",
       R"(name: with-prices
model: llama3-70b
workload: {tokens: 1Mi}
cluster: {use: dgx-h100, nodes: 8}
parallel: {tensor: 8, ring: 8}
price: {gpu_hour: 2.50, kilowatt_hour: 0.30}
)"},
  };
  return examples;
}

}  // namespace ringsim::scenarios
