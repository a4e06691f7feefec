// What `compare` says in sentences.

#include "reports/compare_figures.hpp"
#include "reports/compare_parts.hpp"
#include "reports/humanise.hpp"
#include "reports/verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace ringsim::reports {
namespace {

constexpr double nothing = 1e-9;         // of the larger time: rounding
constexpr double an_interaction = 0.05;  // of the difference

bool equal_times(double a, double b) { return std::abs(a - b) <= nothing * std::max(std::abs(a), std::abs(b)); }

std::string arrow(const std::string& a, const std::string& b) {
  return a.empty() && b.empty() ? "" : fmt::format(" ({} → {})", a, b);
}

std::string named_with_change(const ScenarioComparison& c, const sim::JoinedChanges& part) {
  if (part.changes.size() > 3) return part_name(c, part);
  std::string text;
  for (const std::size_t i : part.changes) {
    text += (text.empty() ? "" : " with ") + c.inputs[i].name + arrow(c.inputs[i].a, c.inputs[i].b);
  }
  return text;
}

std::vector<const sim::Contribution*> by_size(const sim::Attribution& attribution) {
  std::vector<const sim::Contribution*> parts;
  for (const sim::Contribution& part : attribution.parts) parts.push_back(&part);
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto* x, const auto* y) { return std::abs(x->value) > std::abs(y->value); });
  return parts;
}

// "a, b and c"
std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
  }
  return text;
}

bool b_is_better(const ScenarioComparison& c) {
  return !why_other_times(c.a.prediction, c.b.prediction).empty() ||
         headline_of(c.b.prediction).seconds <= headline_of(c.a.prediction).seconds;
}

}  // namespace

bool brings_nothing(const ScenarioComparison& c, const sim::Contribution& part) {
  const auto none = [](const sim::Attribution& whole, const sim::Contribution& own) {
    const double rounding = 1e-12 * std::max(std::abs(whole.from), std::abs(whole.to));
    return std::abs(own.value) <= rounding && std::abs(own.least) <= rounding && std::abs(own.most) <= rounding;
  };
  if (!c.time || !none(*c.time, part)) return false;
  if (!c.memory) return true;
  const auto at = static_cast<std::size_t>(&part - c.time->parts.data());
  return none(*c.memory, c.memory->parts[at]);
}

std::string part_name(const ScenarioComparison& c, const sim::JoinedChanges& part) {
  std::string text;
  if (part.changes.size() > 3) {  // counted by part of the scenario
    std::vector<std::string> parts;
    for (const std::size_t i : part.changes) {
      const std::string& own = c.inputs[i].part;
      if (std::find(parts.begin(), parts.end(), own) == parts.end()) parts.push_back(own);
    }
    for (const std::string& own : parts) {
      const auto count = std::count_if(part.changes.begin(), part.changes.end(),
                                       [&](std::size_t i) { return c.inputs[i].part == own; });
      text += (text.empty() ? "" : " + ") + own + (count > 1 ? fmt::format(" ({})", count) : "");
    }
    return text;
  }
  for (const std::size_t i : part.changes) text += (text.empty() ? "" : " + ") + c.inputs[i].name;
  return text;
}

namespace {

double tokens_of(const Scenario& s) {
  return static_cast<double>(s.workload.tokens) * static_cast<double>(s.workload.batch);
}

// " B works on 2.50 times as many tokens, at -9.6 % tokens/s."
std::string other_work(const ScenarioComparison& c) {
  const double factor = tokens_of(c.b.scenario) / tokens_of(c.a.scenario);
  if (factor == 1.0 || !why_other_times(c.a.prediction, c.b.prediction).empty()) return {};
  return fmt::format(" B works on {} times as many tokens, at {} tokens/s.", human_number(factor),
                     human_signed_percent(c.b.prediction.tokens_per_s / c.a.prediction.tokens_per_s - 1.0));
}

}  // namespace

std::string compared_answer(const ScenarioComparison& c) {
  const sim::Prediction& a = c.a.prediction;
  const sim::Prediction& b = c.b.prediction;
  if (c.inputs.empty()) return "A and B are the same scenario: no input differs.";
  const Headline of_a = headline_of(a);
  const Headline of_b = headline_of(b);
  const std::string at_least = a.makespan_is_bound && b.makespan_is_bound ? "at least " : "";
  if (const std::string why = why_other_times(a, b); !why.empty()) {
    return fmt::format("A takes {} ({}), B {} ({}), which are not times of the same thing: {}.",
                       human_time(of_a.seconds), of_a.name, human_time(of_b.seconds), of_b.name, why);
  }
  if (equal_times(of_a.seconds, of_b.seconds)) {
    return fmt::format("A and B take the same time: {}{} ({}).{}", at_least, human_time(of_a.seconds), of_a.name,
                       other_work(c));
  }
  const bool faster = of_b.seconds < of_a.seconds;
  const double factor = faster ? of_a.seconds / of_b.seconds : of_b.seconds / of_a.seconds;
  const std::string by =
      factor >= 1.1
          ? fmt::format("{} {} times {}", faster ? "is" : "takes",
                        faster ? human_factor_down(factor) : human_factor_up(factor), faster ? "faster" : "as long")
          : fmt::format("is {} {}", human_percent(std::abs(of_b.seconds / of_a.seconds - 1.0)),
                        faster ? "faster" : "slower");
  return fmt::format("B takes {}{}, A {}{} ({}): B {}.{}", at_least, human_time(of_b.seconds), at_least,
                     human_time(of_a.seconds), of_a.name, by, other_work(c));
}

std::string explained_sentence(const ScenarioComparison& c) {
  if (c.inputs.empty()) return {};
  if (!c.time) return c.not_explained.empty() ? "" : fmt::format("What causes it is not told: {}.", c.not_explained);
  const sim::Attribution& time = *c.time;
  const double change = time.to - time.from;
  const double most = std::max(time.from, time.to);
  const std::vector<const sim::Contribution*> parts = by_size(time);
  if (equal_times(time.from, time.to) && (parts.empty() || std::abs(parts.front()->value) <= nothing * most)) {
    return "No input that differs has a say in it.";
  }
  std::vector<std::string> with, against;
  std::size_t left_out = 0;
  for (const sim::Contribution* part : parts) {
    if (std::abs(part->value) <= nothing * most) continue;
    if (with.size() + against.size() >= 3) {
      ++left_out;
      continue;
    }
    const bool same_way = (part->value < 0) == (change < 0);
    const bool share = same_way && std::abs(part->value) <= std::abs(change) * (1.0 + 1e-9);
    (same_way ? with : against)
        .push_back(fmt::format(
            "{} by {}",
            share ? human_percent(std::min(1.0, part->value / change)) : signed_text(part->value, FigureUnit::seconds),
            named_with_change(c, part->of)));
  }
  std::string text = "Of that " + listed(with);
  if (with.empty()) text = "By input: " + listed(against);
  if (!with.empty() && !against.empty()) text += "; against it " + listed(against);
  if (left_out > 0) text += fmt::format("; {} more below", left_out);
  return text + ".";
}

std::string compared_memory_sentence(const ScenarioComparison& c) {
  const auto one = [](const char* side, const Memory& memory) {
    const std::optional<bool> it_fits = fits(memory);
    const std::string sizes = fmt::format("{} of {} a GPU", human_bytes(memory.total), human_bytes(memory.capacity));
    if (!it_fits) return fmt::format("{} needs at least {}, and not everything is counted", side, sizes);
    return fmt::format("{} {} ({})", side, *it_fits ? "fits" : "does not fit", sizes);
  };
  return fmt::format("Memory: {}; {}.", one("A", c.a.prediction.memory), one("B", c.b.prediction.memory));
}

std::string time_parts_sentence(const ScenarioComparison& c) {
  const sim::Prediction& a = c.a.prediction;
  const sim::Prediction& b = c.b.prediction;
  if (!why_other_times(a, b).empty() || a.makespan_is_bound) return {};
  if (equal_times(a.makespan_s, b.makespan_s)) return {};
  const auto part = [&](const char* name, double change) {
    return fmt::format("{} {}", name,
                       std::abs(change) <= nothing * a.makespan_s ? std::string("unchanged")
                                                                  : signed_text(change, FigureUnit::seconds));
  };
  return fmt::format("Of the slowest rank's time: {}, {}, {}.", part("compute", b.compute_s - a.compute_s),
                     part("exposed communication", b.exposed_communication_s - a.exposed_communication_s),
                     part("bubble", b.bubble_s - a.bubble_s));
}

std::vector<std::string> explained_remarks(const ScenarioComparison& c) {
  std::vector<std::string> remarks;
  if (!c.time) return remarks;
  const sim::Attribution& time = *c.time;
  double measure = std::abs(time.to - time.from);
  std::string idle;
  for (const sim::Contribution& part : time.parts) {
    if (!brings_nothing(c, part)) continue;
    idle += (idle.empty() ? "" : ", ") + part_name(c, part.of);
  }
  if (!idle.empty()) remarks.push_back("no say in time or memory: " + idle);
  for (const sim::Contribution& part : time.parts) measure = std::max(measure, std::abs(part.value));
  for (const sim::Contribution& part : time.parts) {
    if (part.of.changes.size() > 1) {
      remarks.push_back(
          fmt::format("{} count as one, since not every mix of them exists: {}", part_name(c, part.of), part.of.why));
    }
    if (measure > 0 && part.most - part.least > an_interaction * measure) {
      remarks.push_back(fmt::format("what {} brings depends on what else is changed: between {} and {}",
                                    part_name(c, part.of), signed_text(part.least, FigureUnit::seconds),
                                    signed_text(part.most, FigureUnit::seconds)));
    }
  }
  return remarks;
}

std::string explained_heading(const ScenarioComparison& c) {
  if (!c.time) return {};
  const std::size_t parts = c.time->parts.size();
  const std::string of = fmt::format("change of the {}", headline_of(c.a.prediction).name);
  if (parts <= 1) return of;
  if (!c.time->every_order) {
    return of + "; mean of two walks, from A to B and back";
  }
  std::int64_t orders = 1;
  for (std::size_t i = 2; i <= parts; ++i) orders *= static_cast<std::int64_t>(i);
  return fmt::format("{}; mean over all {} orders of changing the inputs", of, human_count(orders));
}

std::vector<std::string> not_compared_sentences(const ScenarioComparison& c) {
  std::vector<std::pair<std::string, std::string>> by_reason;
  std::vector<ComparedFigure> figures = figures_of(c);
  for (const ComparedFigure& figure : memory_figures_of(c)) figures.push_back(figure);
  for (const ComparedFigure& figure : figures) {
    std::string why = figure.not_compared;
    if (why.empty() && (!figure.a || !figure.b)) {
      const sim::Prediction& lacks = figure.a ? c.b.prediction : c.a.prediction;
      why = fmt::format("{} has none{}", figure.a ? "B" : "A",
                        figure.key.starts_with("b_min") && !lacks.no_b_min.empty() ? ": " + lacks.no_b_min
                        : figure.key.starts_with("b_min") && lacks.ring_size == 1  ? ": its ring has one rank"
                                                                                   : "");
    }
    if (why.empty()) continue;
    std::string label = figure.label;
    label.erase(0, label.find_first_not_of(' '));
    const auto known =
        std::find_if(by_reason.begin(), by_reason.end(), [&](const auto& entry) { return entry.first == why; });
    if (known == by_reason.end()) {
      by_reason.emplace_back(why, label);
    } else {
      known->second += ", " + label;
    }
  }
  std::vector<std::string> sentences;
  for (const auto& [why, labels] : by_reason) sentences.push_back(fmt::format("{}: {}", labels, why));
  return sentences;
}

std::vector<std::string> one_sided_warnings(const ScenarioComparison& c) {
  std::vector<std::string> all;
  const auto add = [&all](const char* side, const std::vector<std::string>& own,
                          const std::vector<std::string>& other) {
    for (const std::string& warning : own) {
      if (std::find(other.begin(), other.end(), warning) == other.end())
        all.push_back(fmt::format("{}: {}", side, warning));
    }
  };
  add("A", c.a.prediction.warnings, c.b.prediction.warnings);
  add("B", c.b.prediction.warnings, c.a.prediction.warnings);
  return all;
}

std::string next_question(const ScenarioComparison& c) {
  return fmt::format("what limits {}, and what would make it faster:", b_is_better(c) ? "B" : "A");
}

std::string next_command(const ScenarioComparison& c) {
  const ComparedSide& side = b_is_better(c) ? c.b : c.a;
  std::string command = "ringsim why " + side.file;
  for (const std::string& set : side.sets) command += fmt::format(" --set '{}'", set);
  return command;
}

}  // namespace ringsim::reports
