// The keys of a set of published measurements: they mirror models/published_set.hpp.

#include "scenarios/spec_published.hpp"

namespace ringsim::scenarios {
namespace {

Field share(std::string_view key, std::string_view description) {
  return {.key = key,
          .kind = Kind::ratio,
          .description = description,
          .minimum = 0,
          .maximum = 10,
          .beyond = "an error of ten times the measured time is no target",
          .examples = {"5%"}};
}

Field whole(std::string_view key, std::string_view description) {
  return {.key = key,
          .kind = Kind::count,
          .description = description,
          .minimum = 0,
          .maximum = 1e6,
          .beyond = "no set has as many rows",
          .examples = {"12"}};
}

Field text(std::string_view key, std::string_view description, bool required = true) {
  return {.key = key, .kind = Kind::text, .description = description, .required = required};
}

const Mapping& target_spec() {
  static const Mapping spec{.name = "published_target",
                            .description = "What the predictions of a set should reach.",
                            .fields = {share("median", "Median of the size of the error."),
                                       share("p90", "90 % quantile of it."), share("worst", "The largest of it."),
                                       whole("winners", "Groups whose fastest row is predicted to be the fastest."),
                                       whole("orders", "Groups whose rows are predicted in their order.")}};
  return spec;
}

const Mapping& remark_spec() {
  static const Mapping spec{.name = "published_remark",
                            .description = "What is not modelled, where predictions fail and why.",
                            .fields = {text("about", "What it is about."), text("text", "The remark.")}};
  return spec;
}

const Mapping& left_out_spec() {
  static const Mapping spec{
      .name = "published_left_out",
      .description = "Rows of the source that are not in the set.",
      .fields = {text("rows", "Which ones."), whole("count", "How many."), text("why", "Why they are left out.")}};
  return spec;
}

}  // namespace

const Mapping& published_set_spec() {
  static const Mapping spec{
      .name = "published_set",
      .description = "Published measurements and how to predict them.",
      .fields = {text("title", "One line."),
                 text("source", "Who published the rows, and where."),
                 text("method", "How they were measured."),
                 text("fitted", "What was fitted on end-to-end rows of the set: none, or what it was."),
                 text("microbenchmarks", "What the profile was fitted on, of the same cluster or GPU."),
                 whole("rows_of_source", "Rows of the source: those of the set and those left out."),
                 {.key = "target",
                  .kind = Kind::mapping,
                  .description = "What the predictions should reach.",
                  .mapping = target_spec},
                 {.key = "remarks",
                  .kind = Kind::mappings,
                  .description = "What is not modelled, where predictions fail and why.",
                  .mapping = remark_spec},
                 {.key = "left_out",
                  .kind = Kind::mappings,
                  .description = "Rows of the source that are not in the set.",
                  .mapping = left_out_spec}}};
  return spec;
}

}  // namespace ringsim::scenarios
