#include "kernels/cuda/executor/inputs.hpp"

#include "kernels/cuda/probes.hpp"
#include "kernels/host/buffer.hpp"
#include "kernels/host/inputs.hpp"

#include <vector>

namespace ringsim::cuda {
namespace {

void upload(host::HeadsView<float> from, View<Bf16> to, cudaStream_t stream) {
  std::vector<Bf16> rounded(static_cast<std::size_t>(from.elements()));
  for (std::size_t i = 0; i < rounded.size(); ++i) rounded[i] = to_bf16(from.data[i]);
  check(cudaMemcpyAsync(to.data, rounded.data(), rounded.size() * sizeof(Bf16), cudaMemcpyHostToDevice, stream),
        "cudaMemcpyAsync");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");  // before the memory of `rounded` goes
}

}  // namespace

void upload_inputs(const host::RingPlan& plan, std::uint64_t seed, const DeviceRank& rank, cudaStream_t stream) {
  const HeadShape& heads = plan.program.shape.heads;
  const std::int64_t tokens = rank.tokens();
  const host::Positions& positions = plan.positions[static_cast<std::size_t>(rank.number())];
  host::Buffer<float> queries(host::query_block(heads), tokens);
  host::Buffer<float> keys(host::key_block(heads), tokens);
  for (std::int64_t layer = 0; layer < plan.program.layers(); ++layer) {
    host::fill_inputs(seed, layer, positions, queries.view(tokens));
    host::fill_inputs(seed, layer, positions, keys.view(tokens));
    const KeyViews<Bf16> own = rank.own_keys(layer);
    upload(queries.view(tokens).q, rank.own_q(layer), stream);
    upload(keys.view(tokens).k, own.k, stream);
    upload(keys.view(tokens).v, own.v, stream);
    if (rank.trains()) upload(queries.view(tokens).d_out, rank.own_d_out(layer), stream);
  }
}

void random_inputs(const host::RingPlan& plan, std::uint64_t seed, const DeviceRank& rank, cudaStream_t stream) {
  std::uint64_t next = seed + static_cast<std::uint64_t>(rank.number()) * 1000003U;
  const auto fill = [&](View<Bf16> to) {
    static_assert(sizeof(Bf16) == sizeof(std::uint16_t));
    fill_normal(&to.data->bits, static_cast<std::size_t>(to.elements()), next++, stream);
  };
  for (std::int64_t layer = 0; layer < plan.program.layers(); ++layer) {
    const KeyViews<Bf16> own = rank.own_keys(layer);
    fill(rank.own_q(layer));
    fill(own.k);
    fill(own.v);
    if (rank.trains()) fill(rank.own_d_out(layer));
  }
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

}  // namespace ringsim::cuda
