#include "reports/json_parts.hpp"

#include "version.hpp"

namespace ringsim::reports {

Json json_head(const sim::Prediction& p) {
  return {{"schema_version", json_schema_version},
          {"ringsim_version", std::string(version)},
          {"scenario", {{"name", p.scenario_name}, {"hash", p.scenario_hash}}}};
}

Json json_profile(const sim::Prediction& p) { return {{"name", p.profile_name}, {"calibrated", p.profile_calibrated}}; }

Json json_ring(const sim::Prediction& p) {
  return {{"size", p.ring_size},
          {"layout", p.layout},
          {"travels", p.travels},
          {"backward", p.backward_travels},
          {"buffers", p.buffers},
          {"transfer", p.transfer},
          {"hops", {{"intra_node", p.intra_hops}, {"inter_node", p.inter_hops}}}};
}

Json json_tokens(const sim::Prediction& p) {
  return {{"total", p.tokens_total}, {"per_rank", p.tokens_per_rank}, {"even", p.even}};
}

Json json_minima(const sim::BlockMinima& minima) {
  Json json = {{"datasheet_tokens", minima.datasheet_tokens},
               {"calibrated_tokens", or_null(minima.calibrated_tokens)},
               {"simulated_tokens", or_null(minima.simulated_tokens)}};
  if (!minima.calibrated_reason.empty()) json["calibrated_reason"] = minima.calibrated_reason;
  if (!minima.simulated_reason.empty()) json["simulated_reason"] = minima.simulated_reason;
  return json;
}

Json json_b_min(const sim::Prediction& p) {
  Json hop = nullptr;
  if (p.deciding_hop) {
    hop = {{"from_rank", p.deciding_hop->from_rank},
           {"to_rank", p.deciding_hop->to_rank},
           {"inter_node", p.deciding_hop->inter_node},
           {"link_class", p.deciding_hop->link_class},
           {"bandwidth_bytes_per_s", p.deciding_hop->bandwidth_bytes_per_s},
           {"nominal_bandwidth_bytes_per_s", p.deciding_hop->nominal_bandwidth_bytes_per_s},
           {"latency_s", p.deciding_hop->latency_s}};
  }
  if (!p.no_b_min.empty()) {
    const Json none = {{"datasheet_tokens", nullptr}, {"calibrated_tokens", nullptr}, {"simulated_tokens", nullptr}};
    return {{"forward", none}, {"backward", none}, {"deciding_hop", std::move(hop)}, {"note", p.no_b_min}};
  }
  return {{"forward", json_minima(p.b_min_forward)},
          {"backward", json_minima(p.b_min_backward)},
          {"deciding_hop", std::move(hop)},
          {"note", p.b_min_note.empty() ? Json(nullptr) : Json(p.b_min_note)}};
}

Json json_rank(const sim::RankSummary& rank) {
  return {{"rank", rank.rank},
          {"compute_s", rank.compute_s},
          {"exposed_communication_s", rank.exposed_communication_s},
          {"bubble_s", rank.bubble_s},
          {"end_s", rank.end_s},
          {"attention_s", rank.attention_s},
          {"merge_s", rank.merge_s},
          {"bubble_masked_s", rank.bubble_masked_s},
          {"bubble_late_s", rank.bubble_late_s},
          {"bubble_end_s", rank.bubble_end_s},
          {"in_flight_s", rank.in_flight_s}};
}

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace ringsim::reports
