// cuDNN asked about an H200 on a machine without one: does it offer engines for our graphs, do they compile, do plans
// come out? What is not asked, as it takes a device: what they compute, and how fast.
#include "kernels/cuda/cudnn/attention_graphs.hpp"
#include "kernels/cuda/cudnn/plan.hpp"
#include "models/error.hpp"
#include "tests/cudnn/driver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#if RINGSIM_HAS_CUDNN

namespace ringsim::cuda::cudnn {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string h200() {
  std::ifstream file(RINGSIM_SOURCE_DIR "/tests/data/cuda/h200-deviceprop.json");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// `spread`: heads are that many times as far apart as their rows fill, as those of a part of a block are.
AttentionShape shape(std::int64_t heads, std::int64_t kv_heads, std::int64_t queries, std::int64_t keys,
                     std::int64_t dim, bool causal, std::int64_t spread = 1) {
  const Layout of_queries{spread * queries * dim, dim};
  const Layout of_keys{spread * keys * dim, dim};
  AttentionShape s{heads, kv_heads, queries, keys, dim, dim, causal, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  s.q = s.o = s.d_out = s.dq = of_queries;
  s.k = s.v = s.dk = s.dv = of_keys;
  s.lse = {spread * queries, 1};
  return s;
}

enum class Pass { forward, backward };

Graph graph_of(Pass pass, const AttentionShape& s) {
  return pass == Pass::forward ? forward_graph(s) : backward_graph(s);
}

Tensor& tensor_of(Graph& graph, Uid uid) { return *std::ranges::find(graph.tensors, uid, &Tensor::uid); }

class Deviceless : public ::testing::Test {
 protected:
  void SetUp() override {
    static const TestDriver opened = open_test_driver();
    driver_ = opened;
    if (!opened.why_not.empty()) GTEST_SKIP() << opened.why_not;
    try {
      static_cast<void>(cudnn_library());
    } catch (const MissingLibrary& error) {
      GTEST_SKIP() << error.message() << "; " << error.where();
    }
  }

  TestDriver driver_;

  /// Numbers of the offered engines, best first; empty where there is none.
  static std::vector<std::int64_t> engines(const Graph& graph, const Target& target) {
    const OperationGraph operations(graph, target);
    std::vector<std::int64_t> numbers;
    for (const EngineConfig& offered : offered_engines(operations, target)) numbers.push_back(offered.engine);
    return numbers;
  }

  /// Every combination of heads, head dimension, lengths and distances of heads.
  static void expect_engines_for_all(Pass pass, bool causal) {
    struct Heads {
      std::int64_t queries, keys;
    };
    struct Lengths {
      std::int64_t queries, keys;
    };
    const Target target = Target::described(h200());
    std::map<std::vector<std::int64_t>, int> offers;
    for (const Heads heads : {Heads{16, 16}, {64, 8}, {32, 8}}) {
      for (const std::int64_t dim : {64, 128}) {
        // Square; the two halves of a zigzag ring; lengths that fill no tile.
        for (const Lengths lengths : {Lengths{4096, 4096}, {4096, 2048}, {2048, 4096}, {300, 1000}}) {
          for (const std::int64_t spread : {1, 2}) {
            SCOPED_TRACE(::testing::Message()
                         << heads.queries << "/" << heads.keys << " heads of " << dim << ", " << lengths.queries
                         << " x " << lengths.keys << ", heads " << spread << " times as far apart as they are long");
            const AttentionShape s =
                shape(heads.queries, heads.keys, lengths.queries, lengths.keys, dim, causal, spread);
            std::vector<std::int64_t> offered;
            EXPECT_NO_THROW(offered = engines(graph_of(pass, s), target));
            EXPECT_FALSE(offered.empty());
            ++offers[offered];
          }
        }
      }
    }
    for (const auto& [offered, count] : offers) {
      std::cout << count << " graphs: engines";
      for (const std::int64_t engine : offered) std::cout << ' ' << engine;
      std::cout << '\n';
    }
  }
};

TEST_F(Deviceless, OffersEnginesForForwardFull) { expect_engines_for_all(Pass::forward, false); }
TEST_F(Deviceless, OffersEnginesForForwardCausal) { expect_engines_for_all(Pass::forward, true); }
TEST_F(Deviceless, OffersEnginesForBackwardFull) { expect_engines_for_all(Pass::backward, false); }
TEST_F(Deviceless, OffersEnginesForBackwardCausal) { expect_engines_for_all(Pass::backward, true); }

// Building a plan writes the engine's kernel, compiles it, loads it and asks for its entry. With our driver the best
// engine comes out, and one kernel has been loaded; with the toolkit's stub the last step fails, in a call of the
// driver, and any reason before it would be cuDNN's or the compiler's own. A second or two each, so few of them.
TEST_F(Deviceless, BuildsPlansOfTheBestEngine) {
  const Target target = Target::described(h200());
  for (const Graph& graph :
       {forward_graph(shape(16, 16, 4096, 4096, 128, true)), forward_graph(shape(64, 8, 2048, 4096, 64, false, 2)),
        backward_graph(shape(16, 16, 2048, 2048, 128, true)), backward_graph(shape(32, 8, 300, 1000, 128, false, 2))}) {
    if (driver_.takes_kernels()) {
      const int before = driver_.loaded_libraries();
      const Plan plan(graph, target);
      EXPECT_EQ(plan.engine(), engines(graph, target).front());
      EXPECT_EQ(driver_.loaded_libraries(), before + 1);
      EXPECT_THAT(driver_.last_kernel(), HasSubstr("sm90"));
      std::cout << driver_.last_kernel() << ", workspace " << plan.workspace_bytes() << " bytes\n";
    } else {
      try {
        const Plan plan(graph, target);
      } catch (const Error& error) {
        EXPECT_THAT(error.message(), HasSubstr("cuLibraryLoadData"));
      }
    }
  }
}

// Where query heads share key/value heads, dK and dV of all 32 query heads are kept before they are summed: 2 tensors
// of 32 heads × 1,024 keys × 128 numbers of 2 bytes in cuDNN's own workspace. Where none are shared nothing of that
// size is needed.
TEST_F(Deviceless, WorkspaceHoldsTheGradientsOfSharedHeads) {
  if (!driver_.takes_kernels()) GTEST_SKIP() << "without the driver for tests no plan comes out";
  const Target target = Target::described(h200());
  constexpr std::size_t gradients = std::size_t{2} * 32 * 1024 * 128 * 2;
  const Plan shared(backward_graph(shape(32, 8, 1024, 1024, 128, false)), target);
  EXPECT_GE(shared.workspace_bytes(), gradients);
  EXPECT_LT(shared.workspace_bytes(), gradients + (std::size_t{1} << 20U));
  const Plan own(backward_graph(shape(32, 32, 1024, 1024, 128, false)), target);
  EXPECT_LT(own.workspace_bytes(), std::size_t{1} << 20U);
}

// The inner dimensions of the product Q·Kᵀ differ: no matrix product.
TEST_F(Deviceless, RefusesAProductThatDoesNotFit) {
  const Target target = Target::described(h200());
  Graph graph = forward_graph(shape(16, 16, 4096, 4096, 128, false));
  tensor_of(graph, uid::k).dims[2] = 64;
  EXPECT_THROW(static_cast<void>(engines(graph, target)), Error);
}

// 16 query heads cannot share 5 key/value heads.
TEST_F(Deviceless, RefusesHeadsThatDoNotDivide) {
  const Target target = Target::described(h200());
  EXPECT_THROW(static_cast<void>(engines(forward_graph(shape(16, 5, 4096, 4096, 128, false)), target)), Error);
}

// With a logarithm in place of the exponential the graph is well-formed but no attention, and no engine is made for it.
TEST_F(Deviceless, OffersNothingForAGraphThatIsNoAttention) {
  const Target target = Target::described(h200());
  Graph graph = backward_graph(shape(16, 16, 4096, 4096, 128, false));
  std::ranges::find(graph.nodes, NodeKind::exponential, &Node::kind)->kind = NodeKind::logarithm;
  EXPECT_THAT(engines(graph, target), ::testing::IsEmpty());
  EXPECT_THROW(Plan(graph, target), Error);
}

// The first choice for backward needs memory in which it sums dQ: without it, it is not offered. So the graph must
// have it.
TEST_F(Deviceless, BestBackwardEngineNeedsMemoryForDq) {
  const Target target = Target::described(h200());
  Graph graph = backward_graph(shape(16, 16, 4096, 4096, 128, false));
  const std::vector<std::int64_t> with_memory = engines(graph, target);
  tensor_of(graph, uid::dq_accumulator).storage = Storage::none;
  const std::vector<std::int64_t> without = engines(graph, target);
  ASSERT_FALSE(with_memory.empty());
  EXPECT_THAT(without, Not(::testing::Contains(with_memory.front())));
}

TEST_F(Deviceless, RefusesADescriptionThatIsNone) {
  EXPECT_THROW(static_cast<void>(Target::described("{\"deviceVer\": 900}")), Error);
  EXPECT_THROW(static_cast<void>(Target::described("no description")), Error);
}

}  // namespace
}  // namespace ringsim::cuda::cudnn

#else

TEST(Deviceless, IsNotBuiltIn) { GTEST_SKIP() << "compiled without cudnn_graph.h"; }

#endif
