// The keys of `noise`: what disturbs an ideal run.

#include "scenarios/spec.hpp"

namespace ringsim::scenarios {
namespace {

const Mapping& jitter_spec() {
  static const Mapping spec{
      .name = "jitter",
      .description = "A random factor on times, drawn anew for every operation: one distribution with its spread.",
      .fields =
          {
              {.key = "normal",
               .kind = Kind::ratio,
               .description = "Mean 1 and this standard deviation; cut at 1/16.",
               .minimum = 0,
               .maximum = 1,
               .beyond = "a normal factor of that spread would often be negative",
               .examples = {"2%"}},
              {.key = "lognormal",
               .kind = Kind::ratio,
               .description = "Mean 1 and this standard deviation.",
               .minimum = 0,
               .maximum = 10,
               .beyond = "such times are no jitter",
               .examples = {"2%"}},
              {.key = "pareto",
               .kind = Kind::ratio,
               .description = "Never below 1, with this mean excess: what operating systems and page faults add.",
               .minimum = 0,
               .maximum = 10,
               .beyond = "such times are no jitter",
               .examples = {"2%"}},
              {.key = "tail",
               .kind = Kind::number,
               .description = "Of pareto: the excess is beyond x with a probability that falls as x to the minus tail; "
                              "default 3.",
               .minimum = 1.05,
               .maximum = 100,
               .beyond = "that is no tail: use lognormal",
               .examples = {"3"}},
          },
      .refused = {{"gaussian", "that distribution is called normal", "normal: 2%"},
                  {"exponential", "the distributions are normal, lognormal and pareto", "pareto: 2%"}},
      .any_of = {"normal", "lognormal", "pareto"}};
  return spec;
}

const Mapping& straggler_spec() {
  static const Mapping spec{.name = "straggler",
                            .description = "A rank that computes slower than the others, all the time.",
                            .fields = {
                                {.key = "rank",
                                 .kind = Kind::count,
                                 .description = "Rank in the ring, from 0; in every ring of the job.",
                                 .required = true,
                                 .examples = {"5"}},
                                {.key = "slowdown",
                                 .kind = Kind::number,
                                 .description = "Its compute times are multiplied by this.",
                                 .required = true,
                                 .minimum = 1,
                                 .maximum = 1e6,
                                 .beyond = "such a rank has failed",
                                 .examples = {"1.2"}},
                            }};
  return spec;
}

const Mapping& slow_link_spec() {
  static const Mapping spec{
      .name = "slow_link",
      .description = "A link that is slower than its data sheet.",
      .fields = {
          {.key = "link",
           .description =
               "Its name: one direction of a wire. A name that cannot exist is an error that says the nearest one.",
           .required = true,
           .examples = {"node3.nic2.out"}},
          {.key = "bandwidth",
           .kind = Kind::ratio,
           .description =
               "What is left of its data sheet's bandwidth; several entries of a link follow each other in time.",
           .required = true,
           .minimum = 1e-6,
           .maximum = 1,
           .beyond = "that link is not slow",
           .examples = {"50%"}},
          {.key = "from",
           .kind = Kind::duration,
           .description = "Since when, counted from the start of the run.",
           .fallback = "0 s",
           .examples = {"10 ms"}},
      }};
  return spec;
}

const Mapping& failure_spec() {
  static const Mapping spec{
      .name = "failure",
      .description = "A link, or a GPU, that stops for good.",
      .fields =
          {
              {.key = "link", .description = "Name of the link; or else gpu.", .examples = {"node3.nic2.out"}},
              {.key = "gpu",
               .kind = Kind::count,
               .description = "The GPU, counted over all nodes; or else link.",
               .examples = {"13"}},
              {.key = "at",
               .kind = Kind::duration,
               .description = "When, counted from the start of the run.",
               .required = true,
               .examples = {"10 ms"}},
          },
      .any_of = {"link", "gpu"}};
  return spec;
}

const Mapping& background_spec() {
  static const Mapping spec{.name = "background",
                            .description = "Traffic of another job between two GPUs.",
                            .fields = {
                                {.key = "from",
                                 .kind = Kind::count,
                                 .description = "GPU that sends, counted over all nodes from 0.",
                                 .required = true,
                                 .examples = {"0"}},
                                {.key = "to",
                                 .kind = Kind::count,
                                 .description = "GPU that receives, counted over all nodes from 0.",
                                 .required = true,
                                 .examples = {"8"}},
                                {.key = "rate",
                                 .kind = Kind::bandwidth,
                                 .description = "At most this; default: its fair share of every link.",
                                 .examples = {"20 GB/s"}},
                                {.key = "start",
                                 .kind = Kind::duration,
                                 .description = "Since when, counted from the start of the run.",
                                 .fallback = "0 s",
                                 .examples = {"10 ms"}},
                                {.key = "end",
                                 .kind = Kind::duration,
                                 .description = "Until when; default: until the run ends.",
                                 .examples = {"50 ms"}},
                            }};
  return spec;
}

}  // namespace

const Mapping& noise_spec() {
  static const Mapping spec{
      .name = "noise",
      .description = "What disturbs an ideal run.",
      .fields =
          {
              {.key = "compute",
               .kind = Kind::mapping,
               .description = "Random compute times: a factor on every kernel.",
               .mapping = jitter_spec,
               .examples = {"{lognormal: 2%}"}},
              {.key = "links",
               .kind = Kind::mapping,
               .description = "Random transfer times: a factor on every hop, latency included.",
               .mapping = jitter_spec,
               .examples = {"{pareto: 5%}"}},
              {.key = "stragglers",
               .kind = Kind::mappings,
               .description = "Ranks that compute slower than the others, all the time.",
               .fallback = "[]",
               .mapping = straggler_spec,
               .examples = {"[{rank: 5, slowdown: 1.2}]"}},
              {.key = "slow_links",
               .kind = Kind::mappings,
               .description = "Links that are slower than their data sheet, from the start or from a time on.",
               .mapping = slow_link_spec,
               .examples = {"[{link: node3.nic2.out, bandwidth: 50%}]"}},
              {.key = "failures",
               .kind = Kind::mappings,
               .description = "Links and GPUs that stop for good during the run, which then ends with exit status 7.",
               .mapping = failure_spec,
               .examples = {"[{link: node3.nic2.out, at: 10 ms}]"}},
              {.key = "background",
               .kind = Kind::mappings,
               .description = "Traffic of other jobs, which takes its share of the links on its way.",
               .mapping = background_spec,
               .examples = {"[{from: 0, to: 8, rate: 20 GB/s}]"}},
          },
      .refused = {
          {"jitter", "random times are called compute (of kernels) and links (of hops)", "compute: {lognormal: 2%}"}}};
  return spec;
}

}  // namespace ringsim::scenarios
