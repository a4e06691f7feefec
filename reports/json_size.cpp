#include "reports/json_parts.hpp"
#include "reports/size_report.hpp"
#include "version.hpp"

namespace ringsim::reports {
namespace {

Json plan_json(const sim::Plan& p) {
  Json json = {{"gpus", p.gpus()},
               {"nodes", p.nodes},
               {"tensor", p.degrees.tensor},
               {"ulysses", p.degrees.ulysses},
               {"ring", p.degrees.ring},
               {"pipeline", p.degrees.pipeline},
               {"data", p.degrees.data},
               {"expert", p.expert},
               {"order", format_order(p.order)},
               {"layout", name_of(p.ring.layout)},
               {"exchange", name_of(p.ring.exchange)},
               {"travels", name_of(p.ring.travels)},
               {"backward", name_of(p.ring.backward)},
               {"halves", nullptr},
               {"recompute", name_of(p.recompute)},
               {"chunk_tokens", p.chunk}};
  if (p.ring.exchange == Exchange::both_ways) json["halves"] = name_of(p.ring.halves);
  return json;
}

Json figures_json(const sim::PlanFigures& f) {
  Json terms = Json::object();
  for (const MemoryTerm& term : f.memory.terms) terms[term.name] = in_bytes(term.size);
  return {{"plan", plan_json(f.plan)},
          {"time_s", f.time_s},
          {"objective", f.value},
          {"compute_s", f.compute_s},
          {"exposed_communication_s", f.exposed_communication_s},
          {"bubble_s", f.bubble_s},
          {"tokens_per_s", f.tokens_per_s},
          {"tokens_per_rank", f.tokens_per_rank},
          {"mfu", f.mfu},
          {"gpu_hours", f.gpu_hours},
          {"cost", or_null(f.cost)},
          {"energy_joules", or_null(f.energy_joules)},
          {"memory",
           {{"total_bytes", in_bytes(f.memory.total)},
            {"capacity_bytes", in_bytes(f.memory.capacity)},
            {"missing", f.memory.missing},
            {"terms", std::move(terms)}}},
          {"shares_links", f.shares_links},
          {"beaten_in_time_and_cost", f.beaten_in_cost},
          {"set", f.settings}};
}

Json neighbour_json(const sim::Neighbour& n, const SizeReport& report) {
  const bool too_large = n.verdict == sim::NeighbourVerdict::too_large;
  return {{"change", n.change},
          {"plan", plan_json(n.plan)},
          {"verdict", name_of(n.verdict)},
          {"reason", neighbour_reason(n, report)},
          {"hint", n.hint.empty() ? Json(nullptr) : Json(n.hint)},
          {"time_s", or_null(n.time_s)},
          {"objective", or_null(n.value)},
          {"needed_bytes", too_large ? Json(in_bytes(n.needed)) : Json(nullptr)},
          {"capacity_bytes", too_large ? Json(in_bytes(n.capacity)) : Json(nullptr)}};
}

}  // namespace

std::string render_size_json(const SizeReport& report) {
  const sim::SearchCounts& c = report.result.counts;
  Json json = {
      {"schema_version", json_schema_version},
      {"ringsim_version", version},
      {"scenario", {{"name", report.scenario.name}, {"hash", report.scenario.hash}}},
      {"seed", report.options.seed},
      {"engine", "recurrence"},
      {"profile", {{"name", report.scenario.profile.name}, {"calibrated", report.scenario.profile.calibrated}}},
      {"scope", name_of(report.scenario.workload.scope)},
      {"phase", name_of(report.scenario.workload.phase)},
      {"context_tokens", report.scenario.workload.tokens},
      {"minimise", name_of(report.options.objective)},
      {"time_is", sim::time_name(report.scenario)},
      {"limit_s", or_null(report.options.most_time_s)},
      {"gpus", report.result.gpu_counts},
      {"feasible", !report.result.best.empty()},
      {"answer", size_answer(report)}};
  json["best"] = Json::array();
  for (const sim::PlanFigures& f : report.result.best) json["best"].push_back(figures_json(f));
  json["own"] = report.result.own ? figures_json(*report.result.own) : Json(nullptr);
  json["front"] = Json::array();
  for (const sim::PlanFigures& f : report.result.front) json["front"].push_back(figures_json(f));
  json["neighbours"] = Json::array();
  for (const sim::Neighbour& n : report.neighbours) json["neighbours"].push_back(neighbour_json(n, report));
  json["least_memory"] = report.result.least_memory ? figures_json(*report.result.least_memory) : Json(nullptr);
  json["fastest"] = report.result.fastest ? figures_json(*report.result.fastest) : Json(nullptr);
  json["looked_at"] = {{"degree_sets", c.degree_sets},
                       {"illegal_degree_sets", c.illegal_degree_sets},
                       {"plans", c.plans},
                       {"illegal", c.illegal},
                       {"too_large", c.too_large},
                       {"left_out_by_bound", c.bounded},
                       {"placed_alike", c.alike},
                       {"predicted", c.predicted}};
  json["next"] = size_next(report);
  return json_text(json);
}

}  // namespace ringsim::reports
