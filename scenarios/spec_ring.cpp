// The keys of `ring`.

#include "scenarios/spec.hpp"

namespace ringsim::scenarios {

const Mapping& ring_spec() {
  static const Mapping spec{
      .name = "ring",
      .description = "How the ranks that divide a sequence come to each other's keys and values.",
      .fields =
          {
              {.key = "layout",
               .kind = Kind::choice,
               .description =
                   "Who owns which tokens. zigzag: an early and a late chunk, balanced under a causal mask; striped: "
                   "every n-th token; contiguous: one run.",
               .fallback = "zigzag",
               .choices = {"contiguous", "striped", "zigzag"},
               .refused =
                   {{"naive", "the layout of one run of tokens a rank is called contiguous", "layout: contiguous"},
                    {"basic", "the layout of one run of tokens a rank is called contiguous", "layout: contiguous"}}},
              {.key = "travels",
               .kind = Kind::choice,
               .description = "What moves in the forward pass: keys and values, queries, or what is fewer bytes.",
               .fallback = "kv",
               .choices = {"kv", "q", "auto"},
               .refused = {{"pass-kv", "keys and values are called kv", "travels: kv"},
                           {"pass-q", "queries are called q", "travels: q"}}},
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
              {.key = "exchange",
               .kind = Kind::choice,
               .description = "one-way: from rank to rank; both-ways: half each way round; two-level: rings inside "
                              "nodes and a ring of "
                              "nodes; all-gather: every rank gathers all blocks, then computes once.",
               .fallback = "one-way",
               .choices = {"one-way", "both-ways", "two-level", "all-gather"},
               .refused = {{"p2p", "sending from rank to rank is called one-way", "exchange: one-way"},
                           {"ring", "sending from rank to rank is called one-way", "exchange: one-way"},
                           {"bidirectional", "a ring with halves each way is called both-ways", "exchange: both-ways"},
                           {"double-ring", "rings inside nodes and a ring of nodes are called two-level",
                            "exchange: two-level"},
                           {"a2a", "all-to-all of heads is a degree of its own", "parallel: {ulysses: 8}"},
                           {"all-to-all", "all-to-all of heads is a degree of its own", "parallel: {ulysses: 8}"}},
               .later = true},
              {.key = "halves",
               .kind = Kind::choice,
               .description = "What each way takes half of.",
               .fallback = "heads",
               .choices = {"heads", "tokens"},
               .only = Condition{"exchange", {"both-ways"}},
               .later = true},
              {.key = "inner",
               .kind = Kind::count,
               .description = "Ranks of an inner ring; default: those of a node.",
               .minimum = 1,
               .maximum = most_ranks,
               .beyond = "this program counts up to 16 million ranks (2^24)",
               .examples = {"8"},
               .only = Condition{"exchange", {"two-level"}}},
          },
      .refused = {{"size", "the number of ranks stands below parallel", "parallel: {ring: 8}"},
                  {"degree", "the number of ranks stands below parallel", "parallel: {ring: 8}"},
                  {"ulysses", "the degree of Ulysses stands below parallel", "parallel: {ulysses: 8}"},
                  {"comm_type", "how ranks exchange blocks is called exchange", "exchange: all-gather"}}};
  return spec;
}

}  // namespace ringsim::scenarios
