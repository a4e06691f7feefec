// `ringsim size`: which plan, on how many GPUs; and inverse questions to a scenario's own plan.

#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/failures.hpp"
#include "cli/output.hpp"
#include "cli/progress_bar.hpp"
#include "cli/report_option.hpp"
#include "cli/scenario_options.hpp"
#include "reports/html/size_page.hpp"
#include "reports/size_report.hpp"
#include "reports/solve_report.hpp"
#include "scenarios/units.hpp"
#include "sim/curves/degree_map.hpp"
#include "sim/planner/neighbours.hpp"
#include "sim/planner/search.hpp"
#include "sim/planner/solve.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

namespace ringsim::cli {
namespace {

struct SizeOptions {
  ScenarioOptions scenario;
  std::string context, max_ttft, max_step, gpus, minimise, solve, max_exposed, against;
  std::vector<std::string> against_sets;
  std::size_t top = 3;
  ReportOption report;
};

/// Checks an option's text by what will read it.
template <class Parse>
CLI::Validator readable(const Parse& parse) {
  return {[parse](const std::string& text) {
            try {
              static_cast<void>(parse(text));
              return std::string();
            } catch (const Error& error) {
              return error.message() + (error.hint().empty() ? "" : "; " + error.hint());
            }
          },
          "", ""};
}

bool has_ttft(const Scenario& s) { return s.workload.phase == Phase::prefill && s.workload.scope == Scope::model; }

/// TTFT is the time of a whole model's prefill; everything else has the time of a step.
void check_time_name(const Scenario& s, bool ttft, const std::string& option) {
  if (ttft == has_ttft(s)) return;
  if (!ttft)
    throw Error("a prefill of the whole model has no step but a TTFT", option, "ttft, or workload.phase: train");
  if (s.workload.phase != Phase::prefill) {
    throw Error(fmt::format("phase {} has no TTFT", name_of(s.workload.phase)), option,
                "step, or workload.phase: prefill");
  }
  throw Error("attention alone has no TTFT", option, "--set workload.scope=model, or step: the time of the attention");
}

std::optional<double> limit_of(const SizeOptions& o, const Scenario& s) {
  if (!o.max_ttft.empty()) {
    check_time_name(s, true, "--max-ttft");
    return in_seconds(scenarios::parse_duration(o.max_ttft));
  }
  if (o.max_step.empty()) return std::nullopt;
  check_time_name(s, false, "--max-step");
  return in_seconds(scenarios::parse_duration(o.max_step));
}

sim::Objective objective_of(const SizeOptions& o, const Scenario& s, bool limited) {
  if (o.minimise == "gpus" || o.solve == "gpus") return sim::Objective::gpus;
  if (o.minimise == "cost") return sim::Objective::cost;
  if (o.minimise == "energy") return sim::Objective::energy;
  if (o.minimise.empty()) return limited ? sim::Objective::gpus : sim::Objective::time;
  check_time_name(s, o.minimise == "ttft", "--minimise");
  return sim::Objective::time;
}

void check_options_fit(const SizeOptions& o) {
  if (!o.max_ttft.empty() && !o.max_step.empty()) throw UsageError("--max-ttft and --max-step are of different phases");
  const bool inverse = o.solve == "bandwidth" || o.solve == "tokens" || o.solve == "ring";
  if (!o.solve.empty() && !o.minimise.empty()) throw UsageError("--solve asks for one value, --minimise for a plan");
  if (!o.max_exposed.empty() && !inverse) throw UsageError("--max-exposed needs --solve bandwidth, tokens or ring");
  const bool compares = !o.against.empty() || !o.against_sets.empty();
  if (compares && o.solve != "tokens") throw UsageError("--against and --against-set need --solve tokens");
  if (compares && (!o.max_exposed.empty() || !o.max_ttft.empty() || !o.max_step.empty())) {
    throw UsageError("a break-even length has no limit: --against goes without --max-ttft, --max-step, --max-exposed");
  }
}

template <class Report>
void print(const std::string& format, const Report& report, reports::ColorChoice color,
           std::string (*json)(const Report&), std::string (*csv)(const Report&),
           std::string (*markdown)(const Report&), std::string (*text)(const Report&, const reports::Style&)) {
  if (format == "json") return write_results(json(report));
  if (format == "csv") return write_results(csv(report));
  if (format == "markdown") return write_results(markdown(report));
  write_results(text(report, reports::style_of(color, stdout)));
}

void search_plans(const SizeOptions& o, const Scenario& scenario, const std::vector<std::string>& sets,
                  const Program& program) {
  sim::SearchOptions how;
  how.most_time_s = limit_of(o, scenario);
  how.objective = objective_of(o, scenario, how.most_time_s.has_value());
  if (!o.gpus.empty()) how.most_gpus = scenarios::parse_count(o.gpus);
  how.top = o.top;
  how.seed = o.scenario.seed;
  ReportFile page(o.report, o.scenario.path);
  sim::SearchResult result;
  std::optional<sim::DegreeMap> degrees;
  {
    ProgressBar bar;
    sim::SearchOptions shown = how;
    shown.progress = [&bar](double done, const std::string& what) { bar.show(done, what); };
    result = sim::search(scenario, shown);
    if (page) degrees = sim::degree_map(scenario, shown, result);
  }
  reports::SizeReport report{scenario, how, result, {}, o.scenario.path, sets};
  if (!result.best.empty()) report.neighbours = sim::neighbours(scenario, result.best.front(), how);
  if (degrees) page.write(reports::size_html(report, &*degrees, origin_of(program, o.report)));
  print<reports::SizeReport>(o.scenario.format, report, program.color, reports::render_size_json,
                             reports::render_size_csv, reports::render_size_markdown, reports::render_size_text);
  if (result.best.empty()) throw NothingFeasible(reports::size_answer(report));
}

void solve(const SizeOptions& o, const Scenario& scenario, const std::vector<std::string>& sets,
           const Program& program) {
  sim::SolveOptions how;
  how.most_time_s = limit_of(o, scenario);
  how.seed = o.scenario.seed;
  if (!o.gpus.empty()) how.most_gpus = scenarios::parse_count(o.gpus);
  if (!o.max_exposed.empty()) how.most_exposed = scenarios::parse_ratio(o.max_exposed);
  const bool compares = !o.against.empty() || !o.against_sets.empty();
  constexpr double hidden = 0.01;  // as for B_min
  if (!how.most_exposed && (o.solve == "ring" || (o.solve == "bandwidth" && !how.most_time_s))) {
    how.most_exposed = hidden;
  }
  ReportFile page(o.report, o.scenario.path);
  const auto answer = [&](auto found, const std::string& against) {
    const reports::SolveReport report{scenario, how, std::move(found), o.scenario.path, sets, against};
    if (page) page.write(reports::solve_html(report, origin_of(program, o.report)));
    print<reports::SolveReport>(o.scenario.format, report, program.color, reports::render_solve_json,
                                reports::render_solve_csv, reports::render_solve_markdown, reports::render_solve_text);
    if (!reports::solved(report)) throw NothingFeasible(reports::solve_page(report).answer);
  };
  if (o.solve == "bandwidth") return answer(sim::solve_bandwidth(scenario, how), "");
  if (o.solve == "ring") return answer(sim::solve_ring(scenario, how), "");
  if (!compares) return answer(sim::solve_tokens(scenario, how), "");
  std::vector<std::string> other_sets = o.against.empty() ? sets : std::vector<std::string>{};
  other_sets.insert(other_sets.end(), o.against_sets.begin(), o.against_sets.end());
  const Scenario other = load_scenario(o.against.empty() ? o.scenario.path : o.against, other_sets);
  std::string name = o.against.empty() ? "" : other.name;
  for (const std::string& set : o.against_sets) name += (name.empty() ? "" : ", ") + set;
  answer(sim::break_even(scenario, other, how), name);
}

void size(const SizeOptions& o, const Program& program) {
  check_options_fit(o);
  std::vector<std::string> sets = o.scenario.sets;
  if (!o.context.empty()) sets.push_back("workload.tokens=" + o.context);
  const Scenario scenario = load_scenario(o.scenario.path, sets);
  if (o.solve.empty() || o.solve == "gpus") return search_plans(o, scenario, sets, program);
  solve(o, scenario, sets, program);
}

}  // namespace

void add_size(Program& program) {
  auto options = std::make_shared<SizeOptions>();
  CLI::App& command =
      *program.app.add_subcommand("size", "Find plans: how many GPUs, which degrees; bandwidth, context, ring that do");
  add_scenario_options(command, options->scenario);
  const auto one = [&](const char* name, std::string& value, const char* what, const char* type) {
    return command.add_option(name, value, what)->type_name(type);
  };
  one("--context", options->context, "Tokens of a sequence, instead of workload.tokens", "N")
      ->check(readable(scenarios::parse_count));
  one("--max-ttft", options->max_ttft, "Limit of the time to the first token of a prefill, such as '60 s'", "TIME")
      ->check(readable(scenarios::parse_duration));
  one("--max-step", options->max_step,
      "Limit of a training step, of a token of a decode step, or of the attention under scope attention", "TIME")
      ->check(readable(scenarios::parse_duration));
  one("--gpus", options->gpus, "GPUs that may be used (default those of the cluster; more: further nodes of its kind)",
      "G")
      ->check(readable([](const std::string& text) {
        const std::int64_t gpus = scenarios::parse_count(text);
        if (gpus < 1 || gpus > 1'000'000) throw Error(text + " GPUs", "", "1 to 1000000");
        return gpus;
      }));
  one("--minimise", options->minimise,
      "ttft, step, gpus, cost or energy (default ttft or step; with a limit of the time gpus)", "WHAT")
      ->check(one_of({"ttft", "step", "gpus", "cost", "energy"}));
  command.add_option("--top", options->top, "Plans in the list, each of other degrees (default 3)")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000}).description(""));
  one("--solve", options->solve,
      "Solve for bandwidth, tokens or ring with the scenario's plan, or for gpus over all plans", "WHAT")
      ->check(one_of({"bandwidth", "tokens", "ring", "gpus"}));
  one("--max-exposed", options->max_exposed,
      "With --solve: share of the time that communication may be exposed (default 1%)", "SHARE")
      ->check(readable(scenarios::parse_ratio));
  one("--against", options->against, "With --solve tokens: from which length on is this scenario faster than that one",
      "FILE")
      ->check(file_name());
  command
      .add_option("--against-set", options->against_sets,
                  "The same against this scenario, or that of --against, with a value changed; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_report_option(command, options->report);
  command.footer(
      "Without --solve all plans of the cluster are searched: degrees, placement order, layout, exchange, "
      "recomputation,\n"
      "chunks. Plans that a rule forbids, that do not fit, or that a lower bound shows to be of no use are counted; "
      "the rest\n"
      "is predicted. Exit status 4: nothing is feasible; the nearest miss is printed.\n"
      "\n"
      "Examples:\n"
      "  ringsim size scenarios/studies/llama3-70b-1m-h100.yaml --set workload.scope=model --max-ttft '60 s'\n"
      "  ringsim size scenario.yaml --context 512Ki --gpus 256 --minimise cost\n"
      "  ringsim size scenario.yaml --solve bandwidth --max-exposed 5%\n"
      "  ringsim size scenario.yaml --solve tokens --max-ttft '30 s'\n"
      "  ringsim size scenario.yaml --solve tokens --against-set ring.exchange=all-gather");
  command.callback([&program, options] { program.action = [&program, options] { size(*options, program); }; });
}

}  // namespace ringsim::cli
