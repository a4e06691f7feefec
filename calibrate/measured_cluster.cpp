#include "calibrate/measured_cluster.hpp"

#include <algorithm>
#include <optional>

namespace ringsim::calibrate {
namespace {

/// Peak of a number format, and its key in a GPU's file. bf16 and fp16 have one.
struct Peak {
  std::optional<FlopRate>& rate;
  const char* key;
};
Peak peak_of(Gpu& gpu, Dtype dtype) {
  switch (dtype) {
    case Dtype::fp32:
      return {gpu.fp32, "fp32"};
    case Dtype::fp64:
      return {gpu.fp64, "fp64"};
    case Dtype::fp8:
      return {gpu.fp8, "fp8"};
    default:
      return {gpu.bf16, "bf16"};
  }
}

}  // namespace

Cluster measured_cluster(Cluster cluster, const Points& points, const std::map<std::string, Bandwidth>& nominal) {
  const std::string source = "measured: " + points.provenance.machine + ", " + points.provenance.date;
  std::map<Dtype, double> best_flop_per_s;
  for (const GemmPoint& p : points.gemm) {
    double& best = best_flop_per_s[p.dtype];
    best = std::max(
        best, 2.0 * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) / p.time.median_s);
  }
  for (const auto& [dtype, flop_per_s] : best_flop_per_s) {
    const Peak peak = peak_of(cluster.gpu, dtype);
    peak.rate = flop_per_second(flop_per_s);
    cluster.gpu.sources[peak.key] = source;
  }
  double bytes_per_s = 0;
  for (const StreamPoint& p : points.stream) bytes_per_s = std::max(bytes_per_s, p.bytes / p.time.median_s);
  if (bytes_per_s > 0) {
    cluster.gpu.memory_bandwidth = bytes_per_second(bytes_per_s);
    cluster.gpu.sources["memory_bandwidth"] = source;
  }
  if (const auto link = nominal.find(cluster.intra_node.link_class); link != nominal.end()) {
    cluster.intra_node.bandwidth = link->second;
  }
  return cluster;
}

}  // namespace ringsim::calibrate
