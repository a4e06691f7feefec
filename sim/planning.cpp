#include "sim/planning.hpp"

#include "models/document_packing.hpp"
#include "models/largest_context.hpp"
#include "models/parameters.hpp"
#include "models/serving_capacity.hpp"
#include "models/spending.hpp"

namespace ringsim::sim {
namespace {

void parameters_of(const Scenario& s, Prediction& p) {
  if (const auto count = count_parameters(s.model)) {
    p.parameters = count->total();
    p.active_parameters = count->active();
  }
}

// Share of the makespan that the used GPUs compute, on average over ring ranks and stages; all other ranks do as these.
double busy_share(const Prediction& p) {
  if (p.per_rank.empty()) return p.compute_s / p.makespan_s;
  double compute_s = 0;
  for (const RankSummary& rank : p.per_rank) compute_s += rank.compute_s;
  return compute_s / (static_cast<double>(p.per_rank.size()) * p.makespan_s);
}

void energy_of(const Scenario& s, Prediction& p) {
  const Spending spending = spending_of(s, seconds(p.makespan_s), busy_share(p));
  if (!spending.energy) return;
  p.energy_joules = in_joules(*spending.energy);
  p.energy_source = spending.energy_source;
  p.energy_cost = spending.energy_cost;
}

void serving_of(const Scenario& s, Prediction& p) {
  if (runs_backward(s.workload.phase)) return;
  const ServingCapacity c = serving_capacity(s);
  p.serving = ServingSummary{.cache_bytes_per_token = in_bytes(c.per_token),
                             .cache_bytes_per_request = in_bytes(c.per_request),
                             .reserved_bytes = in_bytes(c.reserved),
                             .pool_bytes = in_bytes(c.pool),
                             .resident_tokens = c.resident_tokens,
                             .capacity_tokens = c.capacity_tokens,
                             .requests = c.requests,
                             .requests_that_fit = c.requests_that_fit,
                             .queues = c.queues};
}

void documents_of(const Scenario& s, Prediction& p) {
  if (!s.workload.documents) return;
  const PackedDocuments packed = pack_documents(s);
  p.documents = DocumentSummary{.documents = packed.documents,
                                .useful_tokens = packed.useful_tokens,
                                .padded_tokens = packed.padded_tokens,
                                .alignment = packed.alignment.tokens,
                                .alignment_from = packed.alignment.from,
                                .attention_imbalance = packed.attention_imbalance};
}

}  // namespace

void planning_answers(const Scenario& s, Prediction& p) {
  documents_of(s, p);
  // Of attention alone nothing follows for a model or the machines that hold it.
  if (s.workload.scope != Scope::model && s.workload.phase != Phase::decode) return;
  parameters_of(s, p);
  energy_of(s, p);
  serving_of(s, p);
  if (const auto tokens = largest_context(s)) p.largest_context_tokens = static_cast<double>(*tokens);
}

}  // namespace ringsim::sim
