// Prefill of the whole model: embedding, layers, last norm, the logits of the last token of every sequence.
//
// Without a pipeline all sequences of a data-parallel rank go through together. With one every sequence is a micro-batch, and
// chunks follow each other through the stages (PhaseProgram::continues). Chunk c of C tokens stands behind the cached tokens
// and the c chunks before it; the last one may be shorter. Only the last chunk has logits. Every ring rank computes them
// alike: the one that holds the last token decides when they are there, and the program has one body for all.

#include "models/error.hpp"
#include "sim/schedules/attention_layer.hpp"
#include "sim/schedules/inference.hpp"
#include "sim/schedules/model_program.hpp"

#include <algorithm>

namespace ringsim::sim {
namespace {

Program pass_over(const Scenario& scenario, bool has_logits) {
  const std::int64_t sequences = batch_of_rank(scenario);
  const Pipeline pipeline{scenario.parallel.pipeline, scenario.parallel.pipeline > 1 ? sequences : 1, 1};
  Scenario one = scenario;
  if (pipeline.stages > 1) one.workload.batch = scenario.parallel.data;
  const RingSpec spec = ring_spec(one);
  const BlockShape shape = block_shape(one, static_cast<double>(batch_of_rank(one)));

  Program program = empty_ring_program(spec);
  const LayerOperations layers(program, shape, {attention_layer(program, spec, Pass::forward), {}}, nullptr);
  append_inference(program, scenario, shape, pipeline, layers, has_logits);
  return program;
}

}  // namespace

std::vector<Scenario> passes_of_prefill(const Scenario& scenario) {
  const std::int64_t tokens = scenario.workload.tokens;
  const std::int64_t chunk = scenario.workload.chunk > 0 ? scenario.workload.chunk : tokens;
  std::vector<Scenario> passes;
  for (std::int64_t done = 0; done < tokens; done += chunk) {
    Scenario& pass = passes.emplace_back(scenario);
    pass.workload.tokens = std::min(chunk, tokens - done);
    pass.workload.cached = scenario.workload.cached + done;
    pass.workload.chunk = 0;
  }
  return passes;
}

std::vector<Program> prefill_programs(const Scenario& scenario) {
  const std::vector<Scenario> passes = passes_of_prefill(scenario);
  std::vector<Program> programs;
  for (const Scenario& pass : passes) programs.push_back(pass_over(pass, programs.size() + 1 == passes.size()));
  return programs;
}

}  // namespace ringsim::sim
