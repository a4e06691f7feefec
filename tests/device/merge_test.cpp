// Merges and elementwise kernels on a GPU, against double precision on the host.
#include "kernels/cuda/merge.hpp"

#include "tests/device/gpu.hpp"

#include <limits>

namespace ringsim::cuda::device_tests {
namespace {

constexpr std::int64_t heads = 3;
constexpr std::int64_t rows = 70;
constexpr std::int64_t dim = 128;
constexpr float nothing = -std::numeric_limits<float>::infinity();

std::vector<float> as_floats(const std::vector<double>& values, double factor = 1) {
  std::vector<float> floats;
  for (const double x : values) floats.push_back(static_cast<float>(factor * x));
  return floats;
}

class Merge : public OnGpu {};

// Row by row there is a statistic on both sides, on one, on the other, or on neither.
TEST_F(Merge, SmallOutputsByTheirStatistics) {
  const Memory<Bf16> partial = random_numbers(heads * rows * dim, 1);
  std::vector<float> accumulated = as_floats(on_host(random_numbers(heads * rows * dim, 2)));
  std::vector<float> lse = as_floats(on_host(random_numbers(heads * rows, 3)), 3);
  std::vector<float> partial_lse = as_floats(on_host(random_numbers(heads * rows, 4)), 3);
  for (std::size_t i = 0; i < lse.size(); ++i) {
    if (i % 5 == 1 || i % 5 == 3) lse[i] = nothing;
    if (i % 5 == 2 || i % 5 == 3) partial_lse[i] = nothing;
  }
  const Memory<float> o = on_device(accumulated);
  const Memory<float> l = on_device(lse);
  const Memory<float> from = on_device(partial_lse);
  const Stream stream;
  merge_output({contiguous(o.data(), heads, rows, dim), contiguous(l.data(), heads, rows, std::int64_t{1})},
               contiguous<const Bf16>(partial.data(), heads, rows, dim),
               contiguous<const float>(from.data(), heads, rows, std::int64_t{1}), stream.get());
  stream.synchronize();

  // L = log(exp L1 + exp L2), O = exp(L1 − L)·O1 + exp(L2 − L)·O2; over no key at all O = 0 and L = −∞.
  const std::vector<double> added = on_host(partial);
  std::vector<double> expected_o;
  std::vector<double> expected_lse;
  for (std::size_t row = 0; row < lse.size(); ++row) {
    const double first = std::exp(static_cast<double>(lse[row]));
    const double second = std::exp(static_cast<double>(partial_lse[row]));
    const double sum = first + second;
    expected_lse.push_back(std::log(sum));
    for (std::size_t d = 0; d < static_cast<std::size_t>(dim); ++d) {
      const std::size_t i = row * static_cast<std::size_t>(dim) + d;
      expected_o.push_back(sum > 0 ? (first * static_cast<double>(accumulated[i]) + second * added[i]) / sum : 0.0);
    }
  }
  EXPECT_LT(relative_distance(on_host(o), expected_o), 1e-6);
  EXPECT_LT(largest_distance(on_host(l), expected_lse), 1e-5);
}

TEST_F(Merge, SmallStartAndClear) {
  const Memory<Bf16> partial = random_numbers(heads * rows * dim, 1);
  const Memory<float> from = on_device(as_floats(on_host(random_numbers(heads * rows, 4))));
  const Memory<float> o = poisoned<float>(heads * rows * dim);
  const Memory<float> l = poisoned<float>(heads * rows);
  const OutputAccumulator into{contiguous(o.data(), heads, rows, dim),
                               contiguous(l.data(), heads, rows, std::int64_t{1})};
  const Stream stream;
  start_output(into, contiguous<const Bf16>(partial.data(), heads, rows, dim),
               contiguous<const float>(from.data(), heads, rows, std::int64_t{1}), stream.get());
  stream.synchronize();
  EXPECT_EQ(on_host(o), on_host(partial));  // bf16 is exact in fp32
  EXPECT_EQ(on_host(l), on_host(from));
  clear_output(into, stream.get());
  stream.synchronize();
  EXPECT_EQ(on_host(o), std::vector<double>(o.size(), 0.0));
  EXPECT_EQ(on_host(l), std::vector<double>(l.size(), -std::numeric_limits<double>::infinity()));
}

TEST_F(Merge, SmallSumsAreThoseOfFloats) {
  const Memory<Bf16> from = random_numbers(heads * rows * dim, 5);
  const std::vector<float> before = as_floats(on_host(random_numbers(heads * rows * dim, 6)));
  const Memory<float> to = on_device(before);
  const Stream stream;
  add(contiguous(to.data(), heads, rows, dim), contiguous<const Bf16>(from.data(), heads, rows, dim), stream.get());
  stream.synchronize();
  const std::vector<double> added = on_host(from);
  std::vector<double> expected;
  for (std::size_t i = 0; i < before.size(); ++i) {
    expected.push_back(static_cast<double>(before[i] + static_cast<float>(added[i])));
  }
  EXPECT_EQ(on_host(to), expected);  // one addition in fp32: the same on every machine
}

}  // namespace
}  // namespace ringsim::cuda::device_tests
