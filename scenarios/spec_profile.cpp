// The keys of `profile` and of profile files: they mirror models/profile.hpp.

#include "scenarios/spec.hpp"
#include "scenarios/spec_calibrated.hpp"

#include <string_view>
#include <vector>

namespace ringsim::scenarios {
namespace {

const Mapping& attention_cost_spec() {
  static const Mapping spec{
      .name = "attention_cost",
      .description = "Attention kernel of one pass (models/cost.hpp).",
      .fields = {
          {.key = "saturated",
           .kind = Kind::mapping,
           .description = "Useful FLOP/s of an endless unmasked block that fills the chip.",
           .required = true,
           .mapping = rate_spec},
          {.key = "half_depth",
           .kind = Kind::mapping,
           .description = "Keys a row at which half of `saturated` is reached [tokens].",
           .required = true,
           .mapping = tokens_spec},
          {.key = "half_rows",
           .kind = Kind::mapping,
           .description = "Rows at which half is reached of a deep kernel [tokens]; absent: few rows cost "
                          "no more than their work.",
           .mapping = tokens_spec},
          {.key = "sustained",
           .kind = Kind::mapping,
           .description = "Part of `saturated` that is kept while all GPUs compute for long; absent: all of it.",
           .mapping = share_spec,
           .examples = {"94%"}},
          {.key = "blocks",
           .kind = Kind::choice,
           .description =
               "What thread blocks divide beside heads: query tiles, key tiles, or keys too where queries are few.",
           .fallback = "queries",
           .choices = {"queries", "keys", "split"},
           .later = true},
      }};
  return spec;
}

// A size and what it reaches, up to `most`.
std::vector<Field> knot_fields(std::string_view size, double most, std::string_view beyond) {
  return {
      {.key = "size", .kind = Kind::bytes, .description = size, .required = true, .examples = {"64 KiB"}},
      {.key = "efficiency",
       .kind = Kind::ratio,
       .description = "Reached share of the nominal bandwidth, the latency taken off.",
       .required = true,
       .minimum = 1e-9,
       .maximum = most,
       .beyond = beyond,
       .examples = {"35%"}},
  };
}

const Mapping& link_knot_spec() {
  static const Mapping spec{
      .name = "link_knot",
      .description = "What a message of one size reaches.",
      .fields = knot_fields("Bytes of the message.", 1, "more than the nominal value cannot be reached")};
  return spec;
}

const Mapping& traffic_knot_spec() {
  static const Mapping spec{.name = "traffic_knot",
                            .description = "What a collective reaches with so much traffic.",
                            .fields = knot_fields("Bytes that a rank sends by the ring algorithm.", 2,
                                                  "a switch that reduces saves no more than half of the traffic")};
  return spec;
}

const Mapping& attention_range_spec() {
  static const Mapping spec{
      .name = "attention_range",
      .description = "Kernels that the attention costs were fitted on; a prediction beyond extrapolates.",
      .fields = {
          {.key = "rows",
           .kind = Kind::mapping,
           .description = "Rows of a kernel [tokens].",
           .required = true,
           .mapping = number_range_spec},
          {.key = "columns",
           .kind = Kind::mapping,
           .description = "Columns of a kernel [tokens].",
           .required = true,
           .mapping = number_range_spec},
          {.key = "heads",
           .kind = Kind::mapping,
           .description = "Sequences times query heads.",
           .required = true,
           .mapping = number_range_spec},
          {.key = "dims",
           .kind = Kind::mapping,
           .description = "Dimension of queries and keys.",
           .required = true,
           .mapping = number_range_spec},
      }};
  return spec;
}

std::vector<Field> share_fields() {
  return {
      {.key = "compute_share",
       .kind = Kind::mapping,
       .description = "Of the kernel: what it makes, beside a hop, of the progress it makes alone.",
       .required = true,
       .mapping = progress_spec},
      {.key = "transfer_share",
       .kind = Kind::mapping,
       .description = "Of the hop: what it makes, beside a kernel, of the progress it makes alone.",
       .required = true,
       .mapping = progress_spec},
  };
}

const Mapping& progress_shares_spec() {
  static const Mapping spec{.name = "progress_shares",
                            .description = "An attention kernel of one pass and an incoming hop on one rank at once.",
                            .fields = share_fields()};
  return spec;
}

Field share_of_pass(std::string_view pass, std::string_view description, std::string_view example) {
  return {.key = pass,
          .kind = Kind::mapping,
          .description = description,
          .mapping = progress_shares_spec,
          .examples = {example}};
}

const Mapping& shared_progress_spec() {
  static const Mapping spec = [] {
    Mapping shares{
        .name = "shared_progress",
        .description =
            "A kernel and an incoming hop on one rank at once: what each makes of the progress it makes alone.",
        .fields = share_fields()};
    shares.fields.push_back(share_of_pass("forward",
                                          "Beside attention of the forward pass; absent: as beside other kernels.",
                                          "{compute_share: 100%, transfer_share: 10%}"));
    shares.fields.push_back(share_of_pass("backward",
                                          "Beside attention of the backward pass; absent: as beside other kernels.",
                                          "{compute_share: 100%, transfer_share: 50%}"));
    return shares;
  }();
  return spec;
}

const Mapping& interference_spec() {
  static const Mapping spec{.name = "interference",
                            .description =
                                "How attention and transfers slow each other down, by who moves the bytes "
                                "(ring.transfer); absent: not at all.",
                            .fields = {
                                {.key = "sm-kernel",
                                 .kind = Kind::mapping,
                                 .description = "Transfers by the units that compute.",
                                 .mapping = shared_progress_spec},
                                {.key = "copy-engine",
                                 .kind = Kind::mapping,
                                 .description = "Transfers by a unit of their own.",
                                 .mapping = shared_progress_spec},
                            }};
  return spec;
}

const Mapping& gemm_cost_spec() {
  static const Mapping spec{.name = "gemm_cost",
                            .description = "Matrix products of one number format (models/dense_cost.hpp).",
                            .fields = {
                                {.key = "saturated",
                                 .kind = Kind::mapping,
                                 .description = "Useful FLOP/s of a large product.",
                                 .required = true,
                                 .mapping = rate_spec},
                                {.key = "half_rows",
                                 .kind = Kind::mapping,
                                 .description = "Rows at which half of `saturated` is reached [tokens].",
                                 .required = true,
                                 .mapping = tokens_spec},
                            }};
  return spec;
}

const Mapping& collective_cost_spec() {
  static const Mapping spec{
      .name = "collective_cost",
      .description =
          "A collective of one kind among so many ranks: latency + what a rank sends by the ring algorithm / (nominal "
          "bandwidth x efficiency) (models/collective.hpp).",
      .fields = {
          {.key = "kind",
           .kind = Kind::choice,
           .description = "Which collective.",
           .required = true,
           .choices = {"all-gather", "reduce-scatter", "all-reduce", "all-to-all"}},
          {.key = "link_class",
           .description = "Class of the farthest links that it runs over.",
           .required = true,
           .examples = {"nvlink4"}},
          {.key = "ranks",
           .kind = Kind::count,
           .description = "Ranks that take part.",
           .required = true,
           .minimum = 2,
           .maximum = 1e6,
           .examples = {"8"}},
          {.key = "latency",
           .kind = Kind::mapping,
           .description = "What it takes with hardly any bytes.",
           .required = true,
           .mapping = duration_spec},
          {.key = "efficiency",
           .kind = Kind::mapping,
           .description = "Reached share of the nominal bandwidth, one direction.",
           .required = true,
           .mapping = traffic_share_spec},
          {.key = "by_size",
           .kind = Kind::mappings,
           .description = "Where the share depends on what a rank sends: by ascending traffic, as of links.",
           .mapping = traffic_knot_spec,
           .examples = {"[{size: 64 KiB, efficiency: 35%}, {size: 1 MiB, efficiency: 60%}]"}},
      }};
  return spec;
}

const Mapping& link_cost_spec() {
  static const Mapping spec{
      .name = "link_cost",
      .description = "What links of one class cost.",
      .fields = {
          {.key = "latency",
           .kind = Kind::mapping,
           .description = "Fixed cost of one hop's grouped send and receive.",
           .required = true,
           .mapping = duration_spec},
          {.key = "efficiency",
           .kind = Kind::mapping,
           .description = "Reached share of the nominal bandwidth, one direction while both are busy.",
           .required = true,
           .mapping = share_spec},
          {.key = "by_size",
           .kind = Kind::mappings,
           .description =
               "Where the share depends on the size: by ascending size. Between two sizes the time without latency is "
               "linear; absent: `efficiency` at all sizes.",
           .mapping = link_knot_spec,
           .examples = {"[{size: 64 KiB, efficiency: 35%}, {size: 1 MiB, efficiency: 60%}]"}},
          {.key = "measured_bytes",
           .kind = Kind::mapping,
           .description = "Sizes that the costs were fitted on.",
           .mapping = byte_range_spec,
           .examples = {"{low: 4 KiB, high: 16 MiB}"}},
          {.key = "single_flow",
           .kind = Kind::mapping,
           .description =
               "Between nodes, where the costs were measured with a flow of every GPU: bandwidth of the only flow that "
               "leaves a node, as a multiple; absent: the same.",
           .mapping = factor_spec,
           .examples = {"1.08"}},
      }};
  return spec;
}

}  // namespace

const Mapping& profile_spec() {
  static const Mapping spec{
      .name = "profile",
      .description = "Calibrated costs of a GPU and its links.",
      .fields =
          {
              {.key = "use",
               .description =
                   "Name of a profile of the library, a YAML file relative to the scenario, or `datasheet`; the other "
                   "keys override it.",
               .role = Role::reference,
               .examples = {"h100-sxm", "datasheet", "path/to/profile.yaml"}},
              {.key = "name", .description = "Name in reports.", .fallback = "custom", .examples = {"h100-sxm"}},
              {.key = "gpu", .description = "The GPU it was made for.", .required = true, .examples = {"h100-sxm"}},
              {.key = "forward",
               .kind = Kind::mapping,
               .description = "Attention kernels of the forward pass.",
               .required = true,
               .mapping = attention_cost_spec},
              {.key = "backward",
               .kind = Kind::mapping,
               .description = "Attention kernels of the backward pass.",
               .required = true,
               .mapping = attention_cost_spec},
              {.key = "query_tile",
               .kind = Kind::count,
               .description = "Rows of a tile, the queries that a thread block works on at once [tokens].",
               .fallback = "128",
               .minimum = 1,
               .maximum = 1e6},
              {.key = "key_tile",
               .kind = Kind::count,
               .description = "Columns of a tile [tokens]: a mask edge wastes half a tile a row.",
               .fallback = "128",
               .minimum = 1,
               .maximum = 1e6},
              {.key = "multiprocessors",
               .kind = Kind::count,
               .description = "SMs that a kernel can fill; absent: small blocks cost no more than their work.",
               .minimum = 1,
               .maximum = 1e6,
               .examples = {"132"}},
              {.key = "launch",
               .kind = Kind::mapping,
               .description = "Fixed cost of a kernel on the critical path.",
               .required = true,
               .mapping = duration_spec},
              {.key = "merge_traffic",
               .kind = Kind::mapping,
               .description =
                   "Bytes that a merge moves, as a multiple of the least; 1: one fused pass, 0: merging is free.",
               .required = true,
               .mapping = factor_spec},
              {.key = "partial_merge_traffic",
               .kind = Kind::mapping,
               .description = "The same of a merge into some of the rows of a block, which are copied out and back; "
                              "absent: as of all.",
               .mapping = factor_spec,
               .examples = {"4"}},
              {.key = "issue",
               .kind = Kind::mapping,
               .description = "What the driving program needs to issue one operation of a rank (kernel, merge, hop): "
                              "the n-th starts "
                              "no earlier than n times that; absent: no time.",
               .mapping = duration_spec,
               .examples = {"40 us"}},
              {.key = "merge_bandwidth",
               .kind = Kind::mapping,
               .description = "Memory rate that a merge reaches.",
               .required = true,
               .mapping = bandwidth_spec},
              {.key = "event_latency",
               .kind = Kind::mapping,
               .description = "How much later an operation becomes ready that waits for the other stream.",
               .required = true,
               .mapping = duration_spec},
              {.key = "contest_for_multiprocessors",
               .kind = Kind::boolean,
               .description = "Transfers by a kernel and attention compete for SMs.",
               .required = true,
               .examples = {"true"}},
              {.key = "links",
               .kind = Kind::table,
               .description = "Costs by link class.",
               .required = true,
               .mapping = link_cost_spec,
               .examples = {"{nvlink4: {latency: 5 us, efficiency: 81%}}"}},
              {.key = "interference",
               .kind = Kind::mapping,
               .description = "How attention and transfers slow each other down.",
               .mapping = interference_spec,
               .examples = {"{copy-engine: {compute_share: 90%, transfer_share: 80%}}"}},
              {.key = "gemm",
               .kind = Kind::mapping,
               .description = "Matrix products in bf16 and fp16; absent: the GPU's peak.",
               .mapping = gemm_cost_spec,
               .examples = {"{saturated: 780 TFLOP/s, half_rows: 0}"}},
              {.key = "gemm_fp8",
               .kind = Kind::mapping,
               .description = "Matrix products in fp8; absent: the GPU's peak.",
               .mapping = gemm_cost_spec,
               .examples = {"{saturated: 1400 TFLOP/s, half_rows: 0}"}},
              {.key = "memory_bandwidth",
               .kind = Kind::mapping,
               .description = "Memory rate of kernels that stream; absent: the data sheet's.",
               .mapping = bandwidth_spec,
               .examples = {"2800 GB/s"}},
              {.key = "collectives",
               .kind = Kind::mappings,
               .description = "Measured collectives; absent ones follow from `links`.",
               .mapping = collective_cost_spec,
               .examples = {"[{kind: all-reduce, link_class: nvlink4, ranks: 8, latency: 19 us, efficiency: 86%}]"}},
              {.key = "measured",
               .kind = Kind::mapping,
               .description = "What the attention costs were fitted on; absent: unknown.",
               .mapping = attention_range_spec},
              {.key = "made",
               .kind = Kind::table,
               .description = "How it came about: device, machine, ranks, software, date, commit.",
               .examples = {"{device: host, ranks: 2, date: 2026-01-20}"}},
              {.key = "description", .description = "One line about the profile.", .role = Role::note},
              {.key = "source", .description = "Where the profile comes from.", .role = Role::note},
          },
      .shorthand = "use",
      .library = LibraryKind::profile,
  };
  return spec;
}

}  // namespace ringsim::scenarios
