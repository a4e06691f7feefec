// Hostfiles and node lists, and where they put ranks.
#include "scenarios/hosts.hpp"

#include "tests/unit/scenarios/support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ringsim::scenarios {
namespace {

using ::testing::ElementsAre;
using testing::error_of;

std::vector<std::string> names(const std::vector<Host>& hosts) {
  std::vector<std::string> all;
  for (const Host& host : hosts) all.push_back(host.name);
  return all;
}

TEST(Hostfile, ReadsTheFormsOfOpenMpiDeepSpeedAndMpich) {
  const std::vector<Host> hosts = parse_hostfile(
      "# the job\n"
      "node01 slots=8\n"
      "\n"
      "node02 slots=4 max_slots=8   # two GPUs are broken\r\n"
      "node03:2\n"
      "login-1.example",
      "hosts");
  EXPECT_THAT(names(hosts), ElementsAre("node01", "node02", "node03", "login-1.example"));
  EXPECT_EQ(hosts[0].slots, 8);
  EXPECT_EQ(hosts[1].slots, 4);
  EXPECT_EQ(hosts[2].slots, 2);
  EXPECT_EQ(hosts[3].slots, 0) << "as many as it has GPUs";
  EXPECT_EQ(hosts[3].origin, "hosts:6");
}

TEST(Hostfile, WhatIsNoHostIsRefusedAtItsLine) {
  for (const char* text : {"node01 slots=\n", "node01 slots=x", "node01:", "node01 8", ":8", "node01 slots=8 gpus=4",
                           "node 01", "node01:-1", "no/de"}) {
    const auto error = error_of([&] { static_cast<void>(parse_hostfile(std::string("ok\n") + text, "hosts")); });
    ASSERT_TRUE(error) << text;
    EXPECT_EQ(error->where(), "hosts:2") << text;
    EXPECT_FALSE(error->hint().empty());
  }
  EXPECT_TRUE(error_of([] { static_cast<void>(parse_hostfile("# nothing\n", "hosts")); }));
  EXPECT_TRUE(error_of([] { static_cast<void>(parse_hostfile("a\na\n", "hosts")); })) << "twice";
  EXPECT_TRUE(error_of([] { static_cast<void>(parse_hostfile("a slots=0\n", "hosts")); }));
}

TEST(NodeList, ExpandsRangesInTheOrderWritten) {
  EXPECT_THAT(names(parse_node_list("node[01-03,07],other1", "o")),
              ElementsAre("node01", "node02", "node03", "node07", "other1"));
  EXPECT_THAT(names(parse_node_list("b2,b1", "o")), ElementsAre("b2", "b1"));
  // Two brackets: the second runs faster, as scontrol does.
  EXPECT_THAT(names(parse_node_list("r[1-2]n[08-09]", "o")), ElementsAre("r1n08", "r1n09", "r2n08", "r2n09"));
}

TEST(NodeList, WhatIsNoListIsRefused) {
  for (const char* text : {"", "node[", "node]", "node[1-]", "node[3-1]", "node[a]", "a,,b", "node[1-2", "node[[1]]",
                           "node[1-99999999]", "a,a", "no de"}) {
    EXPECT_TRUE(error_of([&] { static_cast<void>(parse_node_list(text, "place")); })) << text;
  }
}

TEST(Hosts, NamesSayWhereMachinesStandAndTheFileSaysWhoFillsThemFirst) {
  // Sorted as numbers: n2 is node 0, n10 node 1. The file begins with n10, so rank 0 is on GPU 4.
  const std::vector<Host> hosts = parse_hostfile("n10 slots=2\nn2\n", "hosts");
  EXPECT_THAT(gpus_of_ranks(hosts, 2, 4), ElementsAre(4, 5, 0, 1, 2, 3));
  EXPECT_TRUE(error_of([&] { static_cast<void>(gpus_of_ranks(hosts, 1, 4)); })) << "more hosts than nodes";
  EXPECT_TRUE(error_of([&] { static_cast<void>(gpus_of_ranks(hosts, 2, 1)); })) << "more slots than GPUs";
}

TEST(Reader, APlacementByNodeListBecomesTheGpusOfTheRanks) {
  const Scenario s = testing::read_text(
      "name: n\nmodel: llama3-8b\nworkload: {tokens: 16Ki}\ncluster: {use: dgx-h100, nodes: 2}\n"
      "parallel: {ring: 10, placement: {nodelist: 'b,a'}}\nring: {layout: striped}\n");
  // b is the second by name and the first to be filled: GPUs 8 to 15, then 0 and 1.
  EXPECT_THAT(s.parallel.gpus, ElementsAre(8, 9, 10, 11, 12, 13, 14, 15, 0, 1));
  EXPECT_EQ(testing::resolved(s, "parallel.placement.gpus")->text, "[8, 9, 10, 11, 12, 13, 14, 15, 0, 1]");
}

TEST(Reader, PlacementsThatCannotBeAreRefused) {
  const auto where = [](const std::string& placement) {
    const auto error = error_of(
        [&] { static_cast<void>(testing::read_text(testing::small_scenario(), {"parallel.placement=" + placement})); });
    return error ? error->message() : std::string();
  };
  EXPECT_THAT(where("{gpus: [0, 1, 2]}"), ::testing::HasSubstr("3 GPUs are named for 8 ranks"));
  EXPECT_THAT(where("{gpus: [0, 1, 2, 3, 4, 5, 6, 6]}"), ::testing::HasSubstr("GPU 6 has two ranks"));
  EXPECT_THAT(where("{gpus: [0, 1, 2, 3, 4, 5, 6, 8]}"), ::testing::HasSubstr("there is no GPU 8"));
  EXPECT_THAT(where("{nodelist: 'a,b'}"), ::testing::HasSubstr("2 hosts are named, but the cluster has 1 nodes"));
  EXPECT_THAT(where("{nodelist: a, gpus: [0]}"), ::testing::HasSubstr("says twice"));
  EXPECT_THAT(where("{hostfile: no-such-file}"), ::testing::HasSubstr("cannot be read"));
  EXPECT_EQ(where("{nodelist: a}"), "");
}

}  // namespace
}  // namespace ringsim::scenarios
