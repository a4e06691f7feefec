#include "scenarios/spec_calibrated.hpp"

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

// A share above 0 and up to `most`.
Mapping share(std::string_view name, std::string_view description, std::string_view what, double most,
              std::string_view beyond, std::string_view example) {
  return calibrated(name, description,
                    {.key = "value",
                     .kind = Kind::ratio,
                     .description = what,
                     .minimum = 1e-4,
                     .maximum = most,
                     .beyond = beyond,
                     .examples = {example}});
}

}  // namespace

const Mapping& rate_spec() {
  static const Mapping spec = calibrated("calibrated_rate", "A calibrated FLOP rate.",
                                         {.key = "value",
                                          .kind = Kind::flop_rate,
                                          .description = "The rate that is reached.",
                                          .examples = {"655 TFLOP/s"}});
  return spec;
}
const Mapping& tokens_spec() {
  static const Mapping spec = calibrated("calibrated_tokens", "A calibrated number of tokens.",
                                         {.key = "value",
                                          .kind = Kind::number,
                                          .description = "The number of tokens, which need not be whole.",
                                          .maximum = 1e9,
                                          .examples = {"170"}});
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
  static const Mapping spec = share("calibrated_share", "A calibrated share of a nominal value.", "The share.", 1,
                                    "more than the nominal value cannot be reached", "81%");
  return spec;
}
const Mapping& traffic_share_spec() {
  static const Mapping spec =
      share("calibrated_traffic_share", "A calibrated share of what the ring algorithm's traffic would allow.",
            "The share; above 100% where a switch that reduces saves up to half of the traffic.", 2,
            "a switch that reduces saves no more than half of the traffic", "81%");
  return spec;
}
const Mapping& progress_spec() {
  static const Mapping spec =
      share("calibrated_progress", "A calibrated share of the progress that is made alone.",
            "The share; 100%: not disturbed.", 1, "nothing gets on faster beside something else than alone", "70%");
  return spec;
}

const Mapping& byte_range_spec() {
  static const Mapping spec{
      .name = "byte_range",
      .description = "From one size to another, both included.",
      .fields = {
          {.key = "low", .kind = Kind::bytes, .description = "The smallest.", .required = true, .examples = {"4 KiB"}},
          {.key = "high", .kind = Kind::bytes, .description = "The largest.", .required = true, .examples = {"16 MiB"}},
      }};
  return spec;
}

const Mapping& number_range_spec() {
  static const Mapping spec{
      .name = "number_range",
      .description = "From one number to another, both included.",
      .fields = {
          {.key = "low", .kind = Kind::number, .description = "The smallest.", .required = true, .examples = {"64"}},
          {.key = "high", .kind = Kind::number, .description = "The largest.", .required = true, .examples = {"4096"}},
      }};
  return spec;
}

}  // namespace ringsim::scenarios
