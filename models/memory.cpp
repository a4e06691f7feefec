#include "models/memory.hpp"

#include "models/memory/rank.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim {
namespace {

// Beside the attention part, of the layer at work.
Bytes rest_of_network(const memory::Rank& r) {
  const Transformer& m = r.scenario.model;
  if (r.training || r.whole_model || !m.feed_forward) return {};
  const FeedForward& f = *m.feed_forward;
  const double active = f.experts > 0
                            ? static_cast<double>((f.experts_per_token + f.shared_experts) * f.expert_intermediate)
                            : static_cast<double>(f.intermediate);
  return bytes(r.rows * r.element *
               (2.0 * static_cast<double>(m.hidden) +
                (f.gated ? 2.0 : 1.0) * active / static_cast<double>(r.scenario.parallel.tensor)));
}

// What is not allocated for the model itself.
void add_overheads(const Serving& serving, Memory& memory, memory::Terms& terms) {
  Bytes allocated;
  for (const MemoryTerm& term : memory.terms) allocated += term.size;
  terms.add("fragmentation", fmt::format("{:.3g} % of what is allocated", 100 * serving.fragmentation), "nothing",
            allocated * (serving.fragmentation / (1.0 - serving.fragmentation)));
  terms.add("communication_buffers", "of the communication library", "nothing", serving.communication_buffers);
  terms.add("engine_reserve", fmt::format("{:.3g} % of the capacity", 100 * serving.memory_reserve), "nothing",
            memory.capacity * serving.memory_reserve);
}

}  // namespace

Bytes Memory::of(const std::string& name) const {
  const auto found = std::find_if(terms.begin(), terms.end(), [&](const MemoryTerm& t) { return t.name == name; });
  return found == terms.end() ? Bytes{} : found->size;
}

Memory memory_of_stage(const Scenario& s, std::int64_t stage) {
  const memory::Rank rank = memory::rank_of(s, stage);
  Memory memory;
  memory.stage = stage;
  memory.capacity = s.cluster.gpu.memory;
  memory.rest_of_network = rest_of_network(rank);
  memory::Terms terms(memory);
  memory::add_weights(rank, terms);
  memory::add_cache(rank, terms);
  memory::add_activations(rank, terms);
  memory::add_exchange(rank, terms);
  memory::add_gradients(rank, terms);
  add_overheads(s.serving, memory, terms);
  for (const MemoryTerm& term : memory.terms) memory.total += term.size;
  return memory;
}

Memory memory_of_rank(const Scenario& s) {
  Memory fullest = memory_of_stage(s, 0);
  for (std::int64_t stage = 1; stage < s.parallel.pipeline; ++stage) {
    Memory memory = memory_of_stage(s, stage);
    if (memory.total > fullest.total) fullest = std::move(memory);
  }
  return fullest;
}

std::vector<std::string> host_memory_warnings(const Scenario& s) {
  std::vector<std::string> warnings;
  const auto tokens = static_cast<double>(s.workload.tokens);
  const double mask = tokens * tokens;  // a byte an entry
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  const bool trains = s.workload.phase == Phase::train && s.workload.scope == Scope::model;
  if (trains && s.workload.causal && mask >= gibibyte) {
    warnings.push_back(
        fmt::format("a data loader that builds an attention mask holds {} x {} = {:.4g} GiB of host memory a sample, "
                    "before any rank "
                    "takes its part: let it build none (Megatron-LM: --no-create-attention-mask-in-dataloader)",
                    s.workload.tokens, s.workload.tokens, mask / gibibyte));
  }
  return warnings;
}

}  // namespace ringsim
