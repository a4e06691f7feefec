// The sections derived from the scenario alone: B_min and memory.

#include "reports/humanise.hpp"
#include "reports/run_parts.hpp"
#include "reports/verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

namespace ringsim::reports {
namespace {

struct NamedMinima {
  const char* pass;
  const sim::BlockMinima* minima;
};

std::array<NamedMinima, 2> passes_of(const sim::Prediction& p) {
  return {{{"forward", &p.b_min_forward}, {"backward", &p.b_min_backward}}};
}

std::string tokens_text(const std::optional<double>& tokens) {
  if (!tokens) return "none";
  return *tokens <= 0.0 ? "any" : human_tokens_up(*tokens);
}

/// "kv_cache" -> "kv cache".
std::string spoken(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// "tensor 8 x ring 4: K and V of every layer".
std::string divided_text(const MemoryTerm& term) {
  if (term.divided_by.empty() || term.what.empty()) return term.divided_by + term.what;
  return term.divided_by + ": " + term.what;
}

/// How many terms, by size, get a row of their own: all where they are few, else those that are not small.
std::size_t large_terms(const std::vector<MemoryTerm>& terms, Bytes total) {
  constexpr std::size_t few = 10;
  constexpr double small = 0.005;  // of the total
  if (terms.size() <= few) return terms.size();
  const auto first =
      std::find_if(terms.begin(), terms.end(), [&](const MemoryTerm& t) { return t.size < total * small; });
  const auto large = static_cast<std::size_t>(first - terms.begin());
  return large + 1 == terms.size() ? terms.size() : large;  // one small term is shown rather than named
}

bool simulated(const sim::BlockMinima& minima) { return minima.simulated_tokens || !minima.simulated_reason.empty(); }

}  // namespace

std::string hop_text(const sim::DecidingHop& hop) {
  return fmt::format("rank {} → {} {} ({})", human_count(hop.from_rank), human_count(hop.to_rank),
                     hop.inter_node ? "between nodes" : "inside a node", hop.link_class);
}

Grid b_min_grid(const sim::Prediction& p) {
  const auto passes = passes_of(p);
  bool with_simulated = false;
  for (const auto& [pass, minima] : passes) with_simulated = with_simulated || simulated(*minima);

  Grid grid{{{"", Align::left}, {"datasheet", Align::right}, {"calibrated", Align::right}}, {}};
  if (with_simulated) grid.columns.push_back({"simulated", Align::right});
  grid.columns.push_back({fmt::format("{} tokens a rank are", human_count(p.tokens_per_rank)), Align::left});
  for (const auto& [pass, minima] : passes) {
    std::vector<std::string> row = {pass, human_tokens_up(minima->datasheet_tokens),
                                    tokens_text(minima->calibrated_tokens)};
    if (with_simulated) row.push_back(tokens_text(minima->simulated_tokens));
    row.push_back(block_verdict(*minima, p.tokens_per_rank).text);
    grid.rows.push_back(row);
  }
  return grid;
}

Fields b_min_fields(const sim::Prediction& p) {
  Fields fields;
  if (p.deciding_hop) {
    const sim::DecidingHop& hop = *p.deciding_hop;
    fields.emplace_back(
        "deciding hop",
        fmt::format("{}, {} nominal, {} as simulated, latency {}", hop_text(hop),
                    human_bandwidth(bytes_per_second(hop.nominal_bandwidth_bytes_per_s)),
                    human_bandwidth(bytes_per_second(hop.bandwidth_bytes_per_s)), human_time(hop.latency_s)));
  }
  if (!simulated(p.b_min_forward) && !simulated(p.b_min_backward)) {
    fields.emplace_back("not simulated",
                        "datasheet and calibrated leave out what a hop and computation do to each other on one GPU; "
                        "--b-min simulates it");
  }
  if (!p.b_min_note.empty()) fields.emplace_back("note", p.b_min_note);
  for (const auto& [pass, minima] : passes_of(p)) {
    if (!minima->calibrated_tokens && !minima->calibrated_reason.empty()) {
      fields.emplace_back(fmt::format("no calibrated {}", pass), minima->calibrated_reason);
    }
    if (!minima->simulated_tokens && !minima->simulated_reason.empty()) {
      fields.emplace_back(fmt::format("no simulated {}", pass), minima->simulated_reason);
    }
  }
  return fields;
}

Grid layout_grid(const std::vector<sim::LayoutMinima>& layouts, const Scenario& scenario) {
  bool with_simulated = false;
  for (const auto& row : layouts) with_simulated = with_simulated || simulated(row.forward) || simulated(row.backward);

  Grid grid{{{"layout", Align::left},
             {"mask", Align::left},
             {"pass", Align::left},
             {"datasheet", Align::right},
             {"calibrated", Align::right}},
            {}};
  if (with_simulated) grid.columns.push_back({"simulated", Align::right});
  grid.columns.push_back({"", Align::left});
  for (const sim::LayoutMinima& row : layouts) {
    const bool own = row.layout == scenario.ring.layout && row.causal == scenario.workload.causal;
    for (const auto& [pass, minima] : {NamedMinima{"forward", &row.forward}, NamedMinima{"backward", &row.backward}}) {
      std::vector<std::string> cells = {std::string(name_of(row.layout)), row.causal ? "causal" : "none", pass,
                                        human_tokens_up(minima->datasheet_tokens),
                                        tokens_text(minima->calibrated_tokens)};
      if (with_simulated) cells.push_back(tokens_text(minima->simulated_tokens));
      cells.emplace_back(own ? "this scenario" : "");
      grid.rows.push_back(std::move(cells));
    }
  }
  return grid;
}

std::string fullest_rank_text(const sim::Prediction& p) {
  const std::string text = "of the rank with the largest block";
  return p.stages > 1 ? fmt::format("{}, in stage {}, the fullest", text, human_count(p.memory.stage)) : text;
}

Grid memory_grid(const Memory& memory, bool whole) {
  Grid grid{{{"", Align::left},
             {"size", Align::right},
             {"of capacity", Align::right},
             {whole ? "divided by" : "", Align::left}},
            {}};
  const auto share = [&](Bytes size) {
    return memory.capacity > Bytes{} ? human_percent(size / memory.capacity) : std::string();
  };
  std::vector<MemoryTerm> terms = memory.terms;
  if (whole) std::stable_sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.size > b.size; });
  const std::size_t shown = whole ? large_terms(terms, memory.total) : terms.size();
  for (std::size_t i = 0; i < shown; ++i) {
    grid.rows.push_back({spoken(terms[i].name), human_bytes(terms[i].size), share(terms[i].size),
                         whole ? divided_text(terms[i]) : terms[i].what});
  }
  if (shown < terms.size()) {
    Bytes rest;
    std::string names;
    for (std::size_t i = shown; i < terms.size(); ++i) {
      rest = rest + terms[i].size;
      names += (names.empty() ? "" : ", ") + spoken(terms[i].name);
    }
    grid.rows.push_back({fmt::format("{} small ones", terms.size() - shown), human_bytes(rest), share(rest), names});
  }
  for (const std::string& missing : memory.missing) grid.rows.push_back({"not counted", "", "", missing});
  grid.rows.push_back(
      {memory.missing.empty() ? "total" : "total, at least", human_bytes(memory.total), share(memory.total), ""});
  grid.rows.push_back({"capacity", human_bytes(memory.capacity), "", ""});
  const Bytes rest = memory.capacity - memory.total;
  const std::string_view bound = memory.missing.empty() ? "" : memory.fits() ? ", at most" : ", at least";
  grid.rows.push_back({fmt::format("{}{}", memory.fits() ? "headroom" : "too much", bound),
                       human_bytes(memory.fits() ? rest : -rest), "", ""});
  return grid;
}

Fields context_fields(const sim::Prediction& p) {
  if (!p.largest_context_tokens) return {};
  const double tokens = std::floor(*p.largest_context_tokens);
  return {{"largest context", tokens < 1.0 ? std::string("none fits, all else as it is")
                                           : fmt::format("{} tokens a sequence fit, all else as it is",
                                                         tokens < 1e15 ? human_count(static_cast<std::int64_t>(tokens))
                                                                       : human_number(tokens))}};
}

}  // namespace ringsim::reports
