#include "kernels/cuda/executor/clock.hpp"
#include "kernels/cuda/executor/inputs.hpp"
#include "kernels/cuda/executor/measure.hpp"

#include <algorithm>
#include <cmath>

namespace ringsim::cuda {
MeasureResult play_ranks(const sim::Program& program, AttentionKernels& kernels, MergingKernel* merging,
                         const PacedCopyOptions& link, const MeasureOptions& options) {
  const host::RingPlan plan(program, 1 / std::sqrt(static_cast<double>(program.shape.heads.query_key_dim)));
  const host::IssueList list = host::issue_list(program);
  MeasureResult result;
  result.operations = static_cast<std::int64_t>(list.instructions.size());
  const double a_rank_s = options.max_seconds / static_cast<double>(program.ring());
  std::int64_t repeats = std::max(options.repeats, least_repeats);
  for (std::int64_t r = 0; r < program.ring(); ++r) {
    DeviceRank rank(plan, list, r, kernels, merging);
    const Stream stream;
    random_inputs(plan, options.seed, rank, stream.get());
    rank.poison(stream.get());
    stream.synchronize();
    PacedPort port(link);
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    Player player(list, {{&rank, device}}, port, options.player);
    for (std::int64_t i = 0; i < options.warmup; ++i) player.run();
    const double began_s = now_s();
    for (std::int64_t i = 0; i < repeats; ++i) {
      const std::size_t repeat = static_cast<std::size_t>(i);
      if (r == 0) {
        result.recordings.emplace_back();
        result.untimed_s.push_back(0);
      }
      // One after the other, so that a drift of the clock meets both.
      player.run();
      result.untimed_s[repeat] = std::max(result.untimed_s[repeat], player.ends_s().front());
      result.enqueue_s = std::max(result.enqueue_s, player.enqueue_s());
      result.recordings[repeat].push_back(std::move(player.run_timed().front()));
      // The first rank decides for all: every repeat has all ranks.
      if (r == 0 && i + 1 >= least_repeats && now_s() - began_s > a_rank_s) repeats = i + 1;
    }
    if (r == 0 && options.one_more) options.one_more([&] { player.run(); });
    result.memory_bytes = std::max(result.memory_bytes, static_cast<std::int64_t>(rank.bytes()));
  }
  return result;
}

}  // namespace ringsim::cuda
