// The keys of `workload`.

#include "scenarios/spec.hpp"

namespace ringsim::scenarios {
namespace {

constexpr double most_tokens = 2147483648.0;
constexpr std::string_view why_most_tokens = "(query, key) pairs of more than 2Gi tokens do not fit in 63 bits";

const Mapping& documents_spec() {
  static const Mapping spec{
      .name = "documents",
      .description = "Lengths of the documents that are packed into the sequences, in the order of packing.",
      .fields =
          {
              {.key = "file",
               .description = "A text file beside the scenario: a length a line, or LENGTH,COUNT a line, perhaps below "
                              "a line of names.",
               .role = Role::reference,
               .examples = {"lengths.csv"}},
              {.key = "lengths",
               .kind = Kind::counts,
               .description = "The tokens of every document, one number a document.",
               .minimum = 1,
               .maximum = most_tokens,
               .beyond = why_most_tokens,
               .examples = {"[8Ki, 1Ki, 137]"}},
              {.key = "counts",
               .kind = Kind::table,
               .description = "How many documents there are of each length.",
               .minimum = 1,
               .maximum = 1e9,
               .beyond = "this program counts up to a thousand million documents",
               .examples = {"{8Ki: 12, 137: 4000}"},
               .rows = Kind::count},
              {.key = "alignment",
               .kind = Kind::count,
               .description = "Each document is padded to a multiple of so many tokens; default: what the plan needs.",
               .minimum = 1,
               .maximum = 1e9,
               .beyond = "padding would be all there is",
               .examples = {"16"}},
          },
      .refused = {{"histogram", "how many documents there are of each length is called counts", "counts: {8Ki: 12}"},
                  {"padding", "what documents are padded to a multiple of is called alignment", "alignment: 16"}},
      .any_of = {"lengths", "counts"}};
  return spec;
}

}  // namespace

const Mapping& workload_spec() {
  static const Mapping spec{
      .name = "workload",
      .description = "What is computed.",
      .fields =
          {
              {.key = "phase",
               .kind = Kind::choice,
               .description =
                   "prefill: the forward pass; train: forward and backward, in scope model an optimiser step; "
                   "backward: in scope attention, the backward pass alone; decode: a token more of every sequence.",
               .fallback = "prefill",
               .choices = {"prefill", "train", "backward", "decode"},
               .refused = {{"training", "that phase is called train", "phase: train"},
                           {"inference", "serving has two phases", "phase: prefill, or phase: decode"},
                           {"generation", "that phase is called decode", "phase: decode"}}},
              {.key = "tokens",
               .kind = Kind::count,
               .description = "Tokens of one whole sequence, over all ranks; of decode: those in the cache already.",
               .required = true,
               .minimum = 1,
               .maximum = most_tokens,
               .beyond = why_most_tokens,
               .examples = {"16384", "1Mi", "1M"}},
              {.key = "batch",
               .kind = Kind::count,
               .description = "Sequences in all; data parallelism divides them.",
               .fallback = "1",
               .minimum = 1,
               .maximum = 1e6,
               .beyond = "this program counts up to a million sequences",
               .examples = {"1"}},
              {.key = "causal",
               .kind = Kind::boolean,
               .description = "Whether a query sees no later key than its own: half of the work. false: every query "
                              "sees every key.",
               .fallback = "true"},
              {.key = "dtype",
               .kind = Kind::choice,
               .description = "Number format of Q, K and V; fp32 and fp64 are for CPUs.",
               .fallback = "bf16",
               .choices = {"bf16", "fp16", "fp8", "fp32", "fp64"}},
              {.key = "scope",
               .kind = Kind::choice,
               .description = "attention: that of all layers, nothing else; model: the whole transformer.",
               .fallback = "attention",
               .choices = {"attention", "model"}},
              {.key = "cached",
               .kind = Kind::count,
               .description =
                   "Tokens of each sequence before `tokens`, whose keys and values are in the cache already.",
               .fallback = "0",
               .minimum = 0,
               .maximum = most_tokens,
               .beyond = why_most_tokens,
               .examples = {"128Ki"},
               .only = Condition{"phase", {"prefill"}},
               .later = true},
              {.key = "chunk",
               .kind = Kind::count,
               .description = "Tokens of a sequence that one pass takes, over all ranks; default: all of them.",
               .minimum = 1,
               .maximum = most_tokens,
               .beyond = why_most_tokens,
               .examples = {"32Ki"},
               .only = Condition{"phase", {"prefill"}}},
              {.key = "output_tokens",
               .kind = Kind::count,
               .description = "Tokens that each sequence is given, one after the other.",
               .fallback = "1",
               .minimum = 1,
               .maximum = 1e9,
               .beyond = "no answer is as long",
               .examples = {"1Ki"},
               .only = Condition{"phase", {"decode"}},
               .later = true},
              {.key = "documents",
               .kind = Kind::mapping,
               .description = "Documents packed into the sequences; default: a sequence is one document.",
               .mapping = documents_spec,
               .examples = {"{lengths: [8Ki, 1Ki, 137]}", "{counts: {8Ki: 12, 137: 4000}}", "{file: lengths.csv}"},
               .only = Condition{"phase", {"prefill", "train"}}},
          },
      .refused = {{"sequence_length", "the length of a sequence is called tokens", "tokens: 1Mi"},
                  {"seq_len", "the length of a sequence is called tokens", "tokens: 1Mi"},
                  {"context", "the length of a sequence is called tokens", "tokens: 1Mi"},
                  {"prefix", "what is in the cache already is called cached", "cached: 128Ki"},
                  {"chunked_prefill_size", "what one pass takes is called chunk", "chunk: 32Ki"},
                  {"max_num_batched_tokens", "what one pass takes of a sequence is called chunk", "chunk: 32Ki"},
                  {"max_tokens", "what decode adds to a sequence is called output_tokens", "output_tokens: 1Ki"},
                  {"micro_batch", "micro-batches stand below training", "training: {micro_batch: 1}"}}};
  return spec;
}

}  // namespace ringsim::scenarios
