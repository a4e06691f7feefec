// `workload`, `parallel` and `ring`.

#include "models/error.hpp"
#include "scenarios/read_parts.hpp"
#include "scenarios/units.hpp"

#include <cstdint>

namespace ringsim::scenarios {
namespace {

// The enumerator whose name is `text`; complete() has let known names alone through.
template <class Enum>
Enum named(const std::string& text, std::initializer_list<Enum> values) {
  for (const Enum value : values) {
    if (name_of(value) == text) return value;
  }
  throw std::logic_error("unknown name " + text);
}

}  // namespace

Workload read_workload(const Value& workload) {
  Workload result;
  result.phase = named(text_at(workload, "phase"), {Phase::prefill, Phase::train});
  result.tokens = count_at(workload, "tokens");
  result.batch = count_at(workload, "batch");
  result.causal = flag_at(workload, "causal");
  result.dtype = named(text_at(workload, "dtype"), {Dtype::bf16, Dtype::fp16, Dtype::fp8, Dtype::fp32, Dtype::fp64});
  result.scope = named(text_at(workload, "scope"), {Scope::attention});
  return result;
}

Parallel read_parallel(const Value& parallel) {
  Parallel result;
  result.tensor = count_at(parallel, "tensor");
  result.ring = count_at(parallel, "ring");
  result.ulysses = count_at(parallel, "ulysses");
  result.pipeline = count_at(parallel, "pipeline");
  result.data = count_at(parallel, "data");
  const Value& order = part(parallel, "order");
  try {
    result.order = parse_order(order.text);
  } catch (const Error& error) {
    throw Error("parallel.order: " + error.message(), order.origin, error.hint());
  }
  if (const Value* placement = parallel.find("placement"); placement != nullptr) {
    for (const Value& gpu : part(*placement, "gpus").items) result.gpus.push_back(parse_count(gpu.text));
  }
  return result;
}

RingOptions read_ring(const Value& ring) {
  RingOptions result;
  result.layout = named(text_at(ring, "layout"), {Layout::contiguous, Layout::striped, Layout::zigzag});
  result.travels = named(text_at(ring, "travels"), {Rotation::kv, Rotation::q});
  result.backward = named(text_at(ring, "backward"), {Rotation::kv, Rotation::q});
  result.buffers = count_at(ring, "buffers");
  result.transfer = named(text_at(ring, "transfer"), {TransferEngine::sm_kernel, TransferEngine::copy_engine});
  result.gradient =
      named(text_at(ring, "gradient_dtype"), {GradientDtype::bf16, GradientDtype::fp32, GradientDtype::fp64});
  return result;
}

}  // namespace ringsim::scenarios
