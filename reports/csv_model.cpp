#include "reports/csv_model.hpp"

#include "reports/serving_parts.hpp"
#include "reports/spending_parts.hpp"
#include "reports/traffic_parts.hpp"

#include <algorithm>
#include <optional>

namespace ringsim::reports {
namespace {

std::optional<double> known(double value) { return value > 0.0 ? std::optional(value) : std::nullopt; }

/// A member of what may be absent.
template <class T, class Member>
std::optional<Member> member(const std::optional<T>& whole, Member T::* which) {
  return whole ? std::optional(*whole.*which) : std::nullopt;
}

void add_plan(CsvRow& row, const sim::Prediction& p, const Scenario& s) {
  row.add("ring_exchange", name_of(s.ring.exchange));
  row.add("parallel_tensor", s.parallel.tensor);
  row.add("parallel_ulysses", s.parallel.ulysses);
  row.add("parallel_ring", s.parallel.ring);
  row.add("parallel_pipeline", s.parallel.pipeline);
  row.add("parallel_data", s.parallel.data);
  row.add("parallel_expert", s.parallel.expert);
  row.add("parallel_decode_context", s.parallel.decode_context);
  row.add("parallel_order", format_order(s.parallel.order));
  row.add("parallel_sequence_parallel", s.parallel.sequence_parallel);
  row.add("parallel_replicate_kv", s.parallel.replicate_kv);
  row.add("pipeline_stages", p.stages);
  row.add("pipeline_micro_batches", p.micro_batches);
  row.add("parameters", known(p.parameters));
  row.add("active_parameters", known(p.active_parameters));
}

// Of the slowest rank; empty for an engine that has no ranks.
void add_times(CsvRow& row, const sim::Prediction& p) {
  const auto found = std::find_if(p.per_rank.begin(), p.per_rank.end(),
                                  [&](const sim::RankSummary& rank) { return rank.rank == p.slowest_rank; });
  const std::optional<sim::RankSummary> slowest = found == p.per_rank.end() ? std::nullopt : std::optional(*found);
  row.add("attention_s", member(slowest, &sim::RankSummary::attention_s));
  row.add("merge_s", member(slowest, &sim::RankSummary::merge_s));
  row.add("dense_s", member(slowest, &sim::RankSummary::dense_s));
  row.add("collective_s", member(slowest, &sim::RankSummary::collective_s));
}

void add_traffic(CsvRow& row, const sim::Prediction& p) {
  double inside = 0;
  double between = 0;
  for (const LinkClassBytes& sum : bytes_by_link_class(p.traffic)) {
    (sum.inter_node ? between : inside) += sum.bytes_per_rank;
  }
  row.add("traffic_intra_node_bytes_per_rank", inside);
  row.add("traffic_inter_node_bytes_per_rank", between);
}

void add_serving(CsvRow& row, const std::optional<sim::ServingSummary>& serving) {
  using S = sim::ServingSummary;
  row.add("serving_cache_bytes_per_token", member(serving, &S::cache_bytes_per_token));
  row.add("serving_cache_bytes_per_request", member(serving, &S::cache_bytes_per_request));
  row.add("serving_reserved_bytes", member(serving, &S::reserved_bytes));
  row.add("serving_pool_bytes", member(serving, &S::pool_bytes));
  row.add("serving_resident_tokens", member(serving, &S::resident_tokens));
  row.add("serving_capacity_tokens", member(serving, &S::capacity_tokens));
  row.add("serving_requests", member(serving, &S::requests));
  row.add("serving_requests_that_fit", member(serving, &S::requests_that_fit));
  row.add("serving_queues", member(serving, &S::queues));
}

void add_documents(CsvRow& row, const std::optional<sim::DocumentSummary>& documents) {
  using D = sim::DocumentSummary;
  row.add("documents", member(documents, &D::documents));
  row.add("documents_useful_tokens", member(documents, &D::useful_tokens));
  row.add("documents_padded_tokens", member(documents, &D::padded_tokens));
  row.add("documents_useful_share", documents ? std::optional(useful_share(*documents)) : std::nullopt);
  row.add("documents_alignment_tokens", member(documents, &D::alignment));
  row.add("documents_attention_imbalance", member(documents, &D::attention_imbalance));
}

}  // namespace

void add_model(CsvRow& row, const sim::Prediction& p, const Scenario& s) {
  add_plan(row, p, s);
  add_times(row, p);
  row.add("gpu_hours_per_million_tokens", per_million_tokens(p, p.gpu_hours));
  row.add("cost_per_million_tokens", p.cost ? per_million_tokens(p, *p.cost) : std::nullopt);
  row.add("energy_joules", p.energy_joules);
  row.add("energy_cost", p.energy_cost);
  add_traffic(row, p);
  add_serving(row, p.serving);
  add_documents(row, p.documents);
  row.add("largest_context_tokens", p.largest_context_tokens);
}

}  // namespace ringsim::reports
