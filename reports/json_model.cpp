#include "reports/json_model.hpp"

#include "reports/definitions.hpp"
#include "reports/serving_parts.hpp"
#include "reports/spending_parts.hpp"
#include "reports/stage_parts.hpp"

#include <string>

namespace ringsim::reports {
namespace {

Json known(double value) { return value > 0.0 ? Json(value) : Json(nullptr); }

Json parallel_json(const Parallel& plan) {
  return {{"tensor", plan.tensor},
          {"ulysses", plan.ulysses},
          {"ring", plan.ring},
          {"pipeline", plan.pipeline},
          {"data", plan.data},
          {"expert", plan.expert},
          {"decode_context", plan.decode_context},
          {"order", format_order(plan.order)},
          {"sequence_parallel", plan.sequence_parallel},
          {"replicate_kv", plan.replicate_kv}};
}

Json pipeline_json(const sim::Prediction& p, const Scenario& s) {
  if (p.stages <= 1) return nullptr;
  const std::int64_t pieces = s.workload.phase == Phase::train ? s.training.interleave : 1;
  Json stages = Json::array();
  for (const sim::RankSummary& rank : slowest_of_stages(p.per_rank)) {
    stages.push_back({{"stage", rank.stage},
                      {"slowest_rank", rank.rank},
                      {"compute_s", rank.compute_s},
                      {"exposed_communication_s", rank.exposed_communication_s},
                      {"bubble_s", rank.bubble_s},
                      {"end_s", rank.end_s}});
  }
  return {{"stages", p.stages},
          {"micro_batches", p.micro_batches},
          {"interleave", pieces},
          {"ideal_bubble", ideal_bubble(p.stages, pieces, p.micro_batches)},
          {"per_stage", std::move(stages)}};
}

Json traffic_json(const sim::Prediction& p) {
  Json traffic = Json::array();
  for (const sim::TrafficSummary& t : p.traffic) {
    traffic.push_back({{"name", t.name},
                       {"kind", t.kind},
                       {"group", t.group.empty() ? Json(nullptr) : Json(t.group)},
                       {"link_class", t.link_class},
                       {"inter_node", t.inter_node},
                       {"times", t.times},
                       {"bytes_per_rank", t.bytes_per_rank},
                       {"time_s", t.seconds}});
  }
  return traffic;
}

Json serving_json(const sim::Prediction& p) {
  if (!p.serving) return nullptr;
  const sim::ServingSummary& s = *p.serving;
  return {{"cache_bytes_per_token", s.cache_bytes_per_token},
          {"cache_bytes_per_request", s.cache_bytes_per_request},
          {"reserved_bytes", s.reserved_bytes},
          {"pool_bytes", s.pool_bytes},
          {"resident_tokens", s.resident_tokens},
          {"capacity_tokens", s.capacity_tokens},
          {"requests", s.requests},
          {"requests_that_fit", s.requests_that_fit},
          {"queues", s.queues}};
}

Json documents_json(const sim::Prediction& p) {
  if (!p.documents) return nullptr;
  const sim::DocumentSummary& d = *p.documents;
  return {{"documents", d.documents},
          {"useful_tokens", d.useful_tokens},
          {"padded_tokens", d.padded_tokens},
          {"useful_share", useful_share(d)},
          {"alignment_tokens", d.alignment},
          {"alignment_from", d.alignment_from},
          {"attention_imbalance", d.attention_imbalance}};
}

void add_definitions(Json& json, const sim::Prediction& p) {
  if (p.scope != "model") return;
  json["mfu_definition"] = mfu_definition;
  json["hfu_definition"] = hfu_definition;
  if (p.ttft_s) json["ttft_definition"] = ttft_definition;
  if (p.tpot_s) json["tpot_definition"] = tpot_definition;
  if (p.step_time_s) json["step_time_definition"] = step_definition;
}

}  // namespace

void add_model(Json& json, const sim::Prediction& p, const Scenario& s) {
  json["ring"]["exchange"] = name_of(s.ring.exchange);
  json["parallel"] = parallel_json(s.parallel);
  json["pipeline"] = pipeline_json(p, s);
  json["parameters"] = known(p.parameters);
  json["active_parameters"] = known(p.active_parameters);
  add_definitions(json, p);
  json["gpu_hours_per_million_tokens"] = or_null(per_million_tokens(p, p.gpu_hours));
  json["cost_per_million_tokens"] = p.cost ? or_null(per_million_tokens(p, *p.cost)) : Json(nullptr);
  json["energy_joules"] = or_null(p.energy_joules);
  json["energy_source"] = p.energy_source.empty() ? Json(nullptr) : Json(p.energy_source);
  json["energy_cost"] = or_null(p.energy_cost);
  json["traffic"] = traffic_json(p);
  json["serving"] = serving_json(p);
  json["documents"] = documents_json(p);
  json["largest_context_tokens"] = or_null(p.largest_context_tokens);
}

void add_model_times(Json& rank, const sim::RankSummary& summary) {
  rank["dense_s"] = summary.dense_s;
  rank["collective_s"] = summary.collective_s;
  rank["stage"] = summary.stage;
}

}  // namespace ringsim::reports
