// How the time that there is gets divided among benchmarks. Time here is a number that tasks add to.
#include "calibrate/task.hpp"

#include "models/error.hpp"

#include <gmock/gmock.h>

namespace ringsim::calibrate {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Bench {
  double spent_s = 0;
  std::vector<std::pair<std::string, double>> given;  // name, budget

  Task task(const std::string& name, double weight, double takes_s, bool optional = false) {
    return {name, weight,
            [this, name, takes_s](const SamplingRule& rule) {
              given.emplace_back(name, rule.budget_s);
              spent_s += takes_s;
              LaunchPoint point{{1, 1, 1, 1}, name};
              return Outcome{{point, {{{1.0}, {}}}}, ""};
            },
            optional};
  }
  TaskSchedule schedule(double budget_s) {
    TaskSchedule schedule;
    schedule.budget_s = budget_s;
    schedule.spent_s = [this] { return spent_s; };
    return schedule;
  }
};

TEST(Tasks, ShareTheTimeByWeightAndWhatIsLeftOver) {
  Bench run;
  const std::vector<Task> tasks{run.task("a", 1, 2), run.task("b", 3, 0)};
  (void)run_tasks(tasks, run.schedule(8));
  // a may take 1/4 of 8 s and takes them; b has all that is left. First in the list is first in the order of one and two.
  EXPECT_THAT(run.given, ElementsAre(std::pair(std::string("a"), 2.0), std::pair(std::string("b"), 6.0)));
}

TEST(Tasks, ATaskIsGivenNoMoreThanTheMost) {
  Bench run;
  TaskSchedule schedule = run.schedule(100);
  schedule.most_s = 2;
  (void)run_tasks({run.task("a", 1, 0)}, schedule);
  EXPECT_EQ(run.given.at(0).second, 2.0);
}

TEST(Tasks, OptionalOnesComeLastAndAreLeftOutWithoutTime) {
  Bench run;
  const std::vector<Task> tasks{run.task("may", 1, 1, true), run.task("must", 1, 5), run.task("must too", 1, 5)};
  const TaskResults results = run_tasks(tasks, run.schedule(4));
  // 5 s were spent by the first that must be run, 4 s is all there is: the second is run all the same, the optional one not.
  EXPECT_EQ(run.given.size(), 2U);
  EXPECT_EQ(run.given.at(1).second, 0.0);
  EXPECT_THAT(results.left_out, ElementsAre("may"));
  EXPECT_EQ(results.benchmarks.size(), 2U);
  // With time it is run, after the others; results are in the order of the list.
  Bench again;
  const TaskResults all = run_tasks({again.task("may", 1, 1, true), again.task("must", 1, 1)}, again.schedule(10));
  EXPECT_EQ(again.given.at(0).first, "must");
  EXPECT_EQ(all.benchmarks.at(0).name(), "may");
}

TEST(Tasks, AnErrorEndsAllOrThatOneAlone) {
  Bench run;
  Task bad = run.task("bad", 1, 0);
  bad.run = [](const SamplingRule&) -> Outcome { throw Error("no such kernel"); };
  const std::vector<Task> tasks{bad, run.task("good", 1, 0)};
  EXPECT_THROW((void)run_tasks(tasks, run.schedule(1)), Error);
  TaskSchedule schedule = run.schedule(1);
  schedule.keep_going = true;
  const TaskResults results = run_tasks(tasks, schedule);
  EXPECT_THAT(results.failed, Contains(HasSubstr("\"bad\": no such kernel")));
  EXPECT_EQ(results.benchmarks.size(), 1U);
}

TEST(Tasks, ProgressIsToldBeforeEachAndAtTheEnd) {
  Bench run;
  TaskSchedule schedule = run.schedule(1);
  std::vector<std::string> told;
  schedule.progress = [&](std::int64_t done, std::int64_t total, const std::string& name) {
    told.push_back(std::to_string(done) + "/" + std::to_string(total) + " " + name);
  };
  (void)run_tasks({run.task("a", 1, 0), run.task("b", 1, 0)}, schedule);
  EXPECT_THAT(told, ElementsAre("0/2 a", "1/2 b", "2/2 "));
}

}  // namespace
}  // namespace ringsim::calibrate
