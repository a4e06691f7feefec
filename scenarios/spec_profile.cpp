// The keys of `profile` and of profile files: they mirror models/profile.hpp. Every calibrated value is
// {value, uncertainty, origin, source}; a bare value is short for {value: ...}, and then counts as assumed.

#include "scenarios/spec.hpp"

namespace ringsim::scenarios {
namespace {

Mapping calibrated(std::string_view name, std::string_view description, Field value) {
  value.required = true;
  return Mapping{.name = name,
                 .description = description,
                 .fields =
                     {
                         std::move(value),
                         {.key = "uncertainty",
                          .kind = Kind::ratio,
                          .description = "How far the value may be off, to one side.",
                          .fallback = "0%",
                          .maximum = 0.99,
                          .beyond = "a value that may be off by all of itself says nothing",
                          .examples = {"5%"}},
                         {.key = "origin",
                          .kind = Kind::choice,
                          .description = "How the value came about.",
                          .fallback = "assumed",
                          .choices = {"measured", "published", "vendor", "assumed"}},
                         {.key = "source",
                          .description = "Where it comes from: publication, table, or device, date and driver.",
                          .examples = {"H100 SXM, driver 580, 2026-01-20"}},
                     },
                 .shorthand = "value"};
}

const Mapping& rate_spec() {
  static const Mapping spec =
      calibrated("calibrated_rate", "A calibrated FLOP rate.",
                 {.key = "value", .kind = Kind::flop_rate, .description = "The rate.", .examples = {"655 TFLOP/s"}});
  return spec;
}
const Mapping& tokens_spec() {
  static const Mapping spec =
      calibrated("calibrated_tokens", "A calibrated number of tokens.",
                 {.key = "value", .kind = Kind::number, .description = "Tokens.", .maximum = 1e9, .examples = {"170"}});
  return spec;
}
const Mapping& duration_spec() {
  static const Mapping spec =
      calibrated("calibrated_duration", "A calibrated duration.",
                 {.key = "value", .kind = Kind::duration, .description = "The duration.", .examples = {"5 us"}});
  return spec;
}
const Mapping& bandwidth_spec() {
  static const Mapping spec = calibrated(
      "calibrated_bandwidth", "A calibrated bandwidth.",
      {.key = "value", .kind = Kind::bandwidth, .description = "The bandwidth.", .examples = {"2847.5 GB/s"}});
  return spec;
}
const Mapping& factor_spec() {
  static const Mapping spec = calibrated(
      "calibrated_factor", "A calibrated factor.",
      {.key = "value", .kind = Kind::number, .description = "The factor.", .maximum = 1000, .examples = {"1.8"}});
  return spec;
}
const Mapping& share_spec() {
  static const Mapping spec = calibrated("calibrated_share", "A calibrated share of a nominal value.",
                                         {.key = "value",
                                          .kind = Kind::ratio,
                                          .description = "The share.",
                                          .minimum = 1e-4,
                                          .maximum = 1,
                                          .beyond = "more than the nominal value cannot be reached",
                                          .examples = {"81%"}});
  return spec;
}

const Mapping& attention_cost_spec() {
  static const Mapping spec{.name = "attention_cost",
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
               .description = "Attention, forward pass.",
               .required = true,
               .mapping = attention_cost_spec},
              {.key = "backward",
               .kind = Kind::mapping,
               .description = "Attention, backward pass.",
               .required = true,
               .mapping = attention_cost_spec},
              {.key = "query_tile",
               .kind = Kind::count,
               .description = "Rows of a tile [tokens].",
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
              {.key = "description", .description = "One line about the profile.", .role = Role::note},
              {.key = "source", .description = "Where the profile comes from.", .role = Role::note},
          },
      .shorthand = "use",
      .library = LibraryKind::profile,
  };
  return spec;
}

}  // namespace ringsim::scenarios
