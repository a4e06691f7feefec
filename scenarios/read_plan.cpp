// `parallel` and `ring`.

#include "models/error.hpp"
#include "scenarios/read_parts.hpp"
#include "scenarios/units.hpp"

namespace ringsim::scenarios {

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
  result.expert = count_at(parallel, "expert");
  result.load_imbalance = parse_number(text_at(parallel, "expert_imbalance"));
  result.decode_context = count_at(parallel, "decode_context");
  result.sequence_parallel = flag_at(parallel, "sequence_parallel");
  result.replicate_kv = flag_at(parallel, "replicate_kv");
  return result;
}

RingOptions read_ring(const Value& ring) {
  RingOptions result;
  result.layout = named(text_at(ring, "layout"), {Layout::contiguous, Layout::striped, Layout::zigzag});
  const std::string& travels = text_at(ring, "travels");
  result.choose_travels = travels == "auto";
  if (!result.choose_travels) result.travels = named(travels, {Rotation::kv, Rotation::q});
  result.backward = named(text_at(ring, "backward"), {Rotation::kv, Rotation::q});
  result.buffers = count_at(ring, "buffers");
  result.transfer = named(text_at(ring, "transfer"), {TransferEngine::sm_kernel, TransferEngine::copy_engine});
  result.gradient =
      named(text_at(ring, "gradient_dtype"), {GradientDtype::bf16, GradientDtype::fp32, GradientDtype::fp64});
  result.exchange = named(text_at(ring, "exchange"),
                          {Exchange::one_way, Exchange::both_ways, Exchange::two_level, Exchange::all_gather});
  if (const Value* halves = ring.find("halves"); halves != nullptr) {
    result.halves = named(halves->text, {Halves::heads, Halves::tokens});
  }
  result.inner = optional_count_at(ring, "inner").value_or(0);
  return result;
}

}  // namespace ringsim::scenarios
