// A scenario that is made fast is the one that the reader makes of the same --set, whatever keys vary and in whatever order points
// are asked for: figures of all of it are the same bits, and so are the reasons where it is illegal.

#include "models/error.hpp"
#include "scenarios/reader.hpp"
#include "scenarios/variants.hpp"
#include "sim/figures.hpp"
#include "sim/predict.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ringsim::scenarios {
namespace {

const std::string document =
    "name: sweep\nmodel: llama3-8b\nworkload: {tokens: 16Ki}\ncluster: {use: dgx-h100, nodes: 2}\n"
    "parallel: {ring: 4}\nprice: {gpu_hour: 2}\nnoise: {stragglers: [{rank: 0, slowdown: 1.0}]}\n";

// Keys with values that are legal alone; some of their combinations are not. The last few change more than their own value.
const std::vector<std::string> axes_to_draw = {
    "workload.tokens=4Ki,16Ki,6Ki,10000",
    "workload.batch=1,2,3",
    "workload.causal=true,false",
    "parallel.ring=1,2,3,8",
    "parallel.tensor=1,2,3,16",
    "parallel.ulysses=1,2,8",
    "parallel.data=1,2",
    "parallel.order=tensor-ulysses-ring-pipeline-data,ring-tensor-ulysses-pipeline-data",
    "ring.layout=zigzag,striped,contiguous",
    "ring.buffers=2,3",
    "ring.travels=kv,q,auto",
    "ring.transfer=sm-kernel,copy-engine",
    "cluster.nodes=1..3",
    "cluster.inter_node.bandwidth=100 Gb/s..400 Gb/s*2",
    "cluster.nics_per_node=1,8",
    "cluster.gpu.memory=1 GB,80 GB",
    "serving.memory_reserve=0,10%",
    "price.gpu_hour=1,2.5",
    "noise.stragglers.0.slowdown=1,1.5",
    "profile.launch=1 us,10 us",
    "model=llama3-8b,llama3-70b",
    "model.layers=2,3",
    "workload.phase=prefill,train,backward,decode",
    "workload.dtype=bf16,fp16",
    "cluster.gpus_per_node=4,8",
    "profile=h100-sxm,datasheet",
    "workload.scope=attention,model",
};

// Every figure in one text, with all digits.
std::string text_of(const sim::Figures& f) {
  const auto maybe = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string("-"); };
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", name_of(f.engine), f.ranks,
                     f.idle_gpus, f.tokens_per_rank, f.makespan_s, f.makespan_is_bound, maybe(f.compute_s),
                     maybe(f.exposed_communication_s), maybe(f.bubble_s), maybe(f.overlap), f.ring_efficiency, f.mfu,
                     f.tokens_per_s, f.gpu_hours, maybe(f.cost), maybe(f.ttft_s), maybe(f.tpot_s), maybe(f.step_time_s),
                     f.memory_total_bytes, f.memory_capacity_bytes, maybe(f.memory_fits));
}

// Of the reader's scenario, by the front door of predictions.
std::string text_of(const sim::Prediction& p, sim::EngineChoice engine) {
  sim::Figures f;
  f.engine = engine;
  f.ranks = p.ranks;
  f.idle_gpus = p.idle_gpus;
  f.tokens_per_rank = p.tokens_per_rank;
  f.makespan_s = p.makespan_s;
  f.makespan_is_bound = p.makespan_is_bound;
  f.compute_s = p.compute_s;
  f.exposed_communication_s = p.exposed_communication_s;
  f.bubble_s = p.bubble_s;
  f.overlap = p.overlap;
  f.ring_efficiency = p.ring_efficiency;
  f.mfu = p.mfu;
  f.tokens_per_s = p.tokens_per_s;
  f.gpu_hours = p.gpu_hours;
  f.cost = p.cost;
  f.ttft_s = p.ttft_s;
  f.tpot_s = p.tpot_s;
  f.step_time_s = p.step_time_s;
  f.memory_total_bytes = in_bytes(p.memory.total);
  f.memory_capacity_bytes = in_bytes(p.memory.capacity);
  if (!p.memory.fits() || p.memory.missing.empty()) f.memory_fits = p.memory.fits();
  return text_of(f);
}

// What is wrong; a place is left out, which the fast way does not know.
std::string reason_of(const Error& error) {
  const bool is_key = !error.where().empty() && error.where().find_first_of(": ") == std::string::npos;
  return (is_key ? error.where() + ": " : std::string()) + error.message() + " / " + error.hint();
}

std::vector<std::string> drawn_axes() {
  std::vector<std::string> sets;
  const int count = *rc::gen::inRange(1, 5);
  while (static_cast<int>(sets.size()) < count) {
    const std::string& axis = *rc::gen::elementOf(axes_to_draw);
    // A key above or below another that is drawn already would be an axis of an axis.
    const std::string key = axis.substr(0, axis.find('='));
    const bool meets = std::any_of(sets.begin(), sets.end(), [&](const std::string& other) {
      const std::string its = other.substr(0, other.find('='));
      return key.starts_with(its) || its.starts_with(key);
    });
    if (!meets) sets.push_back(axis);
    if (meets && sets.size() > 1) break;
  }
  return sets;
}

RC_GTEST_PROP(Variants, AreWhatTheReaderMakesOfTheSameSets, ()) {
  const SweepAxes axes(drawn_axes());
  Variants variants(parse_document(document, "sweep.yaml"), {}, axes);
  const auto engine = *rc::gen::element(sim::EngineChoice::closed_form, sim::EngineChoice::recurrence);
  sim::FiguresOf figures({engine, 0, true});
  for (int i = 0; i < 4; ++i) {
    const auto point = *rc::gen::inRange<std::int64_t>(0, axes.points());
    std::string fast;
    std::string slow;
    try {
      const Scenario& scenario = variants.at(point);
      fast = text_of(figures(scenario, variants.changed()));
    } catch (const Error& error) {
      fast = reason_of(error);
    }
    try {
      sim::PredictOptions how;
      how.engine = engine;
      how.interval = false;
      slow = text_of(sim::predict(read_scenario_text(document, "sweep.yaml", {}, axes.sets(point)), how).prediction,
                     engine);
    } catch (const Error& error) {
      slow = reason_of(error);
    }
    RC_ASSERT(fast == slow);
  }
}

}  // namespace
}  // namespace ringsim::scenarios
