#include "kernels/cuda/executor/in_sequence.hpp"

#include "kernels/cuda/executor/inputs.hpp"
#include "kernels/cuda/executor/results.hpp"
#include "kernels/cuda/resources.hpp"
#include "kernels/host/check.hpp"

#include <memory>
#include <vector>

namespace ringsim::cuda {
namespace {

void send(const DeviceRank& from, const DeviceRank& to, const host::Instruction& instruction, cudaStream_t stream) {
  const sim::Shift& shift = *std::get<const sim::Shift*>(instruction.what);
  const std::vector<Message> outgoing = from.outgoing(shift, instruction.layer, instruction.step);
  const std::vector<Message> incoming = to.incoming(shift, instruction.layer, instruction.step);
  for (std::size_t i = 0; i < outgoing.size(); ++i) {
    check(cudaMemcpyAsync(incoming[i].data, outgoing[i].data, outgoing[i].bytes, cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync");
  }
}

}  // namespace

std::map<std::string, double> check_in_sequence(const host::RingPlan& plan, AttentionKernels& kernels,
                                                MergingKernel* merging, const Check& how) {
  host::check_is_possible(plan.program);
  const host::IssueList list = host::issue_list(plan.program);
  const Stream stream;
  std::vector<std::unique_ptr<DeviceRank>> ranks;
  for (std::int64_t r = 0; r < plan.program.ring(); ++r) {
    ranks.push_back(std::make_unique<DeviceRank>(plan, list, r, kernels, merging));
    upload_inputs(plan, how.seed, *ranks.back(), stream.get());
    ranks.back()->poison(stream.get());
  }
  host::run_in_order(
      plan.program, list, how.order,
      {[&](std::size_t rank, const host::Instruction& instruction) { ranks[rank]->enqueue(instruction, stream.get()); },
       [&](std::size_t sender, std::size_t receiver, sim::Way, const host::Instruction& instruction) {
         send(*ranks[sender], *ranks[receiver], instruction, stream.get());
       },
       {}});
  stream.synchronize();
  return host::deviations(plan, how.seed, rounded_to_bf16, [&](std::int64_t layer) {
    host::ResultsOfRanks results;
    for (const auto& rank : ranks) results.push_back(results_of(*rank, layer));
    return results;
  });
}

}  // namespace ringsim::cuda
