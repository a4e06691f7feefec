#include "reports/why_parts.hpp"

#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::reports {
namespace {

std::string rank_name(std::int64_t rank, std::int64_t stage, bool stages) {
  return stages ? fmt::format("{} of stage {}", rank, stage) : fmt::format("{}", rank);
}

bool has_stages(const sim::Explanation& e) { return e.prediction.stages > 1; }

// "attention 35.9 s, merge 0.5 s": what a stretch consists of.
std::string contents(const sim::PathSegment& s) {
  std::string text;
  const auto add = [&](const char* what, double seconds) {
    if (seconds > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, human_time(seconds));
  };
  add("attention", s.attention_s);
  add("products and memory passes", s.dense_s);
  add("merges", s.merge_s);
  add(s.hops > 0 ? "hops" : "transfers", s.transfer_s);
  add("events and host", s.other_s);
  return text;
}

std::string where(const sim::PathSegment& s) {
  if (s.first_layer < 0) return {};
  if (s.first_layer == s.last_layer && s.first_step == s.last_step) {
    return fmt::format("layer {} step {}", s.first_layer, s.first_step);
  }
  return fmt::format("layer {} step {} to layer {} step {}", s.first_layer, s.first_step, s.last_layer, s.last_step);
}

// What a change of a part of the cost does to the time: "-0.98 %", "none".
// With two digits where it is small: "-0.013 %".
std::string change(double share) {
  const double percent = 100.0 * share;
  if (std::abs(percent) < 5e-5) return "none";
  const int decimals = std::abs(percent) >= 0.95 ? 1 : 1 - static_cast<int>(std::floor(std::log10(std::abs(percent))));
  return fmt::format("{:+.{}f} %", percent, decimals);
}

}  // namespace

std::string parameter_value(const sim::Parameter& p) {
  if (p.unit == "flop_per_s") return human_rate(flop_per_second(p.value));
  if (p.unit == "bytes_per_s") return human_bandwidth(bytes_per_second(p.value));
  if (p.unit == "s") return human_time(p.value);
  if (p.unit == "tokens") return human_count(static_cast<std::int64_t>(p.value));
  return p.value == 1.0 ? "as all" : fmt::format("{} x slower", human_number(p.value));
}

std::string path_sentence(const sim::Explanation& e) {
  if (!e.no_path.empty()) return fmt::format("No single critical path: {}.", e.no_path);
  std::int64_t operations = 0;
  for (const sim::PathSegment& s : e.path) operations += s.operations;
  const bool stages = has_stages(e);
  if (e.ranks.empty()) return "Nothing takes any time.";
  const sim::RankOnPath& first = e.ranks.front();
  std::string text =
      fmt::format("The longest chain of operations that wait for each other: {} of them", human_count(operations));
  if (e.rank_changes == 0) {
    return text + fmt::format(", all on rank {}.", rank_name(first.rank, first.stage, stages));
  }
  return text + fmt::format("; it goes from {0} to {0} {1} time{2} and is on rank {3} for {4} of the time.",
                            stages ? "GPU" : "rank", human_count(e.rank_changes), e.rank_changes == 1 ? "" : "s",
                            rank_name(first.rank, first.stage, stages), human_percent(first.seconds / e.makespan_s));
}

std::string share_note(const sim::Explanation& e) {
  if (e.shares.empty()) return "not to be told: kernels and transfers that slow each other down add up delays here";
  return e.no_path.empty() ? "along the critical path; the parts add up to the makespan"
                           : "by how the end moves with each duration; the parts add up to the makespan";
}

Grid share_grid(const sim::Explanation& e, std::size_t bar) {
  Grid grid{{{"part"}, {"time", Align::right}, {"share", Align::right}}, {}};
  if (bar > 0) grid.columns.push_back({""});
  for (const sim::TimeShare& s : e.shares) {
    std::vector<std::string> row = {s.name, human_time(s.seconds), human_percent(s.share)};
    if (bar > 0) {
      std::string blocks;
      const auto columns =
          std::clamp<double>(std::round(s.share * static_cast<double>(bar)), 0.0, static_cast<double>(bar));
      for (int i = 0; i < static_cast<int>(columns); ++i) blocks += "█";
      row.push_back(blocks);
    }
    grid.rows.push_back(std::move(row));
  }
  grid.rows.push_back({"makespan", human_time(e.makespan_s), human_percent(1.0)});
  return grid;
}

Grid segment_grid(const std::vector<sim::PathSegment>& segments, bool stages) {
  Grid grid{{{"from", Align::right}, {"to", Align::right}, {"rank"}, {"where"}, {"what"}}, {}};
  const auto add = [&](const sim::PathSegment& s) {
    grid.rows.push_back(
        {human_time(s.from_s), human_time(s.until_s), rank_name(s.rank, s.stage, stages), where(s), contents(s)});
  };
  const std::size_t n = segments.size();
  if (n <= shown_segments) {
    for (const sim::PathSegment& s : segments) add(s);
    return grid;
  }
  const std::size_t first = shown_segments * 2 / 3;
  const std::size_t last = shown_segments - first;
  for (std::size_t i = 0; i < first; ++i) add(segments[i]);
  grid.rows.push_back(
      {"...", "...", "", fmt::format("{} more", human_count(static_cast<std::int64_t>(n - first - last))), ""});
  for (std::size_t i = n - last; i < n; ++i) add(segments[i]);
  return grid;
}

std::string cycle_sentence(const sim::Explanation& e) {
  if (!e.cycle) return fmt::format("There is none: {}.", e.no_cycle);
  const sim::CriticalCycle& c = *e.cycle;
  const double loop_s = c.layer_s * c.layers;
  std::string text = fmt::format("In the steady state a layer takes {}, {} layers {}", human_time(c.layer_s),
                                 human_count(static_cast<std::int64_t>(c.layers)), human_time(loop_s));
  text += fmt::format("; the loop that decides it has {} operation{}", human_count(c.operations),
                      c.operations == 1 ? "" : "s");
  const std::int64_t layers = c.turns * c.period;
  if (layers > 1) text += fmt::format(" over {} layers", layers);
  std::vector<std::int64_t> ranks;
  for (const sim::PathSegment& s : c.segments) {
    if (std::find(ranks.begin(), ranks.end(), s.rank) == ranks.end()) ranks.push_back(s.rank);
  }
  text +=
      ranks.size() == 1 ? fmt::format(", all on rank {}", ranks.front()) : fmt::format(", on {} ranks", ranks.size());
  if (!c.note.empty()) text += fmt::format(" ({})", c.note);
  return text + ".";
}

Grid sensitivity_grid(const sim::Explanation& e) {
  Grid grid{{{"parameter"},
             {"now", Align::right},
             {"1 % better", Align::right},
             {"1 % worse", Align::right},
             {"10 % better", Align::right},
             {"twice as good", Align::right}},
            {}};
  for (const sim::Sensitivity& s : e.sensitivities) {
    if (!is_part_of_time(s.parameter)) continue;
    grid.rows.push_back({s.parameter.name, parameter_value(s.parameter), change(-0.01 * s.faster),
                         change(0.01 * s.slower), s.saved_by_tenth ? change(-*s.saved_by_tenth) : "",
                         s.saved_by_double ? change(-*s.saved_by_double) : ""});
  }
  return grid;
}

std::vector<std::string> sensitivity_notes(const sim::Explanation& e) {
  std::vector<std::string> notes;
  for (const sim::Sensitivity& s : e.sensitivities) {
    if (s.parameter.kind == sim::ParameterKind::rank) {
      std::string text = fmt::format("{} ({}): 1 % slower {}, 1 % faster {}", s.parameter.name,
                                     parameter_value(s.parameter), change(0.01 * s.slower), change(-0.01 * s.faster));
      if (s.saved_by_tenth) {
        text +=
            fmt::format("; 10 % slower {}, twice as slow {}", change(-*s.saved_by_tenth), change(-*s.saved_by_double));
      }
      notes.push_back(text);
    }
    if (s.parameter.kind == sim::ParameterKind::block) {
      notes.push_back(fmt::format("{} ({}): 1 % more {}, 1 % fewer {}", s.parameter.name, parameter_value(s.parameter),
                                  change(0.01 * s.slower), change(-0.01 * s.faster)));
    }
  }
  notes.emplace_back(
      "1 % better or worse: exact one-sided derivatives, times 1 %; they differ where several chains are equally long. "
      "10 % and twice: runs. Better: more of a rate, less of a time");
  if (!e.derivatives_note.empty()) notes.push_back("derivatives hold " + e.derivatives_note);
  return notes;
}

}  // namespace ringsim::reports
