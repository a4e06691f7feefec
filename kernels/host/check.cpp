#include "kernels/host/check.hpp"

#include "kernels/host/deviation.hpp"
#include "kernels/host/inputs.hpp"
#include "kernels/host/reference.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <numeric>

namespace ringsim::host {
namespace {

// All of the inputs of a layer.
Block<double> whole_sequence(const RingPlan& plan, std::uint64_t seed, const std::function<double(double)>& rounded,
                             std::int64_t layer) {
  const HeadShape& heads = plan.program.shape.heads;
  const std::int64_t tokens = plan.program.shards.tokens();
  Positions positions(static_cast<std::size_t>(tokens));
  std::iota(positions.begin(), positions.end(), 0);
  Buffer<double> queries(query_block(heads), tokens);
  Buffer<double> keys(key_block(heads), tokens);
  fill_inputs(seed, layer, positions, queries.view(tokens));
  fill_inputs(seed, layer, positions, keys.view(tokens));
  Block<double> sequence;
  const auto copy = [&](HeadsView<double> from, Heads<double>& to) {
    for (Eigen::Index head = 0; head < from.heads; ++head) to.emplace_back(from[head].unaryExpr(rounded));
  };
  copy(queries.view(tokens).q, sequence.q);
  copy(queries.view(tokens).d_out, sequence.d_out);
  copy(keys.view(tokens).k, sequence.k);
  copy(keys.view(tokens).v, sequence.v);
  return sequence;
}

struct Results {
  Heads<double> o, lse, q, k, v;
};

// Tensors of all ranks, [tensor][head][token][dimension] a rank, put together by token.
Results put_together(const RingPlan& plan, const ResultsOfRanks& of_ranks, bool gradients) {
  const HeadShape& heads = plan.program.shape.heads;
  const Eigen::Index query_heads = heads.batch * heads.query_heads;
  const Eigen::Index kv_heads = heads.batch * heads.kv_heads;
  Results results;
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
    const Positions& positions = plan.positions[rank];
    const double* data = of_ranks[rank].data();
    const auto put = [&](Heads<double>& to, Eigen::Index count, Eigen::Index dim) {
      const HeadsView<const double> from{data, count, std::ssize(positions), dim};
      scatter_rows<double>(from, positions, plan.program.shards.tokens(), to);
      data += from.elements();
    };
    put(results.o, query_heads, heads.value_dim);
    put(results.lse, query_heads, 1);
    if (!gradients) continue;
    put(results.q, query_heads, heads.query_key_dim);
    put(results.k, kv_heads, heads.query_key_dim);
    put(results.v, kv_heads, heads.value_dim);
  }
  return results;
}

}  // namespace

void check_is_possible(const sim::Program& program) {
  if (program.shards.tokens() <= most_checked_tokens) return;
  throw Error(fmt::format("{} tokens are too many to compare with plain attention", program.shards.tokens()),
              "workload.tokens", fmt::format("at most {}, or no check", most_checked_tokens));
}

std::map<std::string, double> deviations(const RingPlan& plan, std::uint64_t seed,
                                         const std::function<double(double)>& rounded,
                                         const std::function<ResultsOfRanks(std::int64_t)>& results) {
  const bool gradients = plan.roles(Pass::backward).runs;
  std::map<std::string, Deviation> all;
  for (std::int64_t layer = 0; layer < plan.program.layers(); ++layer) {
    const ResultsOfRanks of_ranks = results(layer);
    if (of_ranks.empty()) continue;
    const Results found = put_together(plan, of_ranks, gradients);
    const Block<double> sequence = whole_sequence(plan, seed, rounded, layer);
    const Mask mask = plan.spec(layer).mask;
    const Partial<double> expected = reference_attention(sequence, mask, plan.scale);
    all["O"].add(found.o, expected.o);
    all["LSE"].add(found.lse, expected.lse);
    if (!gradients) continue;
    const Block<double> derivatives = reference_gradients(sequence, mask, plan.scale);
    all["dQ"].add(found.q, derivatives.q);
    all["dK"].add(found.k, derivatives.k);
    all["dV"].add(found.v, derivatives.v);
  }
  std::map<std::string, double> values;
  for (const auto& [tensor, deviation] : all) values[tensor] = deviation.value();
  return values;
}

}  // namespace ringsim::host
