// The keys of `training`.

#include "scenarios/spec.hpp"

namespace ringsim::scenarios {

const Mapping& training_spec() {
  static const Mapping spec{
      .name = "training",
      .description = "How the model is trained: of phase train.",
      .fields =
          {
              {.key = "recompute",
               .kind = Kind::choice,
               .description = "What the backward pass computes again instead of finding it saved. selective: what is "
                              "large and cheap "
                              "(inner activations of the MLP, outputs of norms); full: everything but a layer's input.",
               .fallback = "none",
               .choices = {"none", "selective", "full"}},
              {.key = "micro_batch",
               .kind = Kind::count,
               .description = "Sequences of a data rank that go through the pipeline together.",
               .fallback = "1",
               .minimum = 1,
               .maximum = 1e6,
               .beyond = "this program counts up to a million sequences",
               .examples = {"1"}},
              {.key = "interleave",
               .kind = Kind::count,
               .description = "Pieces of the model that a pipeline stage holds.",
               .fallback = "1",
               .minimum = 1,
               .maximum = 1e4,
               .beyond = "no model has as many layers",
               .examples = {"2"}},
              {.key = "zero",
               .kind = Kind::count,
               .description = "ZeRO stage: data ranks divide 1 the optimiser's state, 2 also the gradients, 3 also the "
                              "parameters; 0: nothing.",
               .fallback = "1",
               .minimum = 0,
               .maximum = 3,
               .beyond = "ZeRO has the stages 0 to 3",
               .examples = {"3"}},
              {.key = "bucket",
               .kind = Kind::bytes,
               .description = "Gradients that are reduced together; default: those of a layer.",
               .examples = {"100 MB"}},
              {.key = "overlap",
               .kind = Kind::boolean,
               .description = "Gradients and parameters travel beside the computation.",
               .fallback = "true"},
              {.key = "gradient_bytes",
               .kind = Kind::number,
               .description = "Bytes that the gradient of a parameter takes; fp32: 4.",
               .fallback = "4",
               .maximum = 16,
               .beyond = "no number format is as wide",
               .examples = {"2"}},
              {.key = "optimizer_bytes",
               .kind = Kind::number,
               .description = "Bytes that the optimiser keeps of a parameter; Adam with an fp32 copy of it: 12.",
               .fallback = "12",
               .maximum = 64,
               .beyond = "no optimiser keeps as much",
               .examples = {"12"}},
              {.key = "logits_chunk",
               .kind = Kind::count,
               .description = "Tokens of a rank whose logits exist at a time; default: all of a micro-batch.",
               .minimum = 1,
               .maximum = 2147483648.0,
               .beyond = "no sequence is as long",
               .examples = {"4Ki"}},
          },
      .refused = {
          {"activation_checkpointing", "what is computed again is called recompute", "recompute: full"},
          {"checkpointing", "what is computed again is called recompute", "recompute: full"},
          {"micro_batch_size", "the key is called micro_batch", "micro_batch: 1"},
          {"gradient_accumulation", "it follows: workload.batch / (parallel.data x micro_batch)", "micro_batch: 1"},
          {"virtual_pipeline", "the pieces of a stage are called interleave", "interleave: 2"},
          {"zero_stage", "the key is called zero", "zero: 1"},
          {"fsdp", "dividing parameters over data ranks is ZeRO stage 3", "zero: 3"},
          {"bucket_size", "the key is called bucket", "bucket: 100 MB"}}};
  return spec;
}

}  // namespace ringsim::scenarios
