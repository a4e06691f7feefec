#include "reports/serving_parts.hpp"

#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ringsim::reports {
namespace {

/// Whole tokens: of a room rounded down.
std::string whole_tokens(double tokens) {
  return std::abs(tokens) < 1e15 ? human_count(static_cast<std::int64_t>(std::floor(tokens))) : human_number(tokens);
}

std::string of_rank(double size) { return human_bytes(bytes(size)) + " a rank"; }

}  // namespace

Fields serving_fields(const sim::ServingSummary& s) {
  Fields fields = {{"cache of a token", of_rank(s.cache_bytes_per_token)}};
  if (s.cache_bytes_per_request > 0) {
    fields.emplace_back("of a request", of_rank(s.cache_bytes_per_request) +
                                            " besides, whatever its length (windows, states, part pages)");
  }
  fields.emplace_back("room for the cache", of_rank(s.pool_bytes));
  if (s.reserved_bytes > 0) fields.emplace_back("left alone", of_rank(s.reserved_bytes) + ", the engine's reserve");
  fields.emplace_back("requests", fmt::format("{} asked for, {} fit at once", human_count(s.requests),
                                              human_count(s.requests_that_fit)));
  fields.emplace_back("tokens in the cache",
                      fmt::format("{} asked for, {} fit in requests of this length", whole_tokens(s.resident_tokens),
                                  whole_tokens(s.capacity_tokens)));
  return fields;
}

double useful_share(const sim::DocumentSummary& d) {
  return d.padded_tokens > 0.0 ? d.useful_tokens / d.padded_tokens : 1.0;
}

Fields document_fields(const sim::DocumentSummary& d) {
  Fields fields = {{"documents", human_count(d.documents)}};
  fields.emplace_back("tokens", fmt::format("{} of documents; {} with padding", whole_tokens(d.useful_tokens),
                                            whole_tokens(d.padded_tokens)));
  fields.emplace_back("useful", human_percent(useful_share(d)) + " of the padded tokens");
  if (d.alignment > 1) {
    fields.emplace_back("padded to", fmt::format("multiples of {} tokens{}", human_count(d.alignment),
                                                 d.alignment_from.empty() ? "" : " (" + d.alignment_from + ")"));
  }
  fields.emplace_back("attention", d.attention_imbalance > 1.0
                                       ? fmt::format("the fullest rank has {} × the work of the mean rank",
                                                     human_number(d.attention_imbalance))
                                       : std::string("all ranks have the same work"));
  return fields;
}

}  // namespace ringsim::reports
