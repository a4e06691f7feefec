// Attention kernels on the CPU: FLOP/s of useful work, forward and backward, and what merging costs.
#include "kernels/host/attention.hpp"
#include "kernels/host/buffer.hpp"
#include "kernels/host/inputs.hpp"
#include "kernels/host/merge.hpp"
#include "models/cost.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <numeric>

namespace ringsim::host {
namespace {

constexpr std::int64_t tokens = 512;
constexpr HeadShape heads{1, 8, 8, 64, 64};

// A block against itself, and all that its kernels write.
template <class T>
struct Blocks {
  Positions positions = Positions(static_cast<std::size_t>(tokens));
  Buffer<T> queries{query_block(heads), tokens};
  Buffer<T> keys{key_block(heads), tokens};
  Buffer<T> output{output_block(heads), tokens};
  Buffer<T> query_gradient{query_gradient_block(heads), tokens};
  Buffer<T> key_gradient{key_block(heads), tokens};
  Workspace<T> workspace;
  AttentionSpec spec{{}, 1 / std::sqrt(64.0), {}};

  explicit Blocks(bool causal) {
    spec.mask.causal = causal;
    std::iota(positions.begin(), positions.end(), 0);
    fill_inputs(1, 0, positions, queries.view(tokens));
    fill_inputs(1, 0, positions, keys.view(tokens));
    forward(output);
    const BlockView<T> block = queries.view(tokens);
    std::copy_n(output.view(tokens).lse.data, block.lse.elements(), block.lse.data);
    delta_of<T>(block.d_out, output.view(tokens).o, block.delta);
  }
  void forward(Buffer<T>& result) {
    attend<T>(spec, {queries.view(tokens), positions}, {keys.view(tokens), positions}, workspace, result.view(tokens));
  }
  void backward() {
    BlockView<T> gradient = key_gradient.view(tokens);
    gradient.q = query_gradient.view(tokens).q;
    attend_backward<T>(spec, {queries.view(tokens), positions}, {keys.view(tokens), positions}, workspace, gradient);
  }
};

template <class T>
void attention(benchmark::State& state, Pass pass) {
  const bool causal = state.range(0) != 0;
  Blocks<T> blocks(causal);
  for (auto _ : state) {
    if (pass == Pass::forward) {
      blocks.forward(blocks.output);
    } else {
      blocks.backward();
    }
    benchmark::ClobberMemory();
  }
  const double n = tokens;
  const double flop = in_flop(attention_flop(heads, pass, causal ? n * (n + 1) / 2 : n * n));
  state.counters["FLOP/s"] = {flop, benchmark::Counter::kIsIterationInvariantRate};
}

void forward_float(benchmark::State& state) { attention<float>(state, Pass::forward); }
void forward_double(benchmark::State& state) { attention<double>(state, Pass::forward); }
void backward_float(benchmark::State& state) { attention<float>(state, Pass::backward); }
void backward_double(benchmark::State& state) { attention<double>(state, Pass::backward); }
BENCHMARK(forward_float)->ArgName("causal")->Arg(0)->Arg(1);
BENCHMARK(forward_double)->ArgName("causal")->Arg(0)->Arg(1);
BENCHMARK(backward_float)->ArgName("causal")->Arg(0)->Arg(1);
BENCHMARK(backward_double)->ArgName("causal")->Arg(0)->Arg(1);

void merge_float(benchmark::State& state) {
  Blocks<float> blocks(false);
  Buffer<float> other(output_block(heads), tokens);
  blocks.forward(other);
  for (auto _ : state) {
    merge<float>(blocks.output.view(tokens), other.view(tokens));
    benchmark::ClobberMemory();
  }
  // Two outputs are read and one is written.
  state.SetBytesProcessed(state.iterations() * 3 * std::ssize(other.elements(tokens)) *
                          static_cast<std::int64_t>(sizeof(float)));
}
BENCHMARK(merge_float);

}  // namespace
}  // namespace ringsim::host
