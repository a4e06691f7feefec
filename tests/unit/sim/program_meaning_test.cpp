// Executes ring programs on block names instead of numbers: each buffer holds the name of a block, each gradient the
// names of the ranks that added to it. So it shows that every rank computes with the block that it should, and that
// every gradient comes home complete, from the programs' own slots.
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Ring;

constexpr std::int64_t empty = -1;

struct Buffer {
  std::int64_t block = empty;
  std::set<std::int64_t> contributions;  // gradients: ranks whose share is in
};

class Interpreter {
 public:
  Interpreter(const Program& program, Pass pass) : program_(program), pass_(pass), n_(program.ring()) {
    ranks_.resize(static_cast<std::size_t>(n_));
    for (auto& rank : ranks_) rank.resize(program.tensors.size(), std::vector<Buffer>(3));
    for (std::int64_t r = 0; r < n_; ++r)
      buffer(r, operands(), 0) = {r, {}};  // a rank starts with its own block in slot 0
  }

  void run() {
    for_each_execution(program_.body, [&](const Operation& operation, std::int64_t, std::int64_t step) {
      if (const auto* shift = std::get_if<Shift>(&operation.what); shift != nullptr && shift->pass == pass_)
        move(*shift, step);
      if (const auto* attend = std::get_if<Attend>(&operation.what); attend != nullptr && attend->pass == pass_)
        compute(*attend, step);
      if (const auto* merge = std::get_if<Merge>(&operation.what); merge != nullptr && merge->pass == pass_)
        add(*merge, step);
    });
  }

  // Blocks that each rank computed with, in order.
  std::vector<std::vector<std::int64_t>> seen;
  // Where the travelling gradients ended.
  [[nodiscard]] const Buffer& gradient(std::int64_t rank, std::int64_t slot) const {
    return ranks_[static_cast<std::size_t>(rank)].back()[static_cast<std::size_t>(slot)];
  }

 private:
  [[nodiscard]] std::size_t operands() const { return program_.tensors.size() - (pass_ == Pass::backward ? 2 : 1); }
  static std::size_t slot(const Slot& s, std::int64_t step) {
    return static_cast<std::size_t>((step + s.offset) % s.count);
  }
  Buffer& buffer(std::int64_t rank, std::size_t tensor, std::size_t slot) {
    return ranks_[static_cast<std::size_t>(rank)][tensor][slot];
  }

  // All ranks send and receive at once: read everything, then write.
  void move(const Shift& shift, std::int64_t step) {
    for (const ShiftItem& item : shift.items) {
      std::vector<Buffer> sent;
      for (std::int64_t r = 0; r < n_; ++r) sent.push_back(buffer(r, item.tensor, slot(item.from, step)));
      for (std::int64_t r = 0; r < n_; ++r) {
        ASSERT_NE(sent[static_cast<std::size_t>(r)].block, empty) << "step " << step << ": an empty buffer is sent";
        EXPECT_EQ(sent[static_cast<std::size_t>(r)].block, ((r - step + item.lag) % n_ + n_) % n_)
            << "the item's lag does not name the block in its buffer";
        buffer((r + 1) % n_, item.tensor, slot(item.to, step)) = sent[static_cast<std::size_t>(r)];
      }
    }
  }

  void compute(const Attend& attend, std::int64_t step) {
    seen.resize(static_cast<std::size_t>(n_));
    for (std::int64_t r = 0; r < n_; ++r) {
      const std::int64_t block = buffer(r, operands(), slot(attend.slot, step)).block;
      EXPECT_EQ(block, ((r - step) % n_ + n_) % n_) << "step " << step << " rank " << r;
      seen[static_cast<std::size_t>(r)].push_back(block);
      // The first contribution to a travelling gradient is the gradient.
      if (step == 0 && pass_ == Pass::backward) ranks_[static_cast<std::size_t>(r)].back()[0] = {r, {r}};
    }
  }

  void add(const Merge& merge, std::int64_t step) {
    if (!merge.travelling) return;
    for (std::int64_t r = 0; r < n_; ++r) {
      Buffer& gradient =
          ranks_[static_cast<std::size_t>(r)].back()[static_cast<std::size_t>(step % 2)];  // arrived in this step
      EXPECT_EQ(gradient.block, seen[static_cast<std::size_t>(r)].back())
          << "the gradient of another block, step " << step;
      EXPECT_TRUE(gradient.contributions.insert(r).second) << "added twice";
      EXPECT_EQ(gradient.contributions.size(), static_cast<std::size_t>(step + 1)) << "a contribution is missing";
    }
  }

  const Program& program_;
  Pass pass_;
  std::int64_t n_;
  std::vector<std::vector<std::vector<Buffer>>> ranks_;  // rank, tensor, slot
};

class Meaning : public testing::TestWithParam<std::tuple<std::int64_t, std::int64_t>> {};

void expect_every_block_once(const Interpreter& interpreter, std::int64_t n) {
  ASSERT_EQ(interpreter.seen.size(), static_cast<std::size_t>(n));
  for (const auto& blocks : interpreter.seen) {
    EXPECT_EQ(blocks.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(std::set<std::int64_t>(blocks.begin(), blocks.end()).size(), static_cast<std::size_t>(n));
  }
}

TEST_P(Meaning, ForwardComputesWithEveryBlockOnce) {
  const auto [n, buffers] = GetParam();
  const Program program = program_of(Ring{.ranks = n, .tokens = n, .buffers = buffers}, Passes::forward);
  Interpreter interpreter(program, Pass::forward);
  interpreter.run();
  expect_every_block_once(interpreter, n);
}

TEST_P(Meaning, BackwardBringsEveryGradientHomeComplete) {
  const auto [n, buffers] = GetParam();
  for (const Rotation rotation : {Rotation::kv, Rotation::q}) {
    const Program program =
        program_of(Ring{.ranks = n, .tokens = n, .buffers = buffers, .backward_travels = rotation}, Passes::backward);
    Interpreter interpreter(program, Pass::backward);
    interpreter.run();
    expect_every_block_once(interpreter, n);
    for (std::int64_t r = 0; r < n; ++r) {
      // N shifts bring it around once; it lands in the other of two buffers after an odd number of them.
      const Buffer& home = interpreter.gradient(r, n == 1 ? 0 : n % 2);
      EXPECT_EQ(home.block, r) << "not on its owner";
      EXPECT_EQ(home.contributions.size(), static_cast<std::size_t>(n)) << "incomplete";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(RingsAndBuffers, Meaning,
                         testing::Combine(testing::Values(1, 2, 3, 4, 5, 8), testing::Values(2, 3)));

}  // namespace
}  // namespace ringsim::sim
