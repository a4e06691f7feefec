#include "reports/json_run.hpp"

#include "reports/beyond_ring.hpp"
#include "reports/extremes.hpp"
#include "reports/json_model.hpp"
#include "reports/json_parts.hpp"
#include "reports/replica_parts.hpp"
#include "reports/verdicts.hpp"

namespace ringsim::reports {
namespace {

constexpr std::size_t rank_limit = 64;

Json memory_json(const Memory& memory, bool whole) {
  Json terms = Json::object();
  for (const MemoryTerm& term : memory.terms) terms[term.name] = in_bytes(term.size);
  Json json = {{"total_bytes", in_bytes(memory.total)},
               {"capacity_bytes", in_bytes(memory.capacity)},
               {"headroom_bytes", in_bytes(memory.capacity - memory.total)},
               {"fits", or_null(fits(memory))},
               {"missing", memory.missing},
               {"terms", std::move(terms)}};
  if (whole) {
    json["stage"] = memory.stage;
    json["divided_by"] = Json::object();
    for (const MemoryTerm& term : memory.terms) json["divided_by"][term.name] = term.divided_by;
  }
  return json;
}

Json ranks_json(const sim::Prediction& p, bool whole) {
  Json ranks = Json::array();
  for (const ListedRank& listed : listed_ranks(p.per_rank, p.slowest_rank, rank_limit)) {
    ranks.push_back(json_rank(*listed.summary));
    if (whole) add_model_times(ranks.back(), *listed.summary);
  }
  return ranks;
}

// Rings of the job by the hops that they have.
Json rings_json(const sim::Prediction& p) {
  Json kinds = Json::array();
  for (const sim::RingKind& kind : p.ring_kinds) {
    Json hops = Json::object();
    for (const ReachCount& count : kind.hops) hops[std::string(name_of(count.reach))] = count.hops;
    kinds.push_back({{"rings", kind.rings},
                     {"hops", std::move(hops)},
                     {"makespan_s", kind.makespan_s > 0 ? Json(kind.makespan_s) : Json(nullptr)}});
  }
  return {{"count", p.rings}, {"kinds", std::move(kinds)}};
}

Json steady_json(double compute_s, double hop_s) { return {{"compute_s", compute_s}, {"hop_s", hop_s}}; }

// What of the run was executed; null: by an engine that does not say.
Json json_economy(const sim::Prediction& p) {
  if (!p.economy) return nullptr;
  return {{"ranks", p.economy->ranks},
          {"folded_ranks", p.economy->folded_ranks},
          {"rank_steps", p.economy->rank_steps},
          {"jumped_rank_steps", p.economy->jumped_rank_steps},
          {"why_in_full", p.economy->why_in_full.empty() ? Json(nullptr) : Json(p.economy->why_in_full)}};
}

}  // namespace

std::string render_json(const sim::Prediction& p, const Scenario& scenario) {
  const bool whole = beyond_ring(p, scenario);
  Json json = json_head(p);
  json["engine"] = p.engine;
  json["engine_note"] = p.engine_note;
  json["executed"] = json_economy(p);
  json["seed"] = p.seed;
  json["profile"] = json_profile(p);
  json["scope"] = p.scope;
  json["phase"] = p.phase;
  json["ranks"] = p.ranks;
  json["idle_gpus"] = p.idle_gpus;
  json["ring"] = json_ring(p);
  json["tokens"] = json_tokens(p);
  json["layers"] = p.layers;

  json["makespan_s"] = p.makespan_s;
  json["makespan_is_bound"] = p.makespan_is_bound;
  json["compute_s"] = p.compute_s;
  json["exposed_communication_s"] = p.exposed_communication_s;
  json["bubble_s"] = p.bubble_s;
  json["slowest_rank"] = p.slowest_rank;
  json["layer_makespan_s"] = p.layer_makespan_s;
  json["steady_step"] = {{"forward", nullptr}, {"backward", nullptr}};
  if (p.no_b_min.empty()) json["steady_step"]["forward"] = steady_json(p.step_compute_s, p.step_hop_s);
  if (p.backward_step_compute_s && p.backward_step_hop_s) {
    json["steady_step"]["backward"] = steady_json(*p.backward_step_compute_s, *p.backward_step_hop_s);
  }

  json["overlap"] = or_null(p.overlap);
  json["ring_efficiency"] = p.ring_efficiency;
  json["mfu"] = p.mfu;
  json["hfu"] = p.hfu;
  json["tokens_per_s"] = p.tokens_per_s;
  json["gpu_hours"] = p.gpu_hours;
  json["cost"] = or_null(p.cost);
  json["ttft_s"] = or_null(p.ttft_s);
  json["tpot_s"] = or_null(p.tpot_s);
  json["step_time_s"] = or_null(p.step_time_s);
  if (whole) add_model(json, p, scenario);

  json["b_min"] = json_b_min(p);
  json["memory"] = memory_json(p.memory, whole);
  json["per_rank_listed"] = p.per_rank.size() <= rank_limit ? "all" : "extremes";
  json["per_rank"] = ranks_json(p, whole);
  json["rings"] = rings_json(p);
  json["shared_links"] = Json::array();
  for (const sim::SharedLinkUse& link : p.shared_links) {
    json["shared_links"].push_back({{"link", link.link},
                                    {"flows", link.flows},
                                    {"bandwidth_bytes_per_s", link.bandwidth_bytes_per_s},
                                    {"demand_bytes_per_s", link.demand_bytes_per_s}});
  }
  json["stragglers"] = Json::array();
  for (const sim::StragglerCost& cost : p.stragglers) {
    json["stragglers"].push_back({{"rank", cost.rank},
                                  {"slowdown", cost.slowdown},
                                  {"makespan_cost_s", cost.makespan_s},
                                  {"others_wait_s", cost.others_wait_s}});
  }
  json["bottleneck"] = {{"kind", p.bottleneck.kind},
                        {"name", p.bottleneck.name},
                        {"share", p.bottleneck.share},
                        {"sentence", p.bottleneck.sentence}};
  json["warnings"] = p.warnings;
  json["replicas"] = json_replicas(p);
  json["uncertainty"] = {{"makespan_low_s", or_null(p.makespan_low_s)},
                         {"makespan_high_s", or_null(p.makespan_high_s)},
                         {"note", p.uncertainty_note},
                         {"parts", Json::array()}};
  for (const sim::UncertaintyPart& part : p.uncertainty_parts) {
    json["uncertainty"]["parts"].push_back(
        {{"name", part.name}, {"makespan_fall_s", part.fall_s}, {"makespan_rise_s", part.rise_s}});
  }
  return json_text(json);
}

}  // namespace ringsim::reports
