#include "reports/html/run_page.hpp"

#include "reports/beyond_ring.hpp"
#include "reports/definitions.hpp"
#include "reports/html/curve_charts.hpp"
#include "reports/html/hop_charts.hpp"
#include "reports/html/run_charts.hpp"
#include "reports/html/titled.hpp"
#include "reports/humanise.hpp"
#include "reports/json_run.hpp"
#include "reports/model_sections.hpp"
#include "reports/replica_parts.hpp"
#include "reports/run_parts.hpp"
#include "reports/verdicts.hpp"
#include "reports/window_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ringsim::reports {
namespace {

using sim::Prediction;

std::string between(const Prediction& p) {
  if (!p.makespan_low_s || !p.makespan_high_s) return p.makespan_is_bound ? "a lower bound" : "";
  return fmt::format("{} to {}", human_time(*p.makespan_low_s), human_time(*p.makespan_high_s));
}

std::string share_of_makespan(const Prediction& p, double seconds) {
  return p.makespan_s > 0 ? human_percent(seconds / p.makespan_s) + " of the time" : "";
}

std::vector<KeyFigure> key_figures(const Prediction& p, const Scenario& scenario) {
  std::vector<KeyFigure> figures;
  const auto add = [&](std::string label, std::string key, double value, std::string text, std::string note = {}) {
    figures.push_back({std::move(label), std::move(key), value, std::move(text), std::move(note)});
  };
  if (p.ttft_s) add("time to first token", "ttft_s", *p.ttft_s, human_time(*p.ttft_s), between(p));
  if (p.step_time_s) add("training step", "step_time_s", *p.step_time_s, human_time(*p.step_time_s), between(p));
  if (p.tpot_s) add("time per output token", "tpot_s", *p.tpot_s, human_time(*p.tpot_s));
  if (!p.ttft_s && !p.step_time_s) {
    add(p.scope == "attention" ? "all layers' attention" : "makespan", "makespan_s", p.makespan_s,
        human_time(p.makespan_s), between(p));
  }
  add("computation", "compute_s", p.compute_s, human_time(p.compute_s), share_of_makespan(p, p.compute_s));
  add("exposed communication", "exposed_communication_s", p.exposed_communication_s,
      human_time(p.exposed_communication_s), share_of_makespan(p, p.exposed_communication_s));
  add("bubble", "bubble_s", p.bubble_s, human_time(p.bubble_s), share_of_makespan(p, p.bubble_s));
  add("memory of a GPU", "memory.total_bytes", in_bytes(p.memory.total), human_bytes(p.memory.total),
      "of " + human_bytes(p.memory.capacity));
  add("MFU", "mfu", p.mfu, human_percent(p.mfu));
  if (p.ring_efficiency > 0)
    add("ring efficiency", "ring_efficiency", p.ring_efficiency, human_percent(p.ring_efficiency));
  if (p.overlap) add("overlap", "overlap", *p.overlap, human_percent(*p.overlap), "of the time in flight is hidden");
  add("throughput", "tokens_per_s", p.tokens_per_s, human_number(p.tokens_per_s) + " tokens/s",
      p.scope == "attention" ? "of attention alone" : "");
  add("GPU-hours", "gpu_hours", p.gpu_hours, human_number(p.gpu_hours),
      fmt::format("on {} GPU{}", human_count(p.ranks), p.ranks == 1 ? "" : "s"));
  if (p.cost) {
    add("cost", "cost", *p.cost, human_money(*p.cost),
        scenario.price_per_gpu_hour ? "at " + human_money(*scenario.price_per_gpu_hour) + " a GPU-hour" : "");
  }
  return figures;
}

HtmlSection time_section(const RunPage& run) {
  const Prediction& p = run.prediction;
  HtmlSection section{"time", "Where the time goes", "table: " + slowest_rank_text(p), {}};
  const sim::RunSummary summary = run_of(p);
  if (!p.per_rank.empty()) section.blocks.emplace_back(Figure{"ranks", rank_times_chart(summary)});
  section.blocks.emplace_back(time_grid(summary, time_columns(p, run.scenario)));
  section.blocks.emplace_back(figure_fields(p, run.scenario));
  return section;
}

HtmlSection timeline_section(const RunPage& run) {
  HtmlSection section{"timeline", "Timeline", "ranks and their streams", {}};
  std::size_t number = 0;
  for (const NamedTimeline& window : run.timelines) {
    if (window.timeline.spans.empty()) continue;
    const BusiestPart part = busiest_part(window.timeline);
    GanttChart chart = gantt_chart(part.timeline, window.name);
    chart.words.description += part.left_out;
    section.blocks.emplace_back(Figure{fmt::format("timeline-{}", ++number), std::move(chart)});
    section.blocks.emplace_back(Paragraph{fmt::format("Shown: {}.{}", window_text(window.timeline), part.left_out)});
  }
  return section;
}

HtmlSection memory_section(const Prediction& p) {
  HtmlSection section{"memory", "Memory", fullest_rank_text(p), {}};
  section.blocks.emplace_back(Figure{"memory-terms", memory_chart({{"GPU", &p.memory}})});
  section.blocks.emplace_back(memory_grid(p.memory, p.scope == "model"));
  if (Fields fields = context_fields(p); !fields.empty()) section.blocks.emplace_back(std::move(fields));
  return section;
}

void add_b_min(HtmlPage& page, const Prediction& p) {
  if (p.ring_size <= 1 || !p.no_b_min.empty()) return;
  add_section(page, {"b-min",
                     "B_min",
                     "tokens a rank from which a hop hides behind the computation of a step",
                     {b_min_grid(p), b_min_fields(p)}});
}

void add_model_sections(HtmlPage& page, const RunPage& run) {
  std::size_t number = 0;
  for (Section& section : model_sections(run.prediction, run.scenario)) {
    HtmlSection html{fmt::format("model-{}", ++number), section.title, section.note, {}};
    if (!section.grid.rows.empty()) html.blocks.emplace_back(std::move(section.grid));
    if (!section.fields.empty()) html.blocks.emplace_back(std::move(section.fields));
    add_section(page, std::move(html));
  }
}

HtmlSection assumptions_section(const RunPage& run) {
  const Prediction& p = run.prediction;
  HtmlSection section{"assumptions", "What it rests on", "", {}};
  section.blocks.emplace_back(setup_fields(p, run.scenario));
  if (!p.uncertainty_note.empty()) section.blocks.emplace_back(Paragraph{"Interval: " + p.uncertainty_note});
  if (!p.uncertainty_parts.empty()) {
    Grid grid{{{"value of the profile", Align::left}, {"shortens by", Align::right}, {"lengthens by", Align::right}},
              {}};
    for (const sim::UncertaintyPart& part : p.uncertainty_parts) {
      grid.rows.push_back({part.name, human_time(part.fall_s), human_time(part.rise_s)});
    }
    section.blocks.emplace_back(std::move(grid));
  }
  for (const std::string& definition : definitions_of(p)) section.blocks.emplace_back(Paragraph{definition});
  section.blocks.emplace_back(Fields{{"scenario hash", p.scenario_hash}, {"seed", fmt::format("{}", p.seed)}});
  return section;
}

}  // namespace

std::vector<NamedWindow> page_windows(const Scenario& scenario) {
  // Every stage of a pipeline has ranks of its own: of many stages few each, or nobody would see anything.
  const std::int64_t stages = scenario.parallel.pipeline;
  constexpr std::int64_t rows_of_ranks = 16;
  const std::int64_t ranks = stages > 1 ? std::max<std::int64_t>(1, rows_of_ranks / stages) : 8;
  constexpr std::int64_t opening_steps = 8, steady_steps = 4;
  std::vector<NamedWindow> windows = {{"how it begins", sim::opening_window(scenario, ranks, opening_steps)}};
  const bool forward = runs_forward(scenario.workload.phase);
  const bool backward = runs_backward(scenario.workload.phase);
  const auto add = [&](Pass pass, const char* name) {
    sim::TimelineWindow window = sim::steady_window(scenario, ranks, steady_steps, pass);
    if (window != windows.front().window) windows.push_back({name, std::move(window)});
  };
  if (forward) add(Pass::forward, backward ? "a forward pass, once it has settled" : "once it has settled");
  if (backward) add(Pass::backward, forward ? "a backward pass, once it has settled" : "once it has settled");
  if (stages > 1) {
    sim::TimelineWindow pipeline = sim::whole_run();
    pipeline.ranks = 1;
    pipeline.steps = 1;
    pipeline.layers = 1;
    windows.push_back({"the pipeline, first layer of every micro-batch", std::move(pipeline)});
  }
  return windows;
}

HtmlPage run_page(const RunPage& run, const PageOrigin& origin) {
  const Prediction& p = run.prediction;
  HtmlPage page = empty_page(p.scenario_name, "Prediction", origin);
  page.answer = without_name(answer(p, run.scenario), p.scenario_name);
  page.verdicts = {transfers_verdict(p), memory_verdict(p.memory)};
  if (p.serving) page.verdicts.push_back(serving_verdict(*p.serving));
  page.figures = key_figures(p, run.scenario);
  page.result_json = render_json(p, run.scenario);

  add_section(page, {"bottleneck", "Bottleneck", bottleneck_heading(p), {Paragraph{p.bottleneck.sentence}}});
  add_section(page, warnings_of(p.warnings));
  add_section(page, time_section(run));
  add_section(page, timeline_section(run));
  add_section(page, hop_section(p));
  add_section(page, memory_section(p));
  if (run.scaling) add_section(page, scaling_section(*run.scaling));
  if (run.bandwidth) add_section(page, bandwidth_section(*run.bandwidth));
  add_b_min(page, p);
  add_model_sections(page, run);
  if (p.replicas) {
    add_section(page, {"replicas", "Replicas", replica_heading(*p.replicas), {replica_grid(*p.replicas)}});
  }
  add_section(page, assumptions_section(run));
  add_section(page, scenario_section(run.scenario));
  return page;
}

}  // namespace ringsim::reports
