// The order of the five degrees as text.
#include "models/error.hpp"
#include "models/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace ringsim {
namespace {

TEST(Order, EveryPermutationReadsBackAsItself) {
  std::array<Axis, 5> order = all_axes;  // ascending, so that next_permutation visits all 5! = 120
  std::set<std::string> texts;
  do {
    const std::string text = format_order(order);
    EXPECT_EQ(parse_order(text), order) << text;
    texts.insert(text);
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(texts.size(), 120U);
}

TEST(Order, IsWrittenInnermostFirst) {
  EXPECT_EQ(format_order(all_axes), "tensor-ulysses-ring-pipeline-data");
  EXPECT_EQ(parse_order("ring-tensor-ulysses-pipeline-data")[0], Axis::ring);
}

TEST(Order, ShortNamesArePlacedWithUlyssesInsideTheRing) {
  // Megatron-LM's default: tp, then cp (here Ulysses and the ring around it), ep without a degree here, dp, pp.
  EXPECT_EQ(format_order(parse_order("tp-cp-ep-dp-pp")), "tensor-ulysses-ring-data-pipeline");
  EXPECT_EQ(format_order(parse_order("cp-tp-dp-pp")), "ulysses-ring-tensor-data-pipeline");
  EXPECT_EQ(format_order(parse_order("tp-cp-dp-pp-up")), "tensor-ring-data-pipeline-ulysses");
  // Long names say themselves where Ulysses stands.
  EXPECT_THROW(static_cast<void>(parse_order("tensor-ring-data-pipeline")), Error);
  EXPECT_THROW(static_cast<void>(parse_order("tp-cp-dp")), Error) << "the pipeline is missing";
  EXPECT_THROW(static_cast<void>(parse_order("tp-cp-cp-dp-pp")), Error);
}

TEST(Order, OfAnythingElseIsRefused) {
  for (const char* text : {"", "-", "tensor", "tensor-ulysses-ring-pipeline", "tensor-ulysses-ring-pipeline-data-",
                           "-tensor-ulysses-ring-pipeline-data", "tensor-ulysses-ring-pipeline-data-ring",
                           "tensor-tensor-ring-pipeline-data", "tensor--ulysses-ring-pipeline-data",
                           "Tensor-ulysses-ring-pipeline-data", "tensor ulysses ring pipeline data",
                           "tensor-ulysses-ring-pipeline-dat", "tensor-ulysses-ring-pipeline-data "}) {
    try {
      static_cast<void>(parse_order(text));
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& e) {
      EXPECT_EQ(e.where(), "parallel.order");
      EXPECT_FALSE(e.hint().empty());
    }
  }
}

}  // namespace
}  // namespace ringsim
