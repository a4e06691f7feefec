#include "reports/html/size_page.hpp"

#include "reports/html/answer_sections.hpp"
#include "reports/html/degree_chart.hpp"
#include "reports/html/run_charts.hpp"
#include "reports/humanise.hpp"
#include "sim/planner/evaluate.hpp"
#include "sim/planner/plan.hpp"

#include <fmt/format.h>

#include <utility>

namespace ringsim::reports {
namespace {

using sim::PlanFigures;

std::string short_plan(const PlanFigures& f) {
  return fmt::format("{} GPUs: {}", human_count(f.plan.gpus()), sim::degrees_text(f.plan));
}

std::vector<KeyFigure> key_figures(const SizeReport& r) {
  if (r.result.best.empty()) return {};
  const PlanFigures& best = r.result.best.front();
  std::vector<KeyFigure> figures = {
      {"GPUs", "best.0.plan.gpus", static_cast<double>(best.plan.gpus()), human_count(best.plan.gpus()),
       sim::degrees_text(best.plan)},
      {sim::time_name(r.scenario), "best.0.time_s", best.time_s, human_time(best.time_s),
       r.options.most_time_s ? "at most " + human_time(*r.options.most_time_s) : ""},
      {"exposed communication", "best.0.exposed_communication_s", best.exposed_communication_s,
       human_time(best.exposed_communication_s),
       human_percent(best.exposed_communication_s / best.time_s) + " of the time"},
      {"MFU", "best.0.mfu", best.mfu, human_percent(best.mfu), ""},
      {"memory of a GPU", "best.0.memory.total_bytes", in_bytes(best.memory.total), human_bytes(best.memory.total),
       "of " + human_bytes(best.memory.capacity)},
      {"GPU-hours", "best.0.gpu_hours", best.gpu_hours, human_number(best.gpu_hours), ""}};
  if (best.cost) figures.push_back({"cost", "best.0.cost", *best.cost, human_money(*best.cost), ""});
  if (best.energy_joules) {
    figures.push_back({"energy", "best.0.energy_joules", *best.energy_joules, human_energy(*best.energy_joules), ""});
  }
  return figures;
}

ScatterChart front_chart(const SizeReport& r) {
  const std::string time = sim::time_name(r.scenario);
  ScatterChart chart{
      .words = {"GPUs against " + time,
                "Plans than which none is both faster and smaller, joined; the best by what was asked for and the "
                "scenario's own plan among them."},
      .x = {"GPUs", Quantity::count, Scale::linear},
      .y = {time, Quantity::seconds, Scale::linear},
      .band = {},
      .series = {}};
  const auto point = [](const PlanFigures& f) {
    return Point{static_cast<double>(f.plan.gpus()), f.time_s, sim::degrees_text(f.plan)};
  };
  ScatterGroup front{.name = "none is faster and smaller", .tone = Tone::series_1, .joined = true};
  for (const PlanFigures& f : r.result.front) front.points.push_back(point(f));
  ScatterGroup best{.name = "best plans", .tone = Tone::chosen};
  for (const PlanFigures& f : r.result.best) best.points.push_back(point(f));
  chart.series = {std::move(front), std::move(best)};
  if (r.result.own && r.result.own->memory.fits()) {
    chart.series.push_back({"the scenario's own plan", Tone::series_2, false, {point(*r.result.own)}});
  }
  return chart;
}

BarChart plan_times_chart(const SizeReport& r, const std::vector<PlanFigures>& plans) {
  BarChart chart{.words = {"Where the best plans' time goes", "A bar a plan: the slowest rank's time."},
                 .row_header = "plan",
                 .rows = {},
                 .value = {sim::time_name(r.scenario), Quantity::seconds, Scale::linear},
                 .series = {{"compute", Tone::attention, {}},
                            {"exposed communication", Tone::exposed, {}},
                            {"bubble", Tone::late, {}}},
                 .lines = {}};
  for (const PlanFigures& f : plans) {
    chart.rows.push_back(short_plan(f));
    chart.series[0].values.push_back(f.compute_s);
    chart.series[1].values.push_back(f.exposed_communication_s);
    chart.series[2].values.push_back(f.bubble_s);
  }
  if (r.options.most_time_s) chart.lines.push_back({"limit", *r.options.most_time_s, Tone::limit});
  return chart;
}

std::vector<Block> charts_of(const SizeReport& r) {
  std::vector<PlanFigures> plans = r.result.best;
  if (r.result.own && !plans.empty() && r.result.own->plan != plans.front().plan) plans.push_back(*r.result.own);
  std::vector<std::pair<std::string, const Memory*>> memories;
  memories.reserve(plans.size());
  for (const PlanFigures& f : plans) memories.emplace_back(short_plan(f), &f.memory);
  return {Figure{"plans-time", plan_times_chart(r, plans)}, Figure{"plans-memory", memory_chart(memories)}};
}

void add_page_sections(HtmlPage& page, const AnswerPage& answer) {
  std::size_t number = 0;
  for (const Section& section : answer.sections) {
    add_section(page, html_section(section, fmt::format("section-{}", ++number)));
  }
}

}  // namespace

HtmlPage size_html(const SizeReport& r, const sim::DegreeMap* degrees, const PageOrigin& origin) {
  const AnswerPage answer = size_page(r);
  HtmlPage page = empty_page(answer.title, "Plans", origin);
  page.answer = answer.answer;
  page.figures = key_figures(r);
  page.result_json = render_size_json(r);
  if (degrees != nullptr) add_section(page, degree_section(*degrees));
  if (!r.result.best.empty()) {
    add_section(page, {"trade", "GPUs against time", "", {Figure{"front", front_chart(r)}}});
    add_section(page, {"best", "Time and memory of the best plans", "", charts_of(r)});
  }
  add_page_sections(page, answer);
  add_section(page, next_section(answer.next));
  add_section(page, scenario_section(r.scenario));
  return page;
}

HtmlPage solve_html(const SolveReport& r, const PageOrigin& origin) {
  const AnswerPage answer = solve_page(r);
  HtmlPage page = empty_page(answer.title, "Answer", origin);
  page.answer = answer.answer;
  page.result_json = render_solve_json(r);
  add_page_sections(page, answer);
  add_section(page, next_section(answer.next));
  add_section(page, scenario_section(r.scenario));
  return page;
}

}  // namespace ringsim::reports
