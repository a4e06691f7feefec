#include "reports/compare_figures.hpp"

#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace ringsim::reports {
namespace {

std::string run_words(const sim::Prediction& p) {
  const std::string what = p.phase == "train"      ? "a training step"
                           : p.phase == "decode"   ? "decoding"
                           : p.phase == "backward" ? "a backward pass"
                                                   : "a prefill";
  return what + (p.scope == "model" ? " of the whole model" : " of attention alone");
}

// Collects pairs; what neither side has is left out.
class Pairs {
 public:
  explicit Pairs(std::string other_times) : other_times_(std::move(other_times)) {}

  ComparedFigure& add(std::string key, std::string label, FigureUnit unit, std::optional<double> a,
                      std::optional<double> b, Better better) {
    static ComparedFigure left_out;
    if (!a && !b) return left_out = {};
    all_.push_back({std::move(key), std::move(label), unit, a, b, better, {}});
    return all_.back();
  }
  /// What depends on what runs, and for how long.
  void add_of_run(std::string key, std::string label, FigureUnit unit, std::optional<double> a, std::optional<double> b,
                  Better better) {
    add(std::move(key), std::move(label), unit, a, b, better).not_compared = other_times_;
  }
  [[nodiscard]] std::vector<ComparedFigure> take() { return std::move(all_); }

 private:
  std::string other_times_;
  std::vector<ComparedFigure> all_;
};

void add_minima(Pairs& pairs, const std::string& pass, const sim::BlockMinima& a, const sim::BlockMinima& b, bool of_a,
                bool of_b, bool calibrated) {
  const auto given = [](bool there, std::optional<double> tokens) { return there ? tokens : std::nullopt; };
  for (const auto& [kind, tokens_a, tokens_b] :
       {std::tuple("datasheet", given(of_a, a.datasheet_tokens), given(of_b, b.datasheet_tokens)),
        std::tuple("calibrated", given(of_a && calibrated, a.calibrated_tokens),
                   given(of_b && calibrated, b.calibrated_tokens)),
        std::tuple("simulated", given(of_a, a.simulated_tokens), given(of_b, b.simulated_tokens))}) {
    pairs.add(fmt::format("b_min_{}_{}_tokens", pass, kind), fmt::format("B_min {}, {}", pass, kind),
              FigureUnit::tokens, tokens_a, tokens_b, Better::lower);
  }
}

std::string with_sign(double change, const std::string& text) { return (change > 0 ? "+" : "") + text; }

}  // namespace

Headline headline_of(const sim::Prediction& p) {
  if (p.ttft_s) return {"ttft_s", "TTFT", *p.ttft_s};
  if (p.tpot_s) return {"tpot_s", "TPOT", *p.tpot_s};
  if (p.step_time_s) return {"step_time_s", "training step", *p.step_time_s};
  return {"makespan_s", "makespan", p.makespan_s};
}

std::string why_other_times(const sim::Prediction& a, const sim::Prediction& b) {
  if (a.scope != b.scope || a.phase != b.phase || headline_of(a).key != headline_of(b).key) {
    return fmt::format("A is {}, B {}", run_words(a), run_words(b));
  }
  if (a.makespan_is_bound != b.makespan_is_bound) {
    return fmt::format("{} is a lower bound, the other is not", a.makespan_is_bound ? "A" : "B");
  }
  return {};
}

std::optional<double> ComparedFigure::change() const { return comparable() ? std::optional(*b - *a) : std::nullopt; }

std::optional<double> ComparedFigure::relative_change() const {
  return comparable() && unit != FigureUnit::ratio && *a != 0.0 ? std::optional(*b / *a - 1.0) : std::nullopt;
}

bool ComparedFigure::equal() const {
  constexpr double rounding = 1e-9;
  return comparable() && std::abs(*b - *a) <= rounding * std::max(std::abs(*a), std::abs(*b));
}

std::string_view ComparedFigure::better_side() const {
  if (!comparable() || better == Better::neither || equal()) return {};
  return (*b < *a) == (better == Better::lower) ? "b" : "a";
}

std::vector<ComparedFigure> figures_of(const ScenarioComparison& c) {
  const sim::Prediction& a = c.a.prediction;
  const sim::Prediction& b = c.b.prediction;
  Pairs pairs(why_other_times(a, b));
  using U = FigureUnit;
  pairs.add_of_run("ttft_s", "TTFT", U::seconds, a.ttft_s, b.ttft_s, Better::lower);
  pairs.add_of_run("tpot_s", "TPOT", U::seconds, a.tpot_s, b.tpot_s, Better::lower);
  pairs.add_of_run("step_time_s", "training step", U::seconds, a.step_time_s, b.step_time_s, Better::lower);
  pairs.add_of_run("makespan_s", "makespan", U::seconds, a.makespan_s, b.makespan_s, Better::lower);
  pairs.add_of_run("makespan_low_s", "  low end, by the profile", U::seconds, a.makespan_low_s, b.makespan_low_s,
                   Better::neither);
  pairs.add_of_run("makespan_high_s", "  high end, by the profile", U::seconds, a.makespan_high_s, b.makespan_high_s,
                   Better::neither);
  pairs.add_of_run("compute_s", "  compute", U::seconds, a.compute_s, b.compute_s, Better::lower);
  const auto unless_bound = [](const sim::Prediction& p, double time) {
    return p.makespan_is_bound ? std::nullopt : std::optional(time);
  };
  pairs.add_of_run("exposed_communication_s", "  exposed communication", U::seconds,
                   unless_bound(a, a.exposed_communication_s), unless_bound(b, b.exposed_communication_s),
                   Better::lower);
  pairs.add_of_run("bubble_s", "  bubble", U::seconds, unless_bound(a, a.bubble_s), unless_bound(b, b.bubble_s),
                   Better::lower);
  pairs.add_of_run("overlap", "overlap", U::ratio, a.overlap, b.overlap, Better::higher);
  pairs.add_of_run("ring_efficiency", "ring efficiency", U::ratio, a.ring_efficiency, b.ring_efficiency,
                   Better::higher);
  pairs.add_of_run("mfu", "MFU", U::ratio, a.mfu, b.mfu, Better::higher);
  pairs.add_of_run("hfu", "HFU", U::ratio, a.hfu, b.hfu, Better::neither);
  pairs.add_of_run("tokens_per_s", "tokens/s", U::tokens_per_s, a.tokens_per_s, b.tokens_per_s, Better::higher);
  pairs.add("ranks", "GPUs used", U::count, static_cast<double>(a.ranks), static_cast<double>(b.ranks),
            Better::neither);
  pairs.add_of_run("gpu_hours", "GPU-hours", U::hours, a.gpu_hours, b.gpu_hours, Better::lower);
  pairs.add_of_run("cost", "cost", U::money, a.cost, b.cost, Better::lower);
  pairs.add_of_run("energy_joules", "energy", U::joules, a.energy_joules, b.energy_joules, Better::lower);
  const bool calibrated = a.profile_calibrated || b.profile_calibrated;  // else they are those of the datasheet
  const bool of_a = a.no_b_min.empty() && a.ring_size > 1;
  const bool of_b = b.no_b_min.empty() && b.ring_size > 1;
  add_minima(pairs, "forward", a.b_min_forward, b.b_min_forward, of_a, of_b, calibrated);
  if (runs_backward(c.a.scenario.workload.phase) || runs_backward(c.b.scenario.workload.phase)) {
    add_minima(pairs, "backward", a.b_min_backward, b.b_min_backward, of_a, of_b, calibrated);
  }
  pairs.add("tokens_per_rank", "tokens a rank", U::tokens, static_cast<double>(a.tokens_per_rank),
            static_cast<double>(b.tokens_per_rank), Better::neither);
  return pairs.take();
}

std::vector<ComparedFigure> memory_figures_of(const ScenarioComparison& c) {
  const Memory& a = c.a.prediction.memory;
  const Memory& b = c.b.prediction.memory;
  const bool same_scope = c.a.prediction.scope == c.b.prediction.scope;
  std::string why;
  if (!same_scope) {
    why = fmt::format("scope attention counts the attention part alone, which is {}",
                      c.a.prediction.scope == "attention" ? "A" : "B");
  } else if (a.missing.empty() != b.missing.empty()) {
    why = fmt::format("of {} not everything is counted", a.missing.empty() ? "B" : "A");
  }
  std::vector<std::string> names;
  for (const Memory* memory : {&a, &b}) {
    for (const MemoryTerm& term : memory->terms) {
      if (std::find(names.begin(), names.end(), term.name) == names.end()) names.push_back(term.name);
    }
  }
  const auto larger = [&](const std::string& name) { return std::max(a.of(name), b.of(name)); };
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& x, const std::string& y) { return larger(x) > larger(y); });
  Pairs pairs({});
  for (const std::string& name : names) {
    std::string label = name;
    std::replace(label.begin(), label.end(), '_', ' ');
    pairs.add("memory_" + name + "_bytes", label, FigureUnit::bytes, in_bytes(a.of(name)), in_bytes(b.of(name)),
              Better::lower);
  }
  pairs.add("memory_total_bytes", "total", FigureUnit::bytes, in_bytes(a.total), in_bytes(b.total), Better::lower)
      .not_compared = why;
  pairs.add("memory_capacity_bytes", "capacity", FigureUnit::bytes, in_bytes(a.capacity), in_bytes(b.capacity),
            Better::higher);
  pairs
      .add("memory_headroom_bytes", "headroom", FigureUnit::bytes, in_bytes(a.capacity - a.total),
           in_bytes(b.capacity - b.total), Better::higher)
      .not_compared = why;
  pairs
      .add("largest_context_tokens", "largest context", FigureUnit::tokens, c.a.prediction.largest_context_tokens,
           c.b.prediction.largest_context_tokens, Better::higher)
      .not_compared = why;
  return pairs.take();
}

std::string figure_text(const std::optional<double>& value, FigureUnit unit) {
  if (!value) return "none";
  switch (unit) {
    case FigureUnit::seconds:
      return human_time(*value);
    case FigureUnit::ratio:
      return human_percent(*value);
    case FigureUnit::bytes:
      return human_bytes(bytes(*value));
    case FigureUnit::tokens:
      return std::floor(*value) == *value && std::abs(*value) < 1e15 ? human_count(static_cast<std::int64_t>(*value))
                                                                     : human_tokens_up(*value);
    case FigureUnit::money:
      return human_money(*value);
    case FigureUnit::joules:
      return human_energy(*value);
    case FigureUnit::count:
      return human_count(static_cast<std::int64_t>(*value));
    case FigureUnit::tokens_per_s:
    case FigureUnit::hours:
      break;
  }
  return human_number(*value);
}

std::string signed_text(double change, FigureUnit unit) { return with_sign(change, figure_text(change, unit)); }

std::string change_text(const ComparedFigure& figure) {
  const std::optional<double> change = figure.change();
  if (!change) return "";
  if (figure.equal()) return "same";
  if (figure.unit == FigureUnit::ratio) {
    const double points = *change * 100.0;
    return std::abs(points) < 0.05 ? "±<0.1 points" : with_sign(points, fmt::format("{:.1f} points", points));
  }
  const std::optional<double> relative = figure.relative_change();
  if (!relative) return signed_text(*change, figure.unit);
  const double factor = *relative + 1.0;
  return factor >= 10.0 ? fmt::format("× {}", human_factor_down(factor)) : human_signed_percent(*relative);
}

}  // namespace ringsim::reports
