// The worker as users meet it: through the program, which starts it and tells what came of it.
#include "tests/golden/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace ringsim::golden {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using json = nlohmann::json;

class FlowWorker : public testing::Test {
 protected:
  std::string scenario(const std::string& more) {
    const std::string file = (folder_.path() / "scenario.yaml").string();
    std::ofstream(file) << "name: small\nmodel: llama3-8b\nprofile: {use: datasheet}\n" + more;
    return file;
  }
  // A signal to the program's child once that has become the worker, or to the program then.
  Surroundings with_worker(int signal, bool to_the_program) {
    Surroundings s;
    s.environment.emplace_back("TMPDIR", folder_.path().string());
    s.meanwhile = [signal, to_the_program](pid_t program) {
      const std::filesystem::path self = "/proc/" + std::to_string(program);
      for (int tries = 0; tries < 20000; ++tries) {
        std::istringstream children(content_of(self / "task" / std::to_string(program) / "children"));
        for (pid_t child = 0; children >> child;) {
          if (content_of("/proc/" + std::to_string(child) + "/comm") != "ringsim-flow\n") continue;
          ::kill(to_the_program ? program : child, signal);
          return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    };
    return s;
  }
  TemporaryFolder folder_;
};

// Long enough to be found: 256 ranks, 32 layers, two million hops.
const std::string long_run = "workload: {tokens: 4Mi}\ncluster: {use: dgx-h100, nodes: 32}\nparallel: {ring: 256}\n";
const std::string short_run = "workload: {tokens: 64Ki}\ncluster: dgx-h100\nparallel: {ring: 8}\n";

TEST_F(FlowWorker, GivesTheProgramTheResultOfTheRecurrenceWhereNoLinkIsShared) {
  const std::string file = scenario(short_run);
  const Outcome flow = run({"run", file, "--engine", "flow", "--format", "json"});
  ASSERT_EQ(flow.status, 0) << flow.err;
  const Outcome recurrence = run({"run", file, "--engine", "recurrence", "--format", "json"});
  ASSERT_EQ(recurrence.status, 0) << recurrence.err;
  const double a = json::parse(flow.out).at("makespan_s");
  const double b = json::parse(recurrence.out).at("makespan_s");
  EXPECT_NEAR(a, b, 1e-12 * b);
}

TEST_F(FlowWorker, ThatIsKilledEndsTheRunWith7) {
  const Outcome outcome = run({"run", scenario(long_run), "--engine", "flow"}, with_worker(SIGKILL, false));
  EXPECT_EQ(outcome.status, 7);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("the flow engine broke off"), HasSubstr("signal")));
  EXPECT_EQ(outcome.out, "");
}

TEST_F(FlowWorker, EndsWithTheProgramThatIsInterrupted) {
  const Outcome outcome = run({"run", scenario(long_run), "--engine", "flow"}, with_worker(SIGINT, true));
  EXPECT_EQ(outcome.signal, SIGINT);  // as a shell expects to see it
  EXPECT_EQ(outcome.out, "");
  // Nothing of the job is left.
  for (const auto& left : std::filesystem::directory_iterator(folder_.path())) {
    EXPECT_EQ(left.path().filename(), "scenario.yaml");
  }
}

TEST_F(FlowWorker, TellsOfAFailedLinkWith7) {
  const Outcome outcome =
      run({"run", scenario(short_run + "noise: {failures: [{link: node0.gpu2.out, at: 1 ms}]}\n"), "--engine", "flow"});
  EXPECT_EQ(outcome.status, 7);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("link node0.gpu2.out failed at 1 ms"), HasSubstr("from GPU 2 to GPU 3"),
                                 HasSubstr("waits for")));
}

}  // namespace
}  // namespace ringsim::golden
