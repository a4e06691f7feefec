#include "scenarios/format.hpp"
#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace ringsim::scenarios {
namespace {

std::vector<std::string> studies() {
  std::vector<std::string> paths;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(RINGSIM_SOURCE_DIR) / "scenarios/studies")) {
    if (file.path().extension() == ".yaml") paths.push_back(file.path().string());
  }
  return paths;
}

void expect_equal(const Scenario& a, const Scenario& b) {
  EXPECT_EQ(a.hash, b.hash);
  ASSERT_EQ(a.resolved.size(), b.resolved.size());
  for (std::size_t i = 0; i < a.resolved.size(); ++i) {
    EXPECT_EQ(a.resolved[i].key, b.resolved[i].key);
    EXPECT_EQ(a.resolved[i].text, b.resolved[i].text) << a.resolved[i].key;
  }
  EXPECT_EQ(a.profile.calibrated, b.profile.calibrated);
  EXPECT_EQ(a.profile.forward.saturated.value, b.profile.forward.saturated.value);
  EXPECT_EQ(a.cluster.gpu.bf16, b.cluster.gpu.bf16);
  EXPECT_EQ(a.model.sliding_layer, b.model.sliding_layer);
}

TEST(Studies, EveryOneLoadsUnderTheNameOfItsFileAndReadsBack) {
  ASSERT_GE(studies().size(), 7U);
  for (const std::string& path : studies()) {
    SCOPED_TRACE(path);
    const Scenario scenario = read_scenario(path);
    EXPECT_EQ(scenario.name, std::filesystem::path(path).stem().string());
    EXPECT_TRUE(scenario.warnings.empty());
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    EXPECT_EQ(text.rfind("# yaml-language-server: $schema=../scenario.schema.json\n# ", 0), 0U);
    expect_equal(scenario, read_scenario_text(format_scenario(scenario), "again.yaml"));
    expect_equal(scenario, read_scenario_text(format_scenario(scenario, Origins::as_comments), "again.yaml"));
  }
}

TEST(Studies, FormattingReadsBackWhateverTheModelIs) {
  for (const char* model : {"deepseek-v3", "gemma3-27b", "gpt-oss-120b", "mixtral-8x7b", "mistral-7b",
                            "{use: llama3-8b, name: \"a: \\\"b\\\" # c\"}",
                            "{use: llama3-8b, sliding_window: 8, layers: 3, layer_types: [full, sliding, full]}",
                            "{use: deepseek-v3, feed_forward: {dense_layers: [7, 9]}}",
                            "{use: llama3-8b, name: 'true'}", "{use: llama3-8b, name: '- x'}"}) {
    SCOPED_TRACE(model);
    const Scenario scenario = read_scenario_text(
        std::string("name: n\nmodel: ") + model +
            "\nworkload: {tokens: 16Ki, batch: 2}\ncluster: {use: dgx-h100, nodes: 2, intra_node: {latency: 1.7 us}}\n"
            "parallel: {ring: 8, data: 2}\nnoise: {stragglers: [{rank: 1, slowdown: 1.1}, {rank: 7, slowdown: 2}]}\n"
            "price: {gpu_hour: 0.1}\n",
        "test.yaml");
    expect_equal(scenario, read_scenario_text(format_scenario(scenario, Origins::as_comments), "again.yaml"));
  }
}

}  // namespace
}  // namespace ringsim::scenarios
