// Sweeps as a user runs them: what is in the rows, and that a file is the same however it came about.

#include "tests/golden/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace ringsim::golden {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using Arguments = std::vector<std::string>;

const std::string million = (source_folder() / "scenarios/studies/llama3-70b-1m-h100.yaml").string();

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

// Whether a child of this process has not ended; it is left to be waited for.
bool running(pid_t child) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

std::size_t size_of(const std::string& file) {
  std::error_code not_there;
  const auto size = std::filesystem::file_size(file, not_there);
  return not_there ? 0 : static_cast<std::size_t>(size);
}

class Sweep : public testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name) const { return (folder_.path() / name).string(); }
  [[nodiscard]] static Arguments arguments(const Arguments& sets, const Arguments& more = {}) {
    Arguments all = {"sweep", million};
    for (const std::string& set : sets) all.insert(all.end(), {"--set", set});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  TemporaryFolder folder_;
};

// Ring degrees times tokens, of which 24Ki + 8 cannot be divided by 2 · 8: three rings of 4, 8 and 16 tensor 8 ranks each need 32, 64
// and 128 GPUs of 64.
TEST_F(Sweep, RowsAreInOrderOfThePointsAndAPointThatCannotBeIsARowWithItsReason) {
  const Outcome outcome = run(arguments({"parallel.ring=4..16*2", "workload.tokens=16Ki,24584"}, {"--threads", "2"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_THAT(lines[0], AllOf(StartsWith("parallel.ring,workload.tokens,engine,"), HasSubstr(",makespan_s,")));
  EXPECT_THAT(lines[1], StartsWith("4,16384,recurrence,"));
  EXPECT_THAT(lines[2], StartsWith("4,24584,recurrence,"));
  EXPECT_THAT(lines[3], StartsWith("8,16384,recurrence,"));
  EXPECT_THAT(lines[4], AllOf(StartsWith("8,24584,"), HasSubstr("divisible by 2 x ring = 16")));
  EXPECT_THAT(lines[5], AllOf(StartsWith("16,16384,"), HasSubstr("need 128 GPUs")));
}

// A row is what `run` says of the scenario with the same --set, to the last digit.
TEST_F(Sweep, ARowIsWhatRunSaysOfItsPoint) {
  const Outcome rows = run(
      arguments({"cluster.inter_node.bandwidth=100 Gb/s,400 Gb/s", "workload.tokens=16Ki,64Ki"}, {"--format", "json"}));
  ASSERT_EQ(rows.status, 0) << rows.err;
  const json row = json::parse(lines_of(rows.out).at(2));  // of the second bandwidth the first length
  const Outcome one = run({"run", million, "--set", "cluster.inter_node.bandwidth=400 Gb/s", "--set",
                           "workload.tokens=16Ki", "--engine", "recurrence", "--format", "json"});
  ASSERT_EQ(one.status, 0) << one.err;
  const json said = json::parse(one.out);
  EXPECT_EQ(row.at("cluster.inter_node.bandwidth_bytes_per_s"), 50e9);
  EXPECT_EQ(row.at("workload.tokens"), 16384);
  for (const char* key : {"makespan_s", "compute_s", "exposed_communication_s", "bubble_s", "overlap",
                          "ring_efficiency", "mfu", "tokens_per_s", "gpu_hours", "cost"}) {
    EXPECT_EQ(row.at(key), said.at(key)) << key;
  }
  EXPECT_EQ(row.at("memory_total_bytes"), said.at("memory").at("total_bytes"));
  EXPECT_TRUE(row.at("error").is_null());
}

TEST_F(Sweep, MistakesOfAllPointsAreFoundBeforeAnyRuns) {
  const std::string output = file("none.csv");
  const auto status = [&](const Arguments& sets, const Arguments& more = {}) {
    Arguments all = more;
    if (std::find(more.begin(), more.end(), "--output") == more.end()) all.insert(all.end(), {"--output", output});
    const Outcome outcome = run(arguments(sets, all));
    EXPECT_FALSE(std::filesystem::exists(output)) << outcome.err;
    return outcome;
  };
  EXPECT_EQ(status({"parallel.rings=2,4"}).status, 3);
  EXPECT_EQ(status({"parallel.ring=8..4*2"}).status, 3);
  EXPECT_EQ(status({"parallel.ring=2,x"}).status, 3);
  EXPECT_THAT(status({"parallel.ring=2,4"}, {"--columns", "makespan"}).err, HasSubstr("did you mean makespan_s?"));
  EXPECT_EQ(status({"parallel.ring=2,4"}, {"--engine", "flow"}).status, 3);
  EXPECT_EQ(status({"parallel.ring=2,4"}, {"--output", file("rows.txt")}).status, 2);
  EXPECT_EQ(status({"parallel.ring=2,4"}, {"--format", "json"}).status, 2);
}

// Enough points that a sweep takes about a second, by formula so that rows come fast.
const Arguments many = {"cluster.inter_node.bandwidth=50 Gb/s..800 Gb/s+50 Gb/s", "ring.layout=zigzag,striped",
                        "workload.tokens=16Ki..4Mi+16Ki"};
Arguments into(const std::string& output) { return {"--engine", "closed-form", "--output", output}; }

TEST_F(Sweep, KilledTwentyTimesAndContinuedTheFileIsTheSame) {
  const std::string whole = file("whole.csv");
  ASSERT_EQ(run(arguments(many, into(whole))).status, 0);
  const std::string wanted = content_of(whole);
  ASSERT_EQ(lines_of(wanted).size(), 1U + 16 * 2 * 256);

  const std::string output = file("killed.csv");
  std::mt19937 draw(1);  // NOLINT(cert-msc51-cpp): the same moments every time
  std::uniform_int_distribution<std::size_t> more(0, 60'000);
  int killed = 0;
  int inside = 0;  // kills that left a file that had begun and was not complete
  for (int tries = 0; killed < 20 && tries < 200; ++tries) {
    Surroundings s;
    // As soon as the file has grown by so many bytes more; none: at any moment of the start.
    const std::size_t size = size_of(output) + more(draw);
    s.meanwhile = [&](pid_t program) {
      while (running(program) && size_of(output) < size) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      ::kill(program, SIGKILL);
    };
    killed += run(arguments(many, into(output)), s).signal == SIGKILL ? 1 : 0;
    const std::string so_far = content_of(output);
    inside += !so_far.empty() && so_far.size() < wanted.size() ? 1 : 0;
    ASSERT_TRUE(wanted.starts_with(so_far));
    if (so_far.size() == wanted.size()) std::filesystem::remove(output);  // begin again: kill a further one
  }
  EXPECT_EQ(killed, 20);
  EXPECT_GT(inside, 0);
  // A row that was cut off is taken away.
  std::ofstream(output, std::ios::binary | std::ios::app) << "12,zig";
  ASSERT_EQ(run(arguments(many, into(output))).status, 0);
  EXPECT_TRUE(content_of(output) == wanted);
  EXPECT_EQ(content_of(output + ".sweep"), content_of(whole + ".sweep"));
}

TEST_F(Sweep, AFileOfAnotherSweepIsLeftAlone) {
  const std::string output = file("rows.jsonl");
  ASSERT_EQ(run(arguments({"parallel.ring=2,4"}, into(output))).status, 0);
  const std::string before = content_of(output);
  const Outcome other = run(arguments({"parallel.ring=2,4,8"}, into(output)));
  EXPECT_EQ(other.status, 3);
  EXPECT_THAT(other.err, AllOf(HasSubstr("it is another sweep"), HasSubstr("parallel.ring=2,4,8"), HasSubstr("hint")));
  Arguments seeded = into(output);
  seeded.insert(seeded.end(), {"--seed", "7"});
  EXPECT_THAT(run(arguments({"parallel.ring=2,4"}, seeded)).err, HasSubstr("seed: 0 there, 7 here"));
  EXPECT_EQ(content_of(output), before);

  const std::string foreign = file("foreign.csv");
  std::ofstream(foreign) << "my,own,table\n";
  EXPECT_THAT(run(arguments({"parallel.ring=2,4"}, into(foreign))).err, HasSubstr("no sweep of this program"));
  EXPECT_EQ(content_of(foreign), "my,own,table\n");
}

TEST_F(Sweep, AnInterruptLeavesWholeRowsAndEndsAsOne) {
  const std::string output = file("rows.csv");
  Surroundings s;
  s.meanwhile = [&](pid_t program) {
    // As soon as rows are there.
    while (running(program) && size_of(output) < 2000) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ::kill(program, SIGINT);
  };
  const Outcome outcome = run(arguments({"workload.tokens=16Ki..32Mi+1Ki"}, {"--output", output}), s);
  EXPECT_EQ(outcome.signal, SIGINT) << outcome.err;
  const std::string text = content_of(output);
  EXPECT_GT(lines_of(text).size(), 1U);
  EXPECT_TRUE(text.ends_with("\r\n"));
}

// Peak memory [KiB] of the program, which GNU time or the shell could tell as well.
long peak_kibibytes(const Arguments& what) {
  long peak = 0;
  Surroundings s;
  s.meanwhile = [&](pid_t program) {
    for (;;) {
      std::ifstream status("/proc/" + std::to_string(program) + "/status");
      bool seen = false;
      for (std::string line; std::getline(status, line);) {
        if (!line.starts_with("VmHWM:")) continue;
        peak = std::max(peak, std::stol(line.substr(6)));
        seen = true;
      }
      if (!seen) return;  // it has ended
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  const Outcome outcome = run(what, s);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return peak;
}

// 2,000 points, and a hundred times as many: the same blocks of rows are under way.
TEST_F(Sweep, MemoryDoesNotGrowWithTheNumberOfPoints) {
  const Arguments few = arguments({"workload.tokens=16Ki..48384+16"}, {"--engine", "closed-form"});
  const Arguments lots = arguments({"workload.tokens=16Ki..3216384+16"}, {"--engine", "closed-form"});
  const long small = peak_kibibytes(few);
  const long large = peak_kibibytes(lots);
  EXPECT_GT(small, 0);
  EXPECT_LT(large, small + 8 * 1024);
}

TEST_F(Sweep, RanksWriteTheSameFileAlsoWhenKilledAndContinued) {
  if (!std::filesystem::exists(std::filesystem::path(RINGSIM_BINARY).parent_path() / "ringsim-mpi")) {
    GTEST_SKIP() << "built without MPI";
  }
  const std::string alone = file("alone.csv");
  ASSERT_EQ(run(arguments(many, into(alone))).status, 0);
  const std::string wanted = content_of(alone);
  Surroundings s;
  s.environment = {{"ASAN_OPTIONS", "detect_leaks=0"},
                   {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                   {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                   {"OMPI_MCA_mpi_yield_when_idle", "1"}};
  for (const char* ranks : {"2", "4"}) {
    s.through = {"mpirun", "--oversubscribe", "-n", ranks};
    const std::string output = file(std::string("ranks") + ranks + ".csv");
    const Outcome outcome = run(arguments(many, into(output)), s);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(content_of(output) == wanted) << ranks;
  }
  // Killed in the midst of it, and gone on with by hand.
  const std::string output = file("killed.csv");
  s.through = {"mpirun", "--oversubscribe", "-n", "2"};
  s.meanwhile = [&](pid_t program) {
    while (running(program) && size_of(output) < 4000) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ::kill(program, SIGKILL);
  };
  EXPECT_EQ(run(arguments(many, into(output)), s).signal, SIGKILL);
  const Outcome outcome = run(arguments(many, into(output)));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(content_of(output) == wanted);
}

}  // namespace
}  // namespace ringsim::golden
