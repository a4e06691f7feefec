#pragma once
// Raw samples of microbenchmarks and the file that keeps them: JSON, SI units, the unit in the key.
//
//   {"kind": "ringsim-samples", "schema_version": 1,
//    "provenance": {"device", "machine", "ranks", "software", "date", "commit"},     of a GPU also "multiprocessors"
//    "notes": ["..."],
//    "benchmarks": [{"kind": "attention", "name": "...", amounts, "samples_s": [...], "discarded": {"preempted": 2},
//                    "median_s": ..., "low_s": ..., "high_s": ...}, ...]}
//
// Amounts by kind; all keys but those in brackets are required and no other is allowed:
//   attention          pass, rows_tokens, columns_tokens, entries, edges, heads, dtype
//   attention-variant  as attention, and kernel, multiprocessors (0: all), merging, warm
//   merge              accumulator (output, q-gradient, kv-gradient), travelling, tokens, heads, dtype, gradient_dtype
//   transfer           link_class, bytes, ranks
//   copy               transfer (sm-kernel, copy-engine), blocks, cluster, rate_bytes_per_s (0: not held back), bytes
//   gemm               m, n, k, dtype
//   stream             bytes
//   interference       transfer (sm-kernel, copy-engine), link_class, bytes [pass, blocks, kernel_first]
//   launch             none
//   overhead           what (event, eager, graph, issue)
// where heads is {"sequences", "query_heads", "kv_heads", "query_key_dim", "value_dim"}. Of an interference the samples
// stand four times, in objects kernel_alone, kernel_beside, transfer_alone and transfer_beside.

#include "calibrate/points.hpp"
#include "calibrate/sampling.hpp"

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ringsim::calibrate {

/// What stands behind one Timing. `samples_s` may be empty where only the median is known.
struct SampleSet {
  std::vector<double> samples_s;  // that count, of one operation each, in the order taken
  std::map<std::string, std::int64_t> discarded;
};
[[nodiscard]] SampleSet samples_of(const Sampling& sampling);

using AnyPoint = std::variant<AttentionPoint, MergePoint, TransferPoint, GemmPoint, StreamPoint, InterferencePoint,
                              LaunchPoint, AttentionVariantPoint, CopyPoint, OverheadPoint>;

/// The times of a point: one, or of an interference kernel alone and beside, transfer alone and beside.
[[nodiscard]] std::vector<const Timing*> timings(const AnyPoint& point);

/// `sets`: one for each of the point's times. A point's `source` is the benchmark's name.
struct Benchmark {
  AnyPoint point;
  std::vector<SampleSet> sets;
  [[nodiscard]] const std::string& name() const;
};

struct Samples {
  Provenance provenance;  // `discarded` follows from the benchmarks
  std::vector<Benchmark> benchmarks;
  std::vector<std::string> notes;
};

/// Without the raw samples; the discarded ones added up.
[[nodiscard]] Points points_of(const Samples& samples);

/// JSON, two spaces of indentation, a line feed at the end.
[[nodiscard]] std::string write_samples(const Samples& samples);
/// Strict. Throws Error with `where` = "FILE: benchmarks[3].samples_s[0]": an unknown or missing key, a value of the wrong
/// type or sign, a median or an interval that the samples do not have.
[[nodiscard]] Samples read_samples(std::string_view text, const std::string& file);

}  // namespace ringsim::calibrate
