// The keys of `parallel`.

#include "scenarios/spec.hpp"

namespace ringsim::scenarios {
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

// A degree of the plan, 1 where nothing is written.
Field degree(std::string_view key, std::string_view description, std::string_view example) {
  return {.key = key,
          .kind = Kind::count,
          .description = description,
          .fallback = "1",
          .minimum = 1,
          .maximum = most_ranks,
          .beyond = "this program counts up to 16 million ranks (2^24)",
          .examples = {example}};
}

Field later(Field field) {
  field.later = true;
  return field;
}

}  // namespace

const Mapping& parallel_spec() {
  static const Mapping spec{
      .name = "parallel",
      .description =
          "Degrees of parallelism; the product of tensor, ring, ulysses, pipeline and data is at most the number "
          "of GPUs.",
      .fields =
          {
              degree("tensor", "Tensor parallelism: divides the heads, and the columns and rows of weights.", "8"),
              degree("ring", "Ranks of a ring: divide the tokens.", "8"),
              degree("ulysses", "Ulysses: divides the tokens, and inside of attention the heads, by all-to-alls.", "8"),
              degree("pipeline", "Pipeline stages: divide the layers.", "4"),
              degree("data", "Data parallelism: divides the batch.", "2"),
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
              later(degree(
                  "expert",
                  "Expert parallelism: divides the experts of a layer over ranks of ulysses, ring and data; adds no "
                  "ranks.",
                  "8")),
              {.key = "expert_imbalance",
               .kind = Kind::number,
               .description =
                   "Tokens that the fullest expert rank gets against the mean; 1: the router spreads them evenly.",
               .fallback = "1",
               .minimum = 1,
               .maximum = 1e6,
               .beyond = "no router is as uneven",
               .examples = {"1.3"},
               .later = true},
              later(degree(
                  "decode_context",
                  "Decode context parallelism: divides the cache of a decode step over tensor ranks that would hold "
                  "copies of it; adds no ranks.",
                  "8")),
              {.key = "sequence_parallel",
               .kind = Kind::boolean,
               .description =
                   "What tensor parallelism leaves whole (norms, residuals, saved inputs) is divided by tokens, as in "
                   "Megatron-LM.",
               .fallback = "false",
               .later = true},
              {.key = "replicate_kv",
               .kind = Kind::boolean,
               .description =
                   "Ulysses may have more ranks than there are key/value heads: each is sent to several ranks.",
               .fallback = "false",
               .later = true},
          },
      .refused = {{"tp", "tensor parallelism is called tensor", "tensor: 8"},
                  {"cp", "context parallelism is called ring, or ulysses", "ring: 8"},
                  {"context", "context parallelism is called ring, or ulysses", "ring: 8"},
                  {"prefill_cp", "context parallelism of a prefill is called ring, or ulysses", "ring: 8"},
                  {"pcp", "context parallelism of a prefill is called ring, or ulysses", "ring: 8"},
                  {"up", "Ulysses is called ulysses", "ulysses: 8"},
                  {"usp", "Ulysses inside a ring is two degrees", "ulysses: 4, ring: 2"},
                  {"sp", "sequence parallelism is ring or ulysses; that of Megatron-LM is called sequence_parallel",
                   "ring: 8, ulysses: 8, or sequence_parallel: true"},
                  {"pp", "pipeline parallelism is called pipeline", "pipeline: 4"},
                  {"dp", "data parallelism is called data", "data: 2"},
                  {"ep", "expert parallelism is called expert", "expert: 8"},
                  {"dcp", "context parallelism of decode is called decode_context", "decode_context: 8"},
                  {"decode_cp", "context parallelism of decode is called decode_context", "decode_context: 8"},
                  {"fsdp", "dividing parameters over data ranks stands below training", "training: {zero: 3}"},
                  {"zero", "the ZeRO stage stands below training", "training: {zero: 3}"},
                  {"layout", "the layout stands below ring", "ring: {layout: zigzag}"}}};
  return spec;
}

}  // namespace ringsim::scenarios
