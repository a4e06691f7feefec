// What two scenarios differ in: inputs as they were written, and all values that follow from each.
#include "scenarios/difference.hpp"

#include "tests/temporary_folder.hpp"
#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace ringsim::scenarios {
namespace {

using testing::resolved;

Difference difference_of(const std::string& a, const std::string& b, const std::vector<std::string>& sets_of_b = {}) {
  return {written_text(a, "a.yaml", {}, {}), written_text(b, "b.yaml", {}, sets_of_b)};
}

Difference changed_by(const std::vector<std::string>& sets_of_b) {
  return difference_of(testing::small_scenario(), testing::small_scenario(), sets_of_b);
}

std::vector<std::string> names_of(const Difference& difference) {
  std::vector<std::string> names;
  for (const ChangedInput& input : difference.inputs()) names.push_back(input.name);
  return names;
}

bool follows(const ChangedInput& input, const std::string& key) {
  for (const ChangedValue& value : input.values) {
    if (value.key == key) return true;
  }
  return false;
}

TEST(Difference, OfAScenarioAndItselfIsNone) {
  EXPECT_TRUE(changed_by({}).inputs().empty());
  // Another name is no input, nor are a default or a number that are written in another way: 16Ki is 16384.
  EXPECT_TRUE(changed_by({"name=other", "ring.buffers=2", "workload.tokens=16384"}).inputs().empty());
}

TEST(Difference, OfOneKeyKnowsBothSidesAndTheirOrigins) {
  const Difference d = changed_by({"parallel.ring=4"});
  ASSERT_EQ(names_of(d), std::vector<std::string>{"parallel.ring"});
  const ChangedInput& input = d.inputs().front();
  ASSERT_EQ(input.values.size(), 1U);
  EXPECT_EQ(input.values[0].key, "parallel.ring");
  EXPECT_EQ(input.values[0].a->text, "8");
  EXPECT_EQ(input.values[0].a->origin, "a.yaml:5:18");  // behind "parallel: {ring: "
  EXPECT_EQ(input.values[0].b->text, "4");
  EXPECT_EQ(input.values[0].b->origin, "--set parallel.ring");
}

TEST(Difference, OfAReferenceIsOneInputWithAllThatFollows) {
  // llama3-70b has other layers, heads and hidden size than llama3-8b: one name was written.
  const Difference d = changed_by({"model=llama3-70b"});
  ASSERT_EQ(names_of(d), std::vector<std::string>{"model"});
  EXPECT_EQ(d.inputs()[0].a, "llama3-8b");
  EXPECT_EQ(d.inputs()[0].b, "llama3-70b");
  for (const char* key : {"model.layers", "model.heads", "model.hidden"}) {
    EXPECT_TRUE(follows(d.inputs()[0], key)) << key;
  }
}

TEST(Difference, TheProfileOfAGpuFollowsFromTheCluster) {
  // No profile is written: each cluster has that of its GPU.
  const Difference d = changed_by({"cluster=dgx-a100", "parallel.ring=4"});
  ASSERT_EQ(names_of(d), (std::vector<std::string>{"cluster", "parallel.ring"}));
  EXPECT_TRUE(follows(d.inputs()[0], "cluster.gpu.bf16"));
  EXPECT_TRUE(follows(d.inputs()[0], "profile.forward.saturated"));
  // Where both are written, they go together: costs of an H100 say nothing of an A100.
  const Difference both =
      difference_of(testing::small_scenario("profile: h100-sxm\n"), testing::small_scenario("profile: h100-sxm\n"),
                    {"cluster=dgx-a100", "profile=datasheet"});
  EXPECT_EQ(names_of(both), std::vector<std::string>{"cluster + profile"});
}

TEST(Difference, MixesTakeWhatWasWrittenOfEachSide) {
  const Difference d = changed_by({"model=llama3-70b", "parallel.ring=4", "price.gpu_hour=2.5"});
  ASSERT_EQ(names_of(d), (std::vector<std::string>{"model", "parallel.ring", "price.gpu_hour"}));
  const Scenario ring_of_b = d.mixed(0b010);
  EXPECT_EQ(resolved(ring_of_b, "parallel.ring")->text, "4");
  EXPECT_EQ(resolved(ring_of_b, "model.layers")->text, "32");  // llama3-8b, of A
  EXPECT_FALSE(ring_of_b.price_per_gpu_hour);
  const Scenario model_and_price_of_b = d.mixed(0b101);
  EXPECT_EQ(resolved(model_and_price_of_b, "parallel.ring")->text, "8");
  EXPECT_EQ(resolved(model_and_price_of_b, "model.layers")->text, "80");
  EXPECT_EQ(model_and_price_of_b.price_per_gpu_hour, 2.5);
  EXPECT_EQ(d.mixed(0).hash, d.a().hash);
  EXPECT_EQ(d.mixed(0b111).hash, d.b().hash);
}

TEST(Difference, MixesThatDoNotGoTogetherAreErrors) {
  // Eight GPUs: ring 8 of A with tensor 2 of B needs sixteen.
  const Difference d = changed_by({"parallel.tensor=2", "parallel.ring=4"});
  ASSERT_EQ(names_of(d), (std::vector<std::string>{"parallel.tensor", "parallel.ring"}));
  EXPECT_TRUE(testing::error_of([&] { static_cast<void>(d.mixed(0b01)); }));
  EXPECT_FALSE(testing::error_of([&] { static_cast<void>(d.mixed(0b10)); }));
}

TEST(Difference, AMappingThatOneSideLacksIsOneInput) {
  const Difference d = changed_by({"workload.documents={lengths: [8Ki, 8Ki], alignment: 16}"});
  ASSERT_EQ(names_of(d), std::vector<std::string>{"workload.documents"});
  EXPECT_EQ(d.inputs()[0].a, "none");
  EXPECT_EQ(d.inputs()[0].b, "{lengths: [8Ki, 8Ki], alignment: 16}");
}

TEST(Difference, FilesAreLookedForBesideTheScenarioThatNamesThem) {
  // Both folders have a gpu.yaml of their own, beside the scenario; a mix may name either.
  const TemporaryFolder folder;
  const std::filesystem::path path(folder.path());
  for (const char* side : {"a", "b"}) {
    std::filesystem::create_directory(path / side);
    std::ofstream(path / side / "box.yaml")
        << "name: box-" << side << "\ngpu: h100-sxm\nnodes: 1\ngpus_per_node: 8\n"
        << "intra_node: {class: nvlink4, bandwidth: " << (side[0] == 'a' ? "450" : "225") << " GB/s}\n";
    std::ofstream(path / side / "s.yaml")
        << "name: s\nmodel: llama3-8b\nworkload: {tokens: 16Ki}\ncluster: box.yaml\nparallel: {ring: "
        << (side[0] == 'a' ? 8 : 4) << "}\n";
  }
  const Difference d(read_written((path / "a/s.yaml").string(), {}), read_written((path / "b/s.yaml").string(), {}));
  ASSERT_EQ(names_of(d), (std::vector<std::string>{"cluster", "parallel.ring"}));
  EXPECT_EQ(resolved(d.mixed(0b01), "cluster.intra_node.bandwidth")->text, "225 GB/s");
  EXPECT_EQ(resolved(d.mixed(0b10), "cluster.intra_node.bandwidth")->text, "450 GB/s");
}

TEST(Difference, EveryDifferingValueBelongsToOneInput) {
  const Difference d = difference_of(testing::small_scenario(),
                                     "name: other\nmodel: llama2-7b\nworkload: {phase: train, tokens: 32Ki}\n"
                                     "cluster: {use: dgx-a100, nodes: 2}\nparallel: {ring: 16}\ntraining: {zero: 1}\n");
  std::vector<std::string> keys;
  for (const ChangedInput& input : d.inputs()) {
    for (const ChangedValue& value : input.values) keys.push_back(value.key);
  }
  std::vector<std::string> once = keys;
  std::sort(once.begin(), once.end());
  once.erase(std::unique(once.begin(), once.end()), once.end());
  EXPECT_EQ(once.size(), keys.size());
  for (const ResolvedValue& value : d.a().resolved) {
    const auto of_b = resolved(d.b(), value.key);
    const bool differs = value.key != "name" && (!of_b || of_b->text != value.text);
    EXPECT_EQ(std::binary_search(once.begin(), once.end(), value.key), differs) << value.key;
  }
}

}  // namespace
}  // namespace ringsim::scenarios
