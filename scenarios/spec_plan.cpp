// The keys of `workload`, `parallel`, `ring` and `price`.

#include "scenarios/spec.hpp"

namespace ringsim::scenarios {

const Mapping& workload_spec() {
  static const Mapping spec{
      .name = "workload",
      .description = "What is computed.",
      .fields =
          {
              {.key = "phase",
               .kind = Kind::choice,
               .description = "prefill: the forward pass; train: forward and backward.",
               .fallback = "prefill",
               .choices = {"prefill", "train"},
               .refused = {{"decode", "decode is not modelled in this version",
                            "phase: prefill (forward), or train (forward and backward)"}}},
              {.key = "tokens",
               .kind = Kind::count,
               .description = "Tokens of one whole sequence, over all ranks.",
               .required = true,
               .minimum = 1,
               .maximum = 2147483648.0,
               .beyond = "(query, key) pairs of more than 2Gi tokens do not fit in 63 bits",
               .examples = {"16384", "1Mi", "1M"}},
              {.key = "batch",
               .kind = Kind::count,
               .description = "Sequences in all; data parallelism divides them.",
               .fallback = "1",
               .minimum = 1,
               .maximum = 1e6,
               .beyond = "this program counts up to a million sequences",
               .examples = {"1"}},
              {.key = "causal", .kind = Kind::boolean, .description = "A query sees no later key.", .fallback = "true"},
              {.key = "dtype",
               .kind = Kind::choice,
               .description = "Number format of Q, K and V; fp32 and fp64 are for CPUs.",
               .fallback = "bf16",
               .choices = {"bf16", "fp16", "fp8", "fp32", "fp64"}},
              {.key = "scope",
               .kind = Kind::choice,
               .description = "attention: the ring of all layers' attention, nothing else.",
               .fallback = "attention",
               .choices = {"attention"},
               .refused = {{"model", "this version predicts scope attention only, not the whole model",
                            "scope: attention"}}},
          },
      .refused = {{"sequence_length", "the length of a sequence is called tokens", "tokens: 1Mi"},
                  {"seq_len", "the length of a sequence is called tokens", "tokens: 1Mi"},
                  {"context", "the length of a sequence is called tokens", "tokens: 1Mi"}}};
  return spec;
}

namespace {

const Mapping& placement_spec() {
  static const Mapping spec{
      .name = "placement",
      .description = "A GPU for every rank of the job.",
      .fields = {
          {.key = "hostfile",
           .description =
               "Hosts in the order that ranks fill them, a line each (node01 slots=8, or node01:8). Node 0 is the host "
               "whose name comes first.",
           .role = Role::reference,
           .examples = {"hosts.txt"}},
          {.key = "nodelist",
           .description = "Hosts as SLURM_JOB_NODELIST has them; that name itself: as the environment has it.",
           .role = Role::reference,
           .examples = {"node[01-04,07]", "SLURM_JOB_NODELIST"}},
          {.key = "gpus",
           .kind = Kind::counts,
           .description = "GPU of rank 0, 1, ..., counted over all nodes.",
           .required = true,
           .minimum = 0,
           .maximum = 1e11,
           .beyond = "no cluster has as many GPUs",
           .examples = {"[0, 8, 1, 9]"}},
      }};
  return spec;
}

}  // namespace

const Mapping& parallel_spec() {
  static const Mapping spec{
      .name = "parallel",
      .description = "Degrees of parallelism; their product is at most the number of GPUs.",
      .fields =
          {
              {.key = "tensor",
               .kind = Kind::count,
               .description = "Tensor parallelism: divides the heads.",
               .fallback = "1",
               .minimum = 1,
               .maximum = 1e6,
               .beyond = "this program counts up to a million ranks",
               .examples = {"8"}},
              {.key = "ring",
               .kind = Kind::count,
               .description = "Ranks of a ring: divide the tokens.",
               .fallback = "1",
               .minimum = 1,
               .maximum = 1e6,
               .beyond = "this program counts up to a million ranks",
               .examples = {"8"}},
              {.key = "ulysses",
               .kind = Kind::count,
               .description = "Ulysses all-to-all; only 1 in this version.",
               .fallback = "1",
               .minimum = 1,
               .maximum = 1,
               .beyond = "this version has no schedule for Ulysses"},
              {.key = "pipeline",
               .kind = Kind::count,
               .description = "Pipeline stages; only 1 in this version.",
               .fallback = "1",
               .minimum = 1,
               .maximum = 1,
               .beyond = "this version has no schedule for pipelines"},
              {.key = "data",
               .kind = Kind::count,
               .description = "Data parallelism: divides the batch.",
               .fallback = "1",
               .minimum = 1,
               .maximum = 1e6,
               .beyond = "this program counts up to a million ranks",
               .examples = {"2"}},
              {.key = "order",
               .description =
                   "The axes, the one whose ranks are neighbouring GPUs first; or short names: cp is the ring with "
                   "Ulysses inside it, ep is passed over.",
               .fallback = "tensor-ulysses-ring-pipeline-data",
               .examples = {"ring-tensor-ulysses-pipeline-data", "tp-cp-ep-dp-pp"}},
              {.key = "placement",
               .kind = Kind::mapping,
               .description = "Where the ranks stand that the order counts; default: rank i on GPU i.",
               .mapping = placement_spec,
               .examples = {"{hostfile: hosts.txt}", "{nodelist: \"node[01-04]\"}", "{gpus: [0, 8, 1, 9]}"}},
          },
      .refused = {{"tp", "tensor parallelism is called tensor", "tensor: 8"},
                  {"cp", "context parallelism by a ring is called ring", "ring: 8"},
                  {"context", "context parallelism by a ring is called ring", "ring: 8"},
                  {"sp", "sequence parallelism by a ring is called ring", "ring: 8"},
                  {"pp", "pipeline parallelism is called pipeline", "pipeline: 1"},
                  {"dp", "data parallelism is called data", "data: 2"},
                  {"expert", "this version has no schedule for expert parallelism", "leave it out"},
                  {"layout", "the layout stands below ring", "ring: {layout: zigzag}"}}};
  return spec;
}

const Mapping& ring_spec() {
  static const Mapping spec{
      .name = "ring",
      .description = "Options of the ring.",
      .fields =
          {
              {.key = "layout",
               .kind = Kind::choice,
               .description =
                   "Who owns which tokens. zigzag: an early and a late chunk, balanced under a causal mask; striped: "
                   "every n-th token; contiguous: one run.",
               .fallback = "zigzag",
               .choices = {"contiguous", "striped", "zigzag"}},
              {.key = "travels",
               .kind = Kind::choice,
               .description = "What moves in the forward pass.",
               .fallback = "kv",
               .choices = {"kv"},
               .refused = {{"q", "this version has no schedule for pass-Q, where queries travel forward",
                            "travels: kv"},
                           {"auto", "this version has one schedule only", "travels: kv"}}},
              {.key = "backward",
               .kind = Kind::choice,
               .description = "What moves in the backward pass: kv with its gradient, or q with dO, statistics and dQ.",
               .fallback = "kv",
               .choices = {"kv", "q"}},
              {.key = "buffers",
               .kind = Kind::count,
               .description =
                   "Block buffers of a rank; with 3 a hop may start before the step before has been computed.",
               .fallback = "2",
               .minimum = 2,
               .maximum = 3,
               .beyond = "a ring rotates through 2 or 3 buffers"},
              {.key = "transfer",
               .kind = Kind::choice,
               .description = "Who moves the bytes: a kernel on the SMs (NCCL), or a copy engine.",
               .fallback = "sm-kernel",
               .choices = {"sm-kernel", "copy-engine"}},
              {.key = "gradient_dtype",
               .kind = Kind::choice,
               .description = "Number format of the gradient that travels in the backward pass; default: fp64 where "
                              "workload.dtype "
                              "is fp64, else fp32.",
               .fallback = "fp32",
               .choices = {"bf16", "fp32", "fp64"}},
          },
      .refused = {{"size", "the number of ranks stands below parallel", "parallel: {ring: 8}"},
                  {"degree", "the number of ranks stands below parallel", "parallel: {ring: 8}"}}};
  return spec;
}

const Mapping& price_spec() {
  static const Mapping spec{.name = "price",
                            .description = "What the machines cost.",
                            .fields = {{.key = "gpu_hour",
                                        .kind = Kind::number,
                                        .description = "Price of a GPU for an hour, in your currency.",
                                        .required = true,
                                        .examples = {"2.50"}}}};
  return spec;
}

}  // namespace ringsim::scenarios
