// Published measurements against the predictions of today: no set may get worse, and docs/ACCURACY.md with its picture is what
// the command writes.
//   RINGSIM_UPDATE_GOLDEN=1 ringsim-golden-tests --gtest_filter='Accuracy.*'
// writes all three anew: read the difference before accepting it.

#include "tests/golden/program.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace ringsim::golden {
namespace {

namespace fs = std::filesystem;

const fs::path medians = "scenarios/library/published/committed.json";

bool update() { return std::getenv("RINGSIM_UPDATE_GOLDEN") != nullptr; }

TEST(Accuracy, DocumentsAreWhatTheCommandWritesAndNoMedianGrows) {
  const TemporaryFolder folder;
  const fs::path picture = folder.path() / "accuracy.svg";
  const fs::path fresh = folder.path() / "medians.json";
  std::vector<std::string> arguments = {"validate", "--suite",        "published", "--format",    "markdown",
                                        "--plot",   picture.string(), "--medians", fresh.string()};
  if (!update()) {
    arguments.emplace_back("--against");
    arguments.push_back(medians.string());
  }
  const Outcome outcome = run(arguments);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  if (update()) {
    std::ofstream(source_folder() / "docs/ACCURACY.md", std::ios::binary) << outcome.out;
    const auto over = fs::copy_options::overwrite_existing;
    fs::copy_file(picture, source_folder() / "docs/accuracy.svg", over);
    fs::copy_file(fresh, source_folder() / medians, over);
    return;
  }
  const char* how = "RINGSIM_UPDATE_GOLDEN=1 writes it anew";
  EXPECT_TRUE(outcome.out == content_of(source_folder() / "docs/ACCURACY.md")) << "docs/ACCURACY.md: " << how;
  EXPECT_TRUE(content_of(picture) == content_of(source_folder() / "docs/accuracy.svg")) << "docs/accuracy.svg: " << how;
}

// Medians of nothing are below those of any model: every set has grown.
TEST(Accuracy, AWorseMedianEndsWithTheStatusForIt) {
  const TemporaryFolder folder;
  const fs::path none = folder.path() / "none.json";
  std::ofstream(none) << R"({"schema_version": 1, "median_error": {"meta-t5": 0}})";
  const Outcome outcome = run({"validate", "--suite", "published", "--set-name", "meta-t5", "--set",
                               "profile.launch=1 ms", "--against", none.string()});
  EXPECT_EQ(outcome.status, 6);
  EXPECT_NE(outcome.err.find("meta-t5"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace ringsim::golden
