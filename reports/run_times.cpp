// The sections about time: where the slowest rank's goes, what that means in rates and money, and how ranks differ.

#include "reports/beyond_ring.hpp"
#include "reports/extremes.hpp"
#include "reports/humanise.hpp"
#include "reports/run_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace ringsim::reports {
namespace {

constexpr std::size_t rank_rows = 8;

const sim::RankSummary* summary_of(const std::vector<sim::RankSummary>& ranks, std::int64_t rank) {
  const auto found = std::find_if(ranks.begin(), ranks.end(), [&](const auto& one) { return one.rank == rank; });
  return found == ranks.end() ? nullptr : &*found;
}

// In one line, where spending has no section of its own.
std::string spent_text(const sim::Prediction& p, const Scenario& scenario) {
  const std::string at_least = p.makespan_is_bound ? "at least " : "";
  std::string spent = fmt::format("{}{} GPU-hours{}", at_least, human_number(p.gpu_hours),
                                  p.scope == "attention" ? " of attention alone" : "");
  if (p.cost && scenario.price_per_gpu_hour) {
    spent += fmt::format(", cost {}{} at {} a GPU-hour", at_least, human_money(*p.cost),
                         human_money(*scenario.price_per_gpu_hour));
  }
  return spent;
}

}  // namespace

sim::RunSummary run_of(const sim::Prediction& p) {
  return {p.makespan_s, p.per_rank, p.slowest_rank, p.compute_s, p.exposed_communication_s, p.bubble_s, p.overlap};
}

TimeColumns time_columns(const sim::Prediction& p, const Scenario& s) {
  TimeColumns columns;
  columns.bound = p.makespan_is_bound;
  columns.stages = p.stages > 1;
  if (s.workload.phase == Phase::decode && p.tpot_s && *p.tpot_s > 0.0) {
    columns.parts = p.makespan_s / *p.tpot_s;
    const bool one = std::abs(columns.parts - 1.0) < 1e-9;
    columns.whole = one ? "a token" : "all tokens";
    columns.part = one ? "" : "a token";
  } else if (p.scope == "model") {
    columns.whole = s.workload.phase == Phase::train ? "step" : std::string(name_of(s.workload.phase));
    columns.part.clear();
  } else {
    columns.parts = static_cast<double>(std::max<std::int64_t>(p.layers, 1));
  }
  return columns;
}

Grid time_grid(const sim::RunSummary& run, std::int64_t layers, bool bound) {
  TimeColumns columns;
  columns.parts = static_cast<double>(std::max<std::int64_t>(layers, 1));
  columns.bound = bound;
  return time_grid(run, columns);
}

Grid time_grid(const sim::RunSummary& run, const TimeColumns& columns) {
  const bool bound = columns.bound;
  Grid grid{{{"", Align::left}, {columns.whole, Align::right}}, {}};
  if (!columns.part.empty()) grid.columns.push_back({columns.part, Align::right});
  grid.columns.push_back({"share", Align::right});
  const auto add = [&](const std::string& label, double time) {
    std::vector<std::string> row = {label, human_time(time)};
    if (!columns.part.empty()) row.push_back(human_time(time / columns.parts));
    // Of a bound nothing is a share.
    row.push_back(bound ? "" : human_percent(run.makespan_s > 0.0 ? time / run.makespan_s : 0.0));
    grid.rows.push_back(std::move(row));
  };
  const auto add_part = [&](const char* label, double time) {
    if (time > 0.0) add(std::string("  ") + label, time);
  };
  const sim::RankSummary* slowest = summary_of(run.per_rank, run.slowest_rank);
  add(bound ? "makespan, at least" : "makespan", run.makespan_s);
  add("compute", run.compute_s);
  if (slowest != nullptr && (slowest->merge_s > 0.0 || slowest->dense_s > 0.0)) {
    add_part("attention kernels", slowest->attention_s);
    add_part("merging partial results", slowest->merge_s);
    add_part("matrix products and passes over memory", slowest->dense_s);
  }
  if (bound) return grid;  // how long the rank waits is what the bound leaves open
  add("exposed communication", run.exposed_communication_s);
  if (slowest != nullptr && slowest->collective_s > 0.0) {
    add_part("blocking collectives", slowest->collective_s);
    add_part("hops and what runs beside the computation", run.exposed_communication_s - slowest->collective_s);
  }
  add("bubble", run.bubble_s);
  if (slowest != nullptr) {
    add_part("steps that the mask empties", slowest->bubble_masked_s);
    add_part(columns.stages ? "waiting for another stage, a peer or SMs" : "waiting for a peer or for SMs",
             slowest->bubble_late_s);
    add_part("waiting for the slowest rank", slowest->bubble_end_s);
  }
  return grid;
}

Fields figure_fields(const sim::Prediction& p, const Scenario& scenario) {
  Fields fields;
  const auto step = [](double compute, double hop) {
    return fmt::format("computes {}, slowest hop takes {}", human_time(compute), human_time(hop));
  };
  const bool whole = beyond_ring(p, scenario);
  if (p.ring_size > 1 && p.no_b_min.empty()) {
    if (p.phase != name_of(Phase::backward))
      fields.emplace_back("steady step, forward", step(p.step_compute_s, p.step_hop_s));
    if (p.backward_step_compute_s && p.backward_step_hop_s) {
      fields.emplace_back("steady step, backward", step(*p.backward_step_compute_s, *p.backward_step_hop_s));
    }
  }
  if (p.ring_size > 1 || p.overlap) {
    fields.emplace_back("overlap", p.overlap ? human_percent(*p.overlap) + " of the time in flight is hidden"
                                             : std::string("not known to this engine"));
  }
  // A lower bound of the makespan bounds what is divided by it from above, and what grows with it from below.
  const std::string at_most = p.makespan_is_bound ? "at most " : "";
  const std::string at_least = p.makespan_is_bound ? "at least " : "";
  const std::string of_scope = p.scope == "attention" ? " of attention alone" : "";
  const std::string peak_text = human_rate(peak(scenario.cluster.gpu, scenario.workload.dtype));
  if (p.scope == "attention") {
    fields.emplace_back("ring efficiency",
                        at_most + human_percent(p.ring_efficiency) + " of the makespan is ideal computation");
  } else if (p.ring_efficiency > 0.0) {
    fields.emplace_back("ring efficiency", at_most + human_percent(p.ring_efficiency) +
                                               " of the makespan is ideal computation of attention");
  }
  fields.emplace_back("MFU", fmt::format("{}{} of the peak of {}", at_most, human_percent(p.mfu), peak_text));
  if (runs_backward(scenario.workload.phase)) {
    fields.emplace_back(
        "HFU", fmt::format("{}{}, with what the backward pass computes a second time", at_most, human_percent(p.hfu)));
  }
  if (p.ttft_s) fields.emplace_back("time to first token", at_least + human_time(*p.ttft_s));
  if (p.tpot_s) fields.emplace_back("time per output token", at_least + human_time(*p.tpot_s));
  if (p.step_time_s) fields.emplace_back("training step", at_least + human_time(*p.step_time_s));
  std::string throughput = fmt::format("{}{} tokens/s{}", at_most, human_number(p.tokens_per_s), of_scope);
  if (whole && p.ranks > 1) {
    throughput += fmt::format(", {} a GPU", human_number(p.tokens_per_s / static_cast<double>(p.ranks)));
  }
  if (p.tpot_s && *p.tpot_s > 0.0) throughput += fmt::format(", {} a sequence", human_number(1.0 / *p.tpot_s));
  fields.emplace_back("throughput", throughput);
  if (!whole) fields.emplace_back("spent", spent_text(p, scenario));
  if (p.makespan_low_s && p.makespan_high_s) {
    const std::string mostly =
        p.uncertainty_parts.empty() ? "" : ", mostly that of " + p.uncertainty_parts.front().name;
    fields.emplace_back("uncertainty",
                        fmt::format("makespan between {} and {}, by the profile's error bars{}",
                                    human_time(*p.makespan_low_s), human_time(*p.makespan_high_s), mostly));
  }
  return fields;
}

std::string slowest_rank_text(const sim::Prediction& p) {
  std::string text = "of the slowest rank, " + human_count(p.slowest_rank);
  if (p.stages <= 1) return text;
  const sim::RankSummary* slowest = summary_of(p.per_rank, p.slowest_rank);
  if (slowest != nullptr) text += ", of stage " + human_count(slowest->stage);
  return text;
}

Grid rank_grid(const sim::RunSummary& run) {
  Grid grid{{{"rank", Align::right},
             {"compute", Align::right},
             {"exposed", Align::right},
             {"bubble", Align::right},
             {"own end", Align::right}},
            {}};
  const bool stages = std::any_of(run.per_rank.begin(), run.per_rank.end(), [](const auto& r) { return r.stage > 0; });
  if (stages) grid.columns.push_back({"stage", Align::right});
  grid.columns.push_back({"", Align::left});
  for (const ListedRank& listed : listed_ranks(run.per_rank, run.slowest_rank, rank_rows)) {
    const sim::RankSummary& rank = *listed.summary;
    grid.rows.push_back({human_count(rank.rank), human_time(rank.compute_s), human_time(rank.exposed_communication_s),
                         human_time(rank.bubble_s), human_time(rank.end_s)});
    if (stages) grid.rows.back().push_back(human_count(rank.stage));
    grid.rows.back().push_back(listed.why);
  }
  return grid;
}

std::string bottleneck_heading(const sim::Prediction& p) {
  return fmt::format("{}, {} of {}", p.bottleneck.name, human_percent(p.bottleneck.share),
                     p.makespan_is_bound ? "the lower bound" : "the time");
}

}  // namespace ringsim::reports
