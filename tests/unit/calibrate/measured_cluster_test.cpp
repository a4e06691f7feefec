#include "calibrate/measured_cluster.hpp"

#include <gtest/gtest.h>

namespace ringsim::calibrate {
namespace {

Timing taking(double seconds) { return {seconds, seconds, seconds, 10}; }

Points points_of(Dtype dtype) {
  Points points;
  points.provenance.machine = "M";
  points.provenance.date = "2026-01-02";
  // 2·1000³ FLOP in 10 µs is 200 TFLOP/s, in 5 µs 400: the better one is the peak.
  points.gemm.push_back({1000, 1000, 1000, dtype, taking(10e-6), "gemm"});
  points.gemm.push_back({1000, 1000, 1000, dtype, taking(5e-6), "gemm"});
  points.stream.push_back({4e9, taking(1e-3), "copy"});
  return points;
}

// A GPU's products in bf16 are no peak of fp32, and a host's in fp32 none of bf16: what was not measured stays.
TEST(MeasuredCluster, PeaksAreThoseOfTheMeasuredFormat) {
  Cluster cluster;
  cluster.gpu.bf16 = flop_per_second(1e15);
  const Cluster gpu = measured_cluster(cluster, points_of(Dtype::bf16), {});
  EXPECT_DOUBLE_EQ(in_flop_per_second(gpu.gpu.bf16.value()), 400e12);
  EXPECT_FALSE(gpu.gpu.fp32);
  EXPECT_EQ(gpu.gpu.sources.at("bf16"), "measured: M, 2026-01-02");
  EXPECT_DOUBLE_EQ(in_bytes_per_second(gpu.gpu.memory_bandwidth), 4e12);

  const Cluster host = measured_cluster(cluster, points_of(Dtype::fp32), {});
  EXPECT_EQ(in_flop_per_second(host.gpu.bf16.value()), 1e15);
  EXPECT_DOUBLE_EQ(in_flop_per_second(host.gpu.fp32.value()), 400e12);
}

TEST(MeasuredCluster, ItsLinksAreThoseOfItsClassAlone) {
  Cluster cluster;
  cluster.intra_node.link_class = "nvlink4";
  cluster.intra_node.bandwidth = bytes_per_second(450e9);
  const std::map<std::string, Bandwidth> paced{{"paced-50-gb", bytes_per_second(50e9)}};
  EXPECT_EQ(in_bytes_per_second(measured_cluster(cluster, {}, paced).intra_node.bandwidth), 450e9);
  const std::map<std::string, Bandwidth> measured{{"nvlink4", bytes_per_second(400e9)}};
  EXPECT_EQ(in_bytes_per_second(measured_cluster(cluster, {}, measured).intra_node.bandwidth), 400e9);
}

}  // namespace
}  // namespace ringsim::calibrate
