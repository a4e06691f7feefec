#include "reports/replica_parts.hpp"

#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace ringsim::reports {
namespace {

enum class Unit { time, share, rate, hours, money };

struct FigureName {
  std::string_view key;  // as in sim::ReplicaFigure
  const char* label;
  Unit unit;
  sim::Better better;
};

constexpr std::array<FigureName, 11> figures = {{
    {"makespan_s", "makespan", Unit::time, sim::Better::smaller},
    {"compute_s", "compute", Unit::time, sim::Better::smaller},
    {"exposed_communication_s", "exposed communication", Unit::time, sim::Better::smaller},
    {"bubble_s", "bubble", Unit::time, sim::Better::smaller},
    {"overlap", "overlap", Unit::share, sim::Better::larger},
    {"ring_efficiency", "ring efficiency", Unit::share, sim::Better::larger},
    {"mfu", "MFU", Unit::share, sim::Better::larger},
    {"hfu", "HFU", Unit::share, sim::Better::larger},
    {"tokens_per_s", "tokens/s", Unit::rate, sim::Better::larger},
    {"gpu_hours", "GPU-hours", Unit::hours, sim::Better::smaller},
    {"cost", "cost", Unit::money, sim::Better::smaller},
}};

std::string text_of(double value, Unit unit) {
  switch (unit) {
    case Unit::time:
      return human_time(value);
    case Unit::share:
      return human_percent(value);
    case Unit::rate:
    case Unit::hours:
      return human_number(value);
    case Unit::money:
      break;
  }
  return human_money(value);
}

const sim::ReplicaStatistics* statistics_of(const sim::Prediction& p, std::string_view key) {
  if (!p.replicas) return nullptr;
  const auto found = std::find_if(p.replicas->figures.begin(), p.replicas->figures.end(),
                                  [&](const sim::ReplicaFigure& figure) { return figure.name == key; });
  return found == p.replicas->figures.end() ? nullptr : &found->statistics;
}

}  // namespace

std::string replica_heading(const sim::ReplicaSummary& replicas) {
  return fmt::format("{} with random times of their own; number {}, of the median makespan, is shown above",
                     human_count(replicas.count), human_count(replicas.shown));
}

Grid replica_grid(const sim::ReplicaSummary& replicas) {
  Grid grid{{{"", Align::left},
             {"median", Align::right},
             {"95 % do as well", Align::right},
             {"99 % do as well", Align::right},
             {"lowest", Align::right},
             {"highest", Align::right}},
            {}};
  for (const sim::ReplicaFigure& figure : replicas.figures) {
    const auto* name =
        std::find_if(figures.begin(), figures.end(), [&](const FigureName& f) { return f.key == figure.name; });
    if (name == figures.end()) continue;
    const sim::ReplicaStatistics& s = figure.statistics;
    const auto tail = [&](double value, std::string_view label) {
      return fmt::format("{} ({})", text_of(value, name->unit), label);
    };
    grid.rows.push_back({name->label, text_of(s.median, name->unit), tail(s.tail_95, sim::label_95(s.better)),
                         tail(s.tail_99, sim::label_99(s.better)), text_of(s.lowest, name->unit),
                         text_of(s.highest, name->unit)});
  }
  return grid;
}

Json json_replicas(const sim::Prediction& p) {
  if (!p.replicas) return nullptr;
  Json all = Json::object();
  for (const sim::ReplicaFigure& figure : p.replicas->figures) {
    const sim::ReplicaStatistics& s = figure.statistics;
    all[figure.name] = {{"median", s.median},
                        {std::string(sim::label_95(s.better)), s.tail_95},
                        {std::string(sim::label_99(s.better)), s.tail_99},
                        {"lowest", s.lowest},
                        {"highest", s.highest},
                        {"mean", s.mean}};
  }
  return {{"count", p.replicas->count}, {"shown", p.replicas->shown}, {"figures", std::move(all)}};
}

void add_replicas(CsvRow& row, const sim::Prediction& p) {
  row.add("replicas", p.replicas ? p.replicas->count : std::int64_t{1});
  for (const FigureName& name : figures) {
    const sim::ReplicaStatistics* s = statistics_of(p, name.key);
    // The unit ends the name: makespan_p95_s.
    const bool in_seconds = name.key.ends_with("_s") && name.unit == Unit::time;
    const std::string stem(in_seconds ? name.key.substr(0, name.key.size() - 2) : name.key);
    const auto add = [&](std::string_view which, double sim::ReplicaStatistics::* value) {
      row.add(fmt::format("{}_{}{}", stem, which, in_seconds ? "_s" : ""),
              s == nullptr ? std::nullopt : std::optional(s->*value));
    };
    add("median", &sim::ReplicaStatistics::median);
    add(sim::label_95(name.better), &sim::ReplicaStatistics::tail_95);
    add(sim::label_99(name.better), &sim::ReplicaStatistics::tail_99);
  }
}

}  // namespace ringsim::reports
