// --report: that the page is written, whole, with the result in it, and when it is not.
#include "tests/golden/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace ringsim::golden {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* ring = "scenarios/studies/infiniband-bound-ring.yaml";

/// What stands in <script type="application/json" id="result">.
std::string result_of(const std::string& page) {
  const std::string start = "<script type=\"application/json\" id=\"result\">";
  const std::size_t at = page.find(start);
  if (at == std::string::npos) return {};
  const std::size_t from = at + start.size();
  return page.substr(from, page.find("</script>", from) - from);
}

struct Reported {
  Outcome outcome;
  std::string page;  // empty: none was written
};

Reported report(std::vector<std::string> arguments) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "page.html";
  arguments.insert(arguments.end(), {"--report", file.string()});
  Reported all{golden::run(arguments), content_of(file)};
  // Nothing is left beside it, whatever happened.
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) EXPECT_EQ(entry.path(), file);
  return all;
}

TEST(Report, HoldsTheResultOfRunAndChangesNothingOfWhatIsPrinted) {
  const Reported all = report({"run", ring, "--format", "json"});
  ASSERT_EQ(all.outcome.status, 0) << all.outcome.err;
  EXPECT_EQ(all.outcome.out, golden::run({"run", ring, "--format", "json"}).out);
  EXPECT_THAT(all.page, StartsWith("<!DOCTYPE html>"));
  EXPECT_TRUE(all.page.ends_with("</html>\n"));
  EXPECT_EQ(nlohmann::json::parse(result_of(all.page)), nlohmann::json::parse(all.outcome.out));
  for (const char* section : {"id=\"ranks\"", "id=\"timeline-1\"", "id=\"timeline-2\"", "id=\"hop-use\"",
                              "id=\"memory-terms\"", "id=\"scaling-time\"", "id=\"bandwidth-exposed\""}) {
    EXPECT_THAT(all.page, HasSubstr(section));
  }
}

// By the flow engine timelines and hops come from another process; by the closed form there are none, and the page says why.
TEST(Report, IsThereForEveryEngine) {
  const Reported flow = report({"run", ring, "--engine", "flow"});
  if (flow.outcome.status != 5) {
    EXPECT_EQ(flow.outcome.status, 0) << flow.outcome.err;
    EXPECT_THAT(flow.page, HasSubstr("id=\"timeline-1\""));
    EXPECT_THAT(flow.page, HasSubstr("id=\"hop-use\""));
  }
  const Reported closed = report({"run", ring, "--engine", "closed-form"});
  EXPECT_EQ(closed.outcome.status, 0) << closed.outcome.err;
  EXPECT_THAT(closed.page, HasSubstr("The closed form does not follow single hops"));
}

// The same four points, printed or in a file, as CSV or as JSON Lines: the same rows on the page, which JSON's are.
TEST(Report, OfASweepIsAboutItsRows) {
  const std::vector<std::string> sweep = {
      "sweep", ring, "--set", "parallel.ring=2,4", "--set", "ring.layout=zigzag,striped"};
  auto json = sweep;
  json.insert(json.end(), {"--format", "json"});
  const Reported lines = report(json);
  ASSERT_EQ(lines.outcome.status, 0) << lines.outcome.err;
  nlohmann::json rows = nlohmann::json::array();
  for (std::size_t at = 0; at < lines.outcome.out.size();) {
    const std::size_t end = lines.outcome.out.find('\n', at);
    rows.push_back(nlohmann::json::parse(lines.outcome.out.substr(at, end - at)));
    at = end + 1;
  }
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(nlohmann::json::parse(result_of(lines.page)), rows);

  const TemporaryFolder folder;
  auto to_file = sweep;
  to_file.insert(to_file.end(), {"--output", (folder.path() / "rows.csv").string()});
  EXPECT_EQ(nlohmann::json::parse(result_of(report(to_file).page)), rows);
  // Started again there is nothing left to predict; the page is about all rows all the same.
  EXPECT_EQ(nlohmann::json::parse(result_of(report(to_file).page)), rows);
}

// 1 GPU for a million tokens within a millisecond: the exit status says that there is no plan, the page why.
TEST(Report, IsWrittenWhereNothingIsFeasible) {
  const Reported none = report({"size", ring, "--gpus", "8", "--max-step", "1 us"});
  EXPECT_EQ(none.outcome.status, 4);
  EXPECT_THAT(none.page, HasSubstr("No plan on up to 8 GPUs meets"));
  EXPECT_THAT(none.page, HasSubstr("id=\"degree-map\""));
}

TEST(Report, AnswersInverseQuestions) {
  const Reported bandwidth = report({"size", ring, "--solve", "bandwidth", "--format", "json"});
  ASSERT_EQ(bandwidth.outcome.status, 0) << bandwidth.outcome.err;
  EXPECT_EQ(nlohmann::json::parse(result_of(bandwidth.page)), nlohmann::json::parse(bandwidth.outcome.out));
}

TEST(Report, RefusesWhatMakesNoSense) {
  EXPECT_EQ(golden::run({"run", ring, "--interactive"}).status, 2);
  EXPECT_EQ(golden::run({"run", ring, "--report", ring}).status, 2);  // would overwrite the scenario
  EXPECT_EQ(golden::run({"run", ring, "--report", "no/such/folder/page.html"}).status, 7);
  const Outcome many = golden::run({"sweep", ring, "--set", "workload.tokens=1024..30000+1", "--report", "page.html"});
  EXPECT_EQ(many.status, 2);
  EXPECT_THAT(many.err, HasSubstr("--report draws up to 20,000 points, and these are 28,977"));
  EXPECT_FALSE(std::filesystem::exists(source_folder() / "page.html"));
  const Reported bad = report({"run", ring, "--set", "parallel.ring=7"});
  EXPECT_EQ(bad.outcome.status, 3);
  EXPECT_EQ(bad.page, "");
}

}  // namespace
}  // namespace ringsim::golden
