#include "cli/gpu_cluster.hpp"

#include <gtest/gtest.h>

namespace ringsim::cli {
namespace {

// CUDA calls GPUs by maker and model, as the library's descriptions begin; what follows (form, memory) does not matter.
TEST(GpuCluster, IsTheLibrarysFirstWithThatGpu) {
  EXPECT_EQ(cluster_of_gpu("NVIDIA H200, 132 SMs, 150 GB"), "hgx-h200");
  EXPECT_EQ(cluster_of_gpu("NVIDIA H100 80GB HBM3, 132 SMs"), "dgx-h100");
}

TEST(GpuCluster, OfAGpuThatNoClusterHasThereIsNone) {
  EXPECT_EQ(cluster_of_gpu("NVIDIA GeForce RTX 4090, 128 SMs"), "");
  EXPECT_EQ(cluster_of_gpu("emulated GPU"), "");
  EXPECT_EQ(cluster_of_gpu(""), "");
}

}  // namespace
}  // namespace ringsim::cli
