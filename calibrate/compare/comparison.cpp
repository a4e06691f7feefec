#include "calibrate/compare/comparison.hpp"

#include "calibrate/compare/operations.hpp"
#include "models/error.hpp"
#include "sim/extrapolation.hpp"
#include "sim/machine.hpp"
#include "sim/schedules/ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ringsim::calibrate {
namespace {

/// Half width of the interval of the median makespan, as a share of it, from which on the measurement itself is in doubt.
constexpr double unsteady = 0.05;

struct Part {
  const char* key;
  ErrorOf error_of;
  double sim::RankSummary::* value;
};

// Exposed communication and bubble may be next to nothing where transfers hide; related to themselves their errors would
// say nothing.
constexpr Part parts[] = {
    {"compute", ErrorOf::measured, &sim::RankSummary::compute_s},
    {"attention", ErrorOf::measured, &sim::RankSummary::attention_s},
    {"merge", ErrorOf::measured, &sim::RankSummary::merge_s},
    {"exposed_communication", ErrorOf::makespan, &sim::RankSummary::exposed_communication_s},
    {"bubble", ErrorOf::makespan, &sim::RankSummary::bubble_s},
};

void refuse_unlike(const Definition& predicted, const Measurement& measured) {
  const std::vector<Difference> found = differences(measured.definition, predicted);
  if (found.empty()) return;
  std::string what;
  std::string settings;
  for (const Difference& d : found) {
    what += fmt::format("{}{} is {} as measured, {} in the scenario", what.empty() ? "" : "; ", d.scenario_key,
                        d.measured, d.predicted);
    settings += (settings.empty() ? "" : ", ") + d.scenario_key;
  }
  throw Error("the measurement is of other work than the scenario: " + what, "measurement " + measured.scenario_name,
              "validate the scenario that was measured, or measure this one: set " + settings + " alike");
}

void refuse_partial(const sim::PredictResult& predicted) {
  const sim::Timeline& timeline = predicted.timeline;
  if (timeline.spans.empty() || timeline.truncated || timeline.ranks_shown < timeline.ranks) {
    throw Error("the prediction does not hold every operation, so that there is nothing to compare some of them with",
                "engine " + predicted.prediction.engine, "--engine recurrence");
  }
}

class Comparer {
 public:
  Comparer(const sim::Prediction& predicted, const sim::Timeline& predicted_timeline, const Measurement& measured,
           Comparison& result)
      : predicted_(predicted), predicted_timeline_(predicted_timeline), measured_(measured), result_(result) {}

  void quantities() {
    if (measured_.makespan_s > 0.0)
      add("makespan", "run", ErrorOf::measured, measured_.makespan_s, predicted_.makespan_s);
    if (measured_.per_rank.empty()) {
      kernels();
    } else {
      slowest_ranks();
      means();
    }
  }

 private:
  void add(const char* key, const char* whose, ErrorOf error_of, double measured, double predicted) {
    ComparedQuantity q{key, whose, error_of, measured, predicted, {}};
    if (error_of == ErrorOf::difference) {
      q.error = predicted - measured;
    } else {
      q.error = signed_error(predicted, measured, error_of == ErrorOf::makespan ? measured_.makespan_s : measured);
    }
    result_.quantities.push_back(std::move(q));
  }

  void slowest_ranks() {
    const sim::RankSummary& measured = measured_.per_rank[static_cast<std::size_t>(measured_.slowest_rank)];
    const sim::RankSummary& predicted = predicted_.per_rank[static_cast<std::size_t>(predicted_.slowest_rank)];
    for (const Part& part : parts) {
      add(part.key, "slowest rank", part.error_of, measured.*part.value, predicted.*part.value);
    }
    if (measured.in_flight_s > 0.0 && predicted.in_flight_s > 0.0) {
      const auto overlap = [](const sim::RankSummary& r) { return 1.0 - r.exposed_communication_s / r.in_flight_s; };
      add("overlap", "slowest rank", ErrorOf::difference, overlap(measured), overlap(predicted));
    }
  }

  void means() {
    const auto mean = [](const std::vector<sim::RankSummary>& ranks, double sim::RankSummary::* value) {
      double sum = 0.0;
      for (const sim::RankSummary& rank : ranks) sum += rank.*value;
      return sum / static_cast<double>(ranks.size());
    };
    for (const Part& part : parts) {
      add(part.key, "mean of ranks", part.error_of, mean(measured_.per_rank, part.value),
          mean(predicted_.per_rank, part.value));
    }
  }

  // Nothing is known of waits: the kernels are all that there is.
  void kernels() {
    const auto ring = static_cast<double>(measured_.definition.ring);
    double attention[2] = {0.0, 0.0};  // measured, predicted
    double merge[2] = {0.0, 0.0};
    const auto count = [&](int side, sim::SpanKind kind, double s) {
      if (kind == sim::SpanKind::attention) attention[side] += s / ring;
      if (kind == sim::SpanKind::merge) merge[side] += s / ring;
    };
    for (const sim::Span& span : measured_.timeline.spans) count(0, span.kind, duration_s(span));
    if (measured_.timeline.spans.empty()) {
      for (const OperationTotal& total : measured_.totals) count(0, total.kind, total.total_s);
    }
    for (const sim::Span& span : predicted_timeline_.spans) count(1, span.kind, duration_s(span));
    add("compute", "mean of ranks", ErrorOf::measured, attention[0] + merge[0], attention[1] + merge[1]);
    add("attention", "mean of ranks", ErrorOf::measured, attention[0], attention[1]);
    add("merge", "mean of ranks", ErrorOf::measured, merge[0], merge[1]);
  }

  const sim::Prediction& predicted_;
  const sim::Timeline& predicted_timeline_;
  const Measurement& measured_;
  Comparison& result_;
};

void warn(const Scenario& scenario, const sim::Prediction& predicted, const Measurement& measured, Comparison& c) {
  if (!measured.environment.gpu.empty() && scenario.profile.gpu != measured.environment.gpu) {
    c.warnings.push_back(fmt::format(
        "measured on {} ({}), predicted with the profile {} of {}: errors are those of two machines",
        measured.environment.gpu, measured.environment.machine, scenario.profile.name, scenario.profile.gpu));
  }
  if (!predicted.profile_calibrated) {
    c.warnings.push_back(
        fmt::format("the profile {} is not calibrated: peaks without overheads are faster than any machine",
                    predicted.profile_name));
  }
  if (measured.check && !measured.check->passed) {
    c.warnings.emplace_back("the measured run computed wrong results: its times are those of other work");
  }
  if (!measured.makespans_s.empty()) {
    const double half = (measured.median_high_s - measured.median_low_s) / 2.0;
    if (half > unsteady * measured.makespan_s) {
      c.warnings.push_back(fmt::format(
          "the repeats differ: the median makespan is known to ± {:.1f} % only, and no error below that means anything",
          100.0 * half / measured.makespan_s));
    }
  }
  // Of all that a prediction warns of, what may explain an error: memory and price do not.
  const bool backward = runs_backward(scenario.workload.phase);
  for (std::string& text : sim::extrapolations(sim::ring_spec(scenario), backward, sim::machine_of(scenario),
                                               runs_forward(scenario.workload.phase))) {
    c.warnings.push_back("prediction: " + std::move(text));
  }
}

void note(const Measurement& measured, Comparison& c) {
  if (c.scenario_hash != c.measured_scenario_hash) {
    c.notes.emplace_back(
        "the scenario is not the measured one to the letter; it differs only in what the measured work does not depend "
        "on "
        "(names, profile, cluster figures, stragglers, prices)");
  }
  if (!measured.check && measured.environment.device != "import") {
    c.notes.emplace_back("the results of the measured run were not checked (measure --check)");
  }
  if (!c.one_by_one) {
    c.notes.emplace_back(
        "the measurement does not say which execution its operations are: they are compared by kind, in total and by "
        "their "
        "medians");
  }
  for (const std::string& text : measured.notes) c.notes.push_back("measurement: " + text);
}

}  // namespace

std::string ComparedQuantity::name() const {
  std::string text = key;
  std::replace(text.begin(), text.end(), '_', ' ');
  if (error_of == ErrorOf::makespan) return text + ", % of makespan";
  return text + (error_of == ErrorOf::difference ? ", difference" : "");
}

bool Comparison::within(double tolerance) const {
  const std::optional<double>& error = judged().error;
  return error && std::abs(*error) <= tolerance;
}

std::optional<bool> Comparison::in_predicted_interval() const {
  const ComparedQuantity& q = judged();
  if (q.key != "makespan" || !predicted_low_s || !predicted_high_s) return std::nullopt;
  return *predicted_low_s <= q.measured && q.measured <= *predicted_high_s;
}

Comparison compare(const Scenario& scenario, const sim::PredictResult& predicted, const Measurement& measured) {
  Comparison c;
  c.definition = definition_of(scenario);
  refuse_unlike(c.definition, measured);
  refuse_partial(predicted);
  const sim::Prediction& p = predicted.prediction;
  c.scenario_name = p.scenario_name;
  c.scenario_hash = p.scenario_hash;
  c.measured_scenario_name = measured.scenario_name;
  c.measured_scenario_hash = measured.scenario_hash;
  c.environment = measured.environment;
  c.profile_name = p.profile_name;
  c.profile_calibrated = p.profile_calibrated;
  c.profile_gpu = scenario.profile.gpu;
  c.engine = p.engine;
  c.repeats = static_cast<std::int64_t>(measured.makespans_s.size());
  c.measured_slowest_rank = measured.slowest_rank;
  c.predicted_slowest_rank = p.slowest_rank;
  if (!measured.makespans_s.empty()) {
    c.measured_low_s = measured.median_low_s;
    c.measured_high_s = measured.median_high_s;
  }
  c.predicted_low_s = p.makespan_low_s;
  c.predicted_high_s = p.makespan_high_s;

  Comparer(p, predicted.timeline, measured, c).quantities();
  ComparedOperations operations = compare_operations(predicted.timeline, measured);
  c.one_by_one = operations.one_by_one;
  c.groups = std::move(operations.groups);
  c.one_sided = std::move(operations.one_sided);
  warn(scenario, p, measured, c);
  note(measured, c);
  return c;
}

}  // namespace ringsim::calibrate
