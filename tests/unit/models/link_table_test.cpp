// Links by family and numbers: each once, in the order in which they come up, with the names that link_names.hpp knows.
#include "models/topology/link_table.hpp"

#include "models/topology/link_names.hpp"
#include "models/topology/network.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

TEST(LinkTable, NumbersLinksAsTheyComeUpAndKeepsTheFirstBandwidth) {
  LinkTable table;
  EXPECT_EQ(table.index_of("node#.gpu#.out", {3, 5}, bytes_per_second(7)), 0U);
  EXPECT_EQ(table.index_of("node#.gpu#.in", {3, 5}, bytes_per_second(8)), 1U);
  EXPECT_EQ(table.index_of("node#.gpu#.out", {5, 3}, bytes_per_second(9)), 2U);
  EXPECT_EQ(table.index_of("node#.gpu#.out", {3, 5}, bytes_per_second(1)), 0U);
  EXPECT_EQ(table.size(), 3U);
  EXPECT_EQ(table.name(0), "node3.gpu5.out");
  EXPECT_EQ(table[1].name, "node3.gpu5.in");
  EXPECT_EQ(table[2].name, "node5.gpu3.out");
  EXPECT_EQ(table.bandwidth(0), bytes_per_second(7));
  table.set_bandwidth(0, bytes_per_second(2));
  EXPECT_EQ(table[0].bandwidth, bytes_per_second(2));
  const std::vector<NetworkLink> named = table.named();
  ASSERT_EQ(named.size(), 3U);
  EXPECT_EQ(named[2].name, "node5.gpu3.out");
}

// More links than the table begins with, three numbers each: every one is found again after all that growing.
TEST(LinkTable, FindsEveryLinkAgainWhenItHasGrown) {
  LinkTable table;
  const auto all = [&](auto visit) {
    LinkIndex expected = 0;
    for (std::int64_t pod = 0; pod < 20; ++pod) {
      for (std::int64_t spine = 0; spine < 20; ++spine) {
        for (std::int64_t up = 0; up < 20; ++up) visit(LinkNumbers{pod, spine, up}, expected++);
      }
    }
  };
  for (int pass = 0; pass < 2; ++pass) {
    all([&](const LinkNumbers& numbers, LinkIndex expected) {
      EXPECT_EQ(table.index_of("pod#.spine#.up#", numbers, bytes_per_second(1)), expected);
    });
  }
  EXPECT_EQ(table.size(), 8000U);
  EXPECT_EQ(table.name(20 * 20 * 19 + 20 * 7 + 11), "pod19.spine7.up11");
}

// A route that is found into the memory of another one is the route itself.
TEST(LinkTable, ARouteReplacesTheOneBefore) {
  Network network(shapes::dgx_h100(2));
  const Route inside = network.route(0, 1);
  const Route outside = network.route(7, 8);
  Route route = outside;
  network.find_route(0, 1, route);
  EXPECT_EQ(route.links, inside.links);
  EXPECT_EQ(route.reach, Reach::nvlink);
  EXPECT_FALSE(route.inter_node);
  network.find_route(7, 8, route);
  EXPECT_EQ(route.links, outside.links);
  EXPECT_EQ(route.reach, Reach::leaf);
  EXPECT_TRUE(route.inter_node);
}

}  // namespace
}  // namespace ringsim
