// The writer of the samples file; the format is described in calibrate/samples.hpp.
#include "calibrate/samples.hpp"
#include "calibrate/samples_names.hpp"

#include <nlohmann/json.hpp>

namespace ringsim::calibrate {
namespace {

using Json = nlohmann::ordered_json;

Json heads_of(const HeadShape& heads) {
  return {{"sequences", heads.batch},
          {"query_heads", heads.query_heads},
          {"kv_heads", heads.kv_heads},
          {"query_key_dim", heads.query_key_dim},
          {"value_dim", heads.value_dim}};
}

Json head_of(const char* kind, const std::string& name) { return {{"kind", kind}, {"name", name}}; }

Json attention_amounts(const char* kind, const AttentionPoint& p) {
  Json json = head_of(kind, p.source);
  json["pass"] = word_of(pass_names, p.pass);
  json["rows_tokens"] = p.shape.rows;
  json["columns_tokens"] = p.shape.columns;
  json["entries"] = p.shape.entries;
  json["edges"] = p.shape.edges;
  json["heads"] = heads_of(p.heads);
  json["dtype"] = word_of(dtype_names, p.dtype);
  return json;
}

Json amounts(const AttentionPoint& p) { return attention_amounts("attention", p); }

Json amounts(const AttentionVariantPoint& p) {
  Json json = attention_amounts("attention-variant", p);
  json["kernel"] = p.kernel;
  json["multiprocessors"] = p.multiprocessors;
  json["merging"] = p.merging;
  json["warm"] = p.warm;
  return json;
}

Json amounts(const MergePoint& p) {
  Json json = head_of("merge", p.source);
  json["accumulator"] = word_of(accumulator_names, p.accumulator);
  json["travelling"] = p.travelling;
  json["tokens"] = p.tokens;
  json["heads"] = heads_of(p.shape.heads);
  json["dtype"] = word_of(dtype_names, p.shape.dtype);
  json["gradient_dtype"] = word_of(gradient_names, p.shape.gradient);
  return json;
}

Json amounts(const TransferPoint& p) {
  Json json = head_of("transfer", p.source);
  json["link_class"] = p.link_class;
  json["bytes"] = p.bytes;
  json["ranks"] = p.ranks;
  return json;
}

Json amounts(const GemmPoint& p) {
  Json json = head_of("gemm", p.source);
  json["m"] = p.m;
  json["n"] = p.n;
  json["k"] = p.k;
  json["dtype"] = word_of(dtype_names, p.dtype);
  return json;
}

Json amounts(const StreamPoint& p) {
  Json json = head_of("stream", p.source);
  json["bytes"] = p.bytes;
  return json;
}

Json amounts(const InterferencePoint& p) {
  Json json = head_of("interference", p.source);
  json["transfer"] = word_of(engine_names, p.engine);
  json["link_class"] = p.link_class;
  json["bytes"] = p.bytes;
  if (p.pass) json["pass"] = word_of(pass_names, *p.pass);
  if (p.blocks > 0) json["blocks"] = p.blocks;
  if (p.kernel_first) json["kernel_first"] = true;
  return json;
}

Json amounts(const CopyPoint& p) {
  Json json = head_of("copy", p.source);
  json["transfer"] = word_of(engine_names, p.engine);
  json["blocks"] = p.blocks;
  json["cluster"] = p.cluster;
  json["rate_bytes_per_s"] = p.rate_bytes_per_s;
  json["bytes"] = p.bytes;
  return json;
}

Json amounts(const LaunchPoint& p) { return head_of("launch", p.source); }

Json amounts(const OverheadPoint& p) {
  Json json = head_of("overhead", p.source);
  json["what"] = word_of(overhead_names, p.what);
  return json;
}

void put_times(Json& json, const Timing& time, const SampleSet& set) {
  json["samples_s"] = set.samples_s;
  json["samples"] = time.samples;
  json["discarded"] = set.discarded.empty() ? Json::object() : Json(set.discarded);
  json["median_s"] = time.median_s;
  json["low_s"] = time.low_s;
  json["high_s"] = time.high_s;
}

}  // namespace

std::string write_samples(const Samples& samples) {
  Json json;
  json["kind"] = "ringsim-samples";
  json["schema_version"] = 1;
  const Provenance& from = samples.provenance;
  json["provenance"] = {{"device", from.device},     {"machine", from.machine}, {"ranks", from.ranks},
                        {"software", from.software}, {"date", from.date},       {"commit", from.commit}};
  if (from.multiprocessors > 0) json["provenance"]["multiprocessors"] = from.multiprocessors;
  json["notes"] = samples.notes;
  json["benchmarks"] = Json::array();
  for (const Benchmark& benchmark : samples.benchmarks) {
    Json one = std::visit([](const auto& point) { return amounts(point); }, benchmark.point);
    const std::vector<const Timing*> times = timings(benchmark.point);
    if (times.size() == 1) {
      put_times(one, *times[0], benchmark.sets.at(0));
    } else {
      std::size_t i = 0;
      for (const char* key : {"kernel_alone", "kernel_beside", "transfer_alone", "transfer_beside"}) {
        put_times(one[key], *times[i], benchmark.sets.at(i));
        ++i;
      }
    }
    json["benchmarks"].push_back(std::move(one));
  }
  return json.dump(2) + "\n";
}

}  // namespace ringsim::calibrate
