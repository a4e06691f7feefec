// Decode: one token of every sequence through the whole model, at lengths of the cache from the first to the last output token.
//
// The rank's new tokens are its block: one row a sequence on every ring rank (models/block/block_shape.hpp), so program.shards
// has one token a rank. The stages of a pipeline work one after the other on all sequences: where weights are what is read,
// groups of sequences that fill the stages would read them once each and give no more tokens a second.
//
// Since all ring ranks have all new tokens (serving.decode: split-kv), experts that ring ranks divide are sent every token by
// each of them: an upper bound of the exchange and of the experts' products.
//
// The i-th of n output tokens attends over tokens + i - 1 cached ones. The time of a token, as a function of i, is sampled at the
// first, a middle and the last token, with weights that make the sum exact where it is a parabola: so it is for costs that grow
// linearly with the cache, and it is an approximation where a window fills or a step turns from one limit to another.

#include "sim/schedules/decode_attention.hpp"
#include "sim/schedules/inference.hpp"
#include "sim/schedules/model_program.hpp"

namespace ringsim::sim {
namespace {

/// Ring geometry of one new token a rank, whose attention is that of decode_attention.hpp.
RingSpec spec_of_tokens(const Scenario& scenario) {
  Scenario one = scenario;
  one.ring.layout = Layout::contiguous;
  one.ring.exchange = Exchange::one_way;
  one.ring.travels = Rotation::kv;
  one.ring.choose_travels = false;
  one.workload.tokens = scenario.parallel.ring;
  one.workload.cached = 0;
  RingSpec spec = ring_spec(one);
  spec.shape.heads.batch = decode_sequences(scenario);
  return spec;
}

Program token_at(const Scenario& scenario, std::int64_t cached) {
  Scenario s = scenario;
  s.workload.tokens = cached;
  const bool whole = s.workload.scope == Scope::model;
  const RingSpec spec = spec_of_tokens(s);
  const BlockShape shape = block_shape(s, static_cast<double>(decode_sequences(s)));
  Program program = empty_ring_program(spec);
  const std::vector<Operation> attention = decode_attention_layer(program, s);
  if (!whole) {
    program.body.push_back({Repeat{Loop::layer, 0, program.layers(), false, attention}});
    return program;
  }
  const Pipeline pipeline{s.parallel.pipeline, 1, 1};
  const LayerOperations layers(program, shape, {attention, {}}, nullptr);
  append_inference(program, s, shape, pipeline, layers, true);
  return program;
}

}  // namespace

std::vector<std::pair<Program, double>> decode_programs(const Scenario& scenario) {
  const std::int64_t n = scenario.workload.output_tokens;
  const std::int64_t cached = scenario.workload.tokens;
  std::vector<std::pair<Program, double>> programs;
  if (n <= 2) {
    for (std::int64_t i = 0; i < n; ++i) programs.emplace_back(token_at(scenario, cached + i), 1.0);
    return programs;
  }
  // Weights of f(0), f(x), f(z) whose sum is that of f(0) + ... + f(z) for f = 1, i and i².
  const std::int64_t middle = (n - 1) / 2;
  const auto z = static_cast<double>(n - 1);
  const auto x = static_cast<double>(middle);
  const double sum = z * (z + 1) / 2;
  const double squares = z * (z + 1) * (2 * z + 1) / 6;
  const double at_middle = (squares - sum * z) / (x * (x - z));
  const double at_last = (sum - at_middle * x) / z;
  programs.emplace_back(token_at(scenario, cached), z + 1 - at_middle - at_last);
  programs.emplace_back(token_at(scenario, cached + middle), at_middle);
  programs.emplace_back(token_at(scenario, cached + n - 1), at_last);
  return programs;
}

}  // namespace ringsim::sim
