// The commands on an emulated GPU: the program beside a worker whose CUDA runtime is the tests' own. Times mean nothing; numbers are checked, and what
// users read and get is what a GPU would give them.

#include "tests/golden/program.hpp"
#include "tests/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace ringsim::golden {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class EmulatedGpu : public testing::Test {
 protected:
  [[nodiscard]] Outcome ring(std::vector<std::string> arguments, const std::string& kernels = "reference") {
    arguments.insert(arguments.begin(),
                     {"measure", (source_folder() / "scenarios/studies/host-two-ranks-train.yaml").string(), "--device",
                      "cuda", "--set", "workload.dtype=bf16", "--set", "cluster=hgx-h200", "--set",
                      "model={name: small, layers: 1, hidden: 64, heads: 4, kv_heads: 2, head_dim: 16}", "--set",
                      "workload.tokens=128", "--repeats", "3", "--warmup", "0", "--kernels", kernels});
    Surroundings s;
    s.program = RINGSIM_EMULATED_BINARY;
    return run(arguments, s);
  }
  TemporaryFolder folder_;
};

TEST_F(EmulatedGpu, PlaysARingChecksItAndWritesAMeasurementThatIsValidated) {
  const std::string file = (folder_.path() / "m.json").string();
  const Outcome outcome = ring({"--link-rate", "10 GB/s", "--check", "--output", file});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("emulated"), HasSubstr("one GPU played the 2 ranks one after the other"),
                                 HasSubstr("copies inside one GPU of 10 GB/s by 8 thread blocks")));
  const auto json = nlohmann::json::parse(content_of(file));
  EXPECT_EQ(json.at("environment").at("device"), "cuda");
  EXPECT_TRUE(json.at("check").at("passed"));
  // Forward and backward: O, LSE, dQ, dK, dV.
  EXPECT_EQ(json.at("check").at("error").size(), 5U);
  // Read and compared; how far a real GPU's profile is off the times of none says nothing.
  const Outcome validated = run({"validate", "--measured", file, "--profile", "h200-sxm", "--tolerance", "1000%"});
  EXPECT_EQ(validated.status, 0) << validated.err;
}

TEST_F(EmulatedGpu, AGraphPlaysTheSame) {
  const Outcome outcome = ring({"--link-rate", "10 GB/s", "--graph", "--format", "csv"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

// The emulation has one GPU, and the ring two ranks.
TEST_F(EmulatedGpu, TooFewGpusAreBadInputWithTheTwoWaysOut) {
  const Outcome outcome = ring({});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("a ring of 2 ranks on 1 GPU"), HasSubstr("--link-rate")));
}

TEST_F(EmulatedGpu, AMissingLibraryEndsWith5) {
  const Outcome cudnn = ring({"--link-rate", "10 GB/s", "--set", "workload.phase=prefill"}, "cudnn");
  EXPECT_EQ(cudnn.status, 5);
  EXPECT_THAT(cudnn.err, HasSubstr("cuDNN is not there"));
  const Outcome cupti = ring({"--link-rate", "10 GB/s", "--activity", (folder_.path() / "a.csv").string()});
  EXPECT_EQ(cupti.status, 5);
  EXPECT_FALSE(fs::exists(folder_.path() / "a.csv"));
}

}  // namespace
}  // namespace ringsim::golden
