// `workload`, `training` and `serving`. What the language leaves out is 0 in the models: all, or what follows from the rest.

#include "scenarios/read_parts.hpp"
#include "scenarios/units.hpp"

namespace ringsim::scenarios {
namespace {

Documents read_documents(const Value& documents) {
  Documents result;
  const auto add = [&result](std::int64_t tokens, std::int64_t count) {
    if (!result.lengths.empty() && result.lengths.back().tokens == tokens) {
      result.lengths.back().count += count;
    } else {
      result.lengths.push_back({tokens, count});
    }
  };
  if (const Value* lengths = documents.find("lengths"); lengths != nullptr) {
    for (const Value& length : lengths->items) add(parse_count(length.text), 1);
  }
  if (const Value* counts = documents.find("counts"); counts != nullptr) {
    for (const Value::Entry& row : counts->entries) add(parse_count(row.key), parse_count(row.value.text));
  }
  result.alignment = optional_count_at(documents, "alignment").value_or(0);
  return result;
}

}  // namespace

Workload read_workload(const Value& workload) {
  Workload result;
  result.phase = named(text_at(workload, "phase"), {Phase::prefill, Phase::train, Phase::backward, Phase::decode});
  result.tokens = count_at(workload, "tokens");
  result.batch = count_at(workload, "batch");
  result.causal = flag_at(workload, "causal");
  result.dtype = named(text_at(workload, "dtype"), {Dtype::bf16, Dtype::fp16, Dtype::fp8, Dtype::fp32, Dtype::fp64});
  result.scope = named(text_at(workload, "scope"), {Scope::attention, Scope::model});
  result.cached = optional_count_at(workload, "cached").value_or(0);
  result.chunk = optional_count_at(workload, "chunk").value_or(0);
  result.output_tokens = optional_count_at(workload, "output_tokens").value_or(1);
  if (const Value* documents = workload.find("documents"); documents != nullptr) {
    result.documents = read_documents(*documents);
  }
  return result;
}

Training read_training(const Value& training) {
  Training result;
  result.recompute = named(text_at(training, "recompute"), {Recompute::none, Recompute::selective, Recompute::full});
  result.micro_batch = count_at(training, "micro_batch");
  result.interleave = count_at(training, "interleave");
  result.zero = count_at(training, "zero");
  if (const Value* bucket = training.find("bucket"); bucket != nullptr) result.bucket = parse_bytes(bucket->text);
  result.overlap = flag_at(training, "overlap");
  result.gradient_bytes = parse_number(text_at(training, "gradient_bytes"));
  result.optimizer_bytes = parse_number(text_at(training, "optimizer_bytes"));
  result.logits_chunk = optional_count_at(training, "logits_chunk").value_or(0);
  return result;
}

Serving read_serving(const Value& serving) {
  Serving result;
  if (const Value* layout = serving.find("kv_layout"); layout != nullptr) result.kv_layout = layout->text;
  result.page_tokens = count_at(serving, "page_tokens");
  result.decode = named(text_at(serving, "decode"), {DecodeAttention::split_kv, DecodeAttention::ring});
  result.memory_reserve = parse_ratio(text_at(serving, "memory_reserve"));
  result.fragmentation = parse_ratio(text_at(serving, "fragmentation"));
  if (const Value* buffers = serving.find("communication_buffers"); buffers != nullptr) {
    result.communication_buffers = parse_bytes(buffers->text);
  }
  return result;
}

}  // namespace ringsim::scenarios
