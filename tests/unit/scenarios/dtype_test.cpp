// Number formats of the language: fp32 and fp64 beside the formats of tensor cores, and the rates that GPUs give for them.

#include "scenarios/schema.hpp"
#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace ringsim::scenarios {
namespace {

using testing::error_of;
using testing::read_text;
using testing::resolved;
using testing::small_scenario;

// On the shipped host, which has fp32 and fp64 rates and no others.
std::string on_host(const std::string& dtype, const std::string& more = {}) {
  return "name: n\nmodel: llama3-8b\nworkload: {tokens: 16Ki, dtype: " + dtype +
         "}\ncluster: host\nprofile: datasheet\n" + more;
}

TEST(NumberFormats, TheDataSheetGivesTheRateOfTheFormat) {
  // cpu-core: 2 FMA units x 8 lanes x 2 FLOP x 3 GHz = 96 GFLOP/s in fp32, half the lanes in fp64.
  const Scenario single = read_text(on_host("fp32"));
  EXPECT_EQ(single.workload.dtype, Dtype::fp32);
  EXPECT_EQ(in_flop_per_second(single.profile.forward.saturated.value), 96e9);
  const Scenario half = read_text(on_host("fp64"));
  EXPECT_EQ(half.workload.dtype, Dtype::fp64);
  EXPECT_EQ(in_flop_per_second(half.profile.forward.saturated.value), 48e9);
}

TEST(NumberFormats, AFormatWithoutRateIsRefusedAtTheFormat) {
  // The key dtype begins in column 26 of line 3; the hint names what the GPU has.
  for (const char* profile : {"profile: datasheet\n", ""}) {
    const auto error = error_of([profile] {
      static_cast<void>(read_text(
          std::string("name: n\nmodel: llama3-8b\nworkload: {tokens: 16Ki, dtype: fp32}\ncluster: dgx-h100\n") +
          profile));
    });
    ASSERT_TRUE(error) << profile;
    EXPECT_EQ(error->where(), "test.yaml:3:26");
    EXPECT_EQ(error->message(), "workload.dtype: no fp32 rate is known for h100-sxm");
    EXPECT_EQ(error->hint(), "use workload.dtype bf16, fp8, or give the GPU the rate cluster.gpu.fp32");
  }
}

TEST(NumberFormats, TheTravellingGradientIsAsWideAsTheTensorsUnlessWritten) {
  EXPECT_EQ(read_text(on_host("fp32")).ring.gradient, GradientDtype::fp32);
  const Scenario derived = read_text(on_host("fp64"));
  EXPECT_EQ(derived.ring.gradient, GradientDtype::fp64);
  EXPECT_EQ(resolved(derived, "ring.gradient_dtype")->origin, "derived: as workload.dtype");
  const Scenario beside = read_text(on_host("fp64", "ring: {buffers: 3}\n"));
  EXPECT_EQ(beside.ring.gradient, GradientDtype::fp64);
  EXPECT_EQ(beside.ring.buffers, 3);
  EXPECT_EQ(read_text(on_host("fp64", "ring: {gradient_dtype: fp32}\n")).ring.gradient, GradientDtype::fp32);
  EXPECT_EQ(read_text(on_host("fp32", "ring: {gradient_dtype: fp64}\n")).ring.gradient, GradientDtype::fp64);
  EXPECT_EQ(read_text(on_host("bf16"), {"workload.dtype=fp64"}).ring.gradient, GradientDtype::fp64);
}

TEST(NumberFormats, AGpuNeedsOneRateAndAnyWillDo) {
  const auto with_gpu = [](const std::string& rate) {
    return "name: n\nmodel: llama3-8b\nworkload: {tokens: 16Ki, dtype: fp64}\ncluster:\n"
           "  gpu: {" +
           rate +
           "memory: 2 GB, memory_bandwidth: 10 GB/s}\n  gpus_per_node: 1\n"
           "  intra_node: {class: a, bandwidth: 1 GB/s}\nprofile: datasheet\n";
  };
  const Scenario s = read_text(with_gpu("fp64: 10 GFLOP/s, "));
  EXPECT_FALSE(s.cluster.gpu.bf16);
  EXPECT_EQ(in_flop_per_second(*s.cluster.gpu.fp64), 10e9);
  const auto error = error_of([&] { static_cast<void>(read_text(with_gpu(""))); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where(), "test.yaml:5:8");
  EXPECT_EQ(error->message(), "cluster.gpu has none of bf16, fp8, fp32, fp64, and needs one");
  EXPECT_EQ(error->hint(), "for example bf16: 989 TFLOP/s");
}

TEST(NumberFormats, EditorsLearnThatAGpuNeedsOneRate) {
  // `gpu` is a name, or an object with `use`, or one with memory and bandwidth and any of the four rates.
  const nlohmann::json schema = nlohmann::json::parse(json_schema());
  const nlohmann::json forms = schema.at("definitions").at("gpu").at("oneOf").at(1).at("anyOf");
  ASSERT_EQ(forms.size(), 2U);
  EXPECT_EQ(forms.at(1).at("required"), (nlohmann::json{"memory", "memory_bandwidth"}));
  EXPECT_EQ(forms.at(1).at("anyOf").size(), 4U);
  EXPECT_EQ(forms.at(1).at("anyOf").at(2).at("required"), nlohmann::json::array({"fp32"}));
}

TEST(NumberFormats, FormatsOfOthersAreUnknown) {
  const auto error = error_of([] { static_cast<void>(read_text(small_scenario(), {"ring.gradient_dtype=fp16"})); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where(), "--set ring.gradient_dtype");
  EXPECT_EQ(error->message(), "ring.gradient_dtype: fp16 is not known here");
}

}  // namespace
}  // namespace ringsim::scenarios
