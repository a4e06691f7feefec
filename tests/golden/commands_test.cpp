// What the commands print, to the letter. Each expected output is a file of tests/golden/expected;
//   RINGSIM_UPDATE_GOLDEN=1 ringsim-golden-tests
// writes them anew: read the difference before accepting it.

#include "tests/golden/program.hpp"
#include "version.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

namespace ringsim::golden {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string expected;  // file name
  std::vector<std::string> arguments;
};

/// The name that a failing test is reported by.
[[maybe_unused]] void PrintTo(const Case& c, std::ostream* out) { *out << c.expected; }

/// The version changes with every release; the rest must not.
std::string without_version(std::string text) {
  const std::string number(version);
  for (std::size_t at = text.find(number); at != std::string::npos; at = text.find(number, at))
    text.replace(at, number.size(), "VERSION");
  return text;
}

std::vector<Case> cases() {
  // Reports of these studies, to the letter; tests/unit/studies hold the figures of the others to what was derived by hand.
  const std::vector<std::string> studies = {
      "causal-contiguous-ring", "host-two-ranks",     "host-two-ranks-train",    "infiniband-bound-ring",
      "llama2-7b-1m-ring8",     "llama3-70b-1m-h100", "oversubscribed-fat-tree", "pcie-box-ring",
      "seed-h100-nvlink",       "ten-gpu-1m",         "train-backward-ring"};

  std::vector<Case> all;
  for (const std::string& study : studies) {
    const std::string path = "scenarios/studies/" + study + ".yaml";
    all.push_back({"run-" + study + ".txt", {"run", path}});
    all.push_back({"bmin-" + study + ".json", {"bmin", path, "--format", "json"}});
  }
  const std::string path = "scenarios/studies/llama3-70b-1m-h100.yaml";
  all.push_back({"run.json", {"run", path, "--format", "json", "--b-min", "--seed", "3"}});
  all.push_back({"run.csv", {"run", path, "--format", "csv"}});
  all.push_back({"run.md", {"run", path, "--format", "markdown"}});
  all.push_back({"run-gantt.txt", {"run", "scenarios/studies/infiniband-bound-ring.yaml", "--gantt"}});
  all.push_back({"run-gantt.md", {"run", "scenarios/studies/floor-of-a-step.yaml", "--gantt", "--format", "markdown"}});
  all.push_back({"run-closed-form.txt", {"run", path, "--engine", "closed-form"}});
  all.push_back({"bmin.txt", {"bmin", path}});
  all.push_back({"bmin.csv", {"bmin", path, "--format", "csv"}});
  all.push_back({"bmin.md", {"bmin", path, "--format", "markdown"}});
  all.push_back(
      {"show.txt", {"show", path, "--set", "noise.stragglers=[{rank: 5, slowdown: 1.2}, {rank: 6, slowdown: 2}]"}});
  // Degrees that only go together, inputs that depend on each other, and one that changes nothing.
  const std::vector<std::string> compare = {"compare", path,
                                            "--set",   "workload.tokens=128Ki",
                                            "--set-b", "cluster.inter_node.bandwidth=100 Gb/s",
                                            "--set-b", "parallel.tensor=4",
                                            "--set-b", "parallel.ring=16",
                                            "--set-b", "ring.layout=striped",
                                            "--set-b", "price.gpu_hour=1.5"};
  const auto with = [](std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  all.push_back({"compare.txt", compare});
  all.push_back({"compare.json", with(compare, {"--format", "json"})});
  all.push_back({"compare.csv", with(compare, {"--format", "csv"})});
  all.push_back({"compare.md", with(compare, {"--format", "markdown"})});
  // Scope and phase are others; and more inputs than are tried in every order.
  all.push_back({"compare-other-phase.txt", {"compare", path, "scenarios/studies/sixteen-nodes-256k.yaml"}});
  all.push_back({"compare-many.txt",
                 {"compare", "scenarios/studies/sixteen-nodes-256k.yaml", "scenarios/studies/floor-of-a-step.yaml"}});
  all.push_back({"help-compare.txt", {"compare", "--help"}});
  all.push_back({"show.json", {"show", path, "--format", "json"}});
  // Every key of a profile, in fp64, where the travelling gradient's format is derived.
  all.push_back({"show-host.txt",
                 {"show", "scenarios/studies/host-two-ranks-train.yaml", "--set", "workload.dtype=fp64", "--set",
                  "profile=../../tests/golden/profiles/host.yaml"}});
  const std::string bound = "scenarios/studies/infiniband-bound-ring.yaml";
  const std::string crossing = "scenarios/studies/cost-of-crossing-nodes.yaml";
  all.push_back({"why.txt", {"why", bound}});
  all.push_back({"why-training-step.txt", {"why", "scenarios/studies/floor-of-a-step.yaml"}});
  all.push_back({"why.json", {"why", crossing, "--format", "json"}});
  all.push_back({"why.csv", {"why", crossing, "--format", "csv"}});
  all.push_back({"why.md", {"why", bound, "--format", "markdown"}});
  all.push_back({"size.txt", {"size", "scenarios/studies/floor-of-a-step.yaml", "--gpus", "16", "--max-step", "80 s"}});
  all.push_back(
      {"size-bandwidth.txt", {"size", "scenarios/studies/cost-of-crossing-nodes.yaml", "--solve", "bandwidth"}});
  all.push_back({"library.txt", {"library"}});
  all.push_back({"help.txt", {"--help"}});
  all.push_back({"help-run.txt", {"run", "--help"}});
  all.push_back({"help-why.txt", {"why", "--help"}});
  return all;
}

class Golden : public testing::TestWithParam<Case> {};

TEST_P(Golden, PrintsWhatIsExpected) {
  const fs::path expected = source_folder() / "tests/golden/expected" / GetParam().expected;
  const Outcome outcome = run(GetParam().arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const std::string printed = without_version(outcome.out);
  const char* update = std::getenv("RINGSIM_UPDATE_GOLDEN");
  if (update != nullptr && *update != '\0') {
    std::ofstream(expected, std::ios::binary) << printed;
    return;
  }
  ASSERT_TRUE(fs::exists(expected)) << "RINGSIM_UPDATE_GOLDEN=1 writes it";
  EXPECT_EQ(printed, content_of(expected));
}

// A part is there when its worker lies beside the program: which ones do is the machine's libraries.
TEST(Version, TellsWhichPartsAreThere) {
  const Outcome outcome = run({"--version"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto part = [](const char* worker) {
    return std::string(fs::exists(fs::path(RINGSIM_BINARY).parent_path() / worker) ? "yes" : "no");
  };
  EXPECT_EQ(without_version(outcome.out), "ringsim VERSION\nSimGrid: " + part("ringsim-flow") + ", MPI: " +
                                              part("ringsim-mpi") + ", CUDA: " + part("ringsim-cuda") + "\n");
}

std::string test_name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.expected;
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Commands, Golden, testing::ValuesIn(cases()), test_name);

TEST(GoldenFiles, EachBelongsToACase) {
  const std::vector<Case> all = cases();
  for (const auto& entry : fs::directory_iterator(source_folder() / "tests/golden/expected")) {
    const std::string file = entry.path().filename().string();
    if (entry.is_directory() || file.starts_with("bad")) continue;
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Case& one) { return one.expected == file; })) << file;
  }
}

}  // namespace
}  // namespace ringsim::golden
