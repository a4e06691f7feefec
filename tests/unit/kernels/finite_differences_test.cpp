// Gradients are derivatives: those of the reference against central differences of its own output.
#include "tests/unit/kernels/inputs.hpp"

#include <gtest/gtest.h>

namespace ringsim::host {
namespace {

double loss(const Block<double>& sequence, const Mask& mask, double scale) {
  const Partial<double> output = reference_attention(sequence, mask, scale);
  double sum = 0;
  for (std::size_t head = 0; head < output.o.size(); ++head) {
    sum += sequence.d_out[head].cwiseProduct(output.o[head]).sum();
  }
  return sum;
}

void expect_derivatives(Block<double>& sequence, Heads<double>& inputs, const Heads<double>& gradient,
                        const Mask& mask) {
  constexpr double scale = 0.7;
  constexpr double difference = 1e-5;
  ASSERT_EQ(inputs.size(), gradient.size());
  for (std::size_t head = 0; head < inputs.size(); ++head) {
    for (Eigen::Index row = 0; row < inputs[head].rows(); ++row) {
      for (Eigen::Index column = 0; column < inputs[head].cols(); ++column) {
        double& x = inputs[head](row, column);
        const double before = x;
        x = before + difference;
        const double above = loss(sequence, mask, scale);
        x = before - difference;
        const double below = loss(sequence, mask, scale);
        x = before;
        EXPECT_NEAR(gradient[head](row, column), (above - below) / (2 * difference), 1e-8);
      }
    }
  }
}

TEST(FiniteDifferences, EqualTheReferenceGradients) {
  for (const Mask& mask : {Mask{false, std::nullopt}, Mask{true, std::nullopt}, Mask{true, 2}}) {
    Block<double> sequence = inputs::sequence_of({1, 2, 1, 3, 2}, 5, 11);
    const Block<double> gradient = reference_gradients(sequence, mask, 0.7);
    expect_derivatives(sequence, sequence.q, gradient.q, mask);
    expect_derivatives(sequence, sequence.k, gradient.k, mask);
    expect_derivatives(sequence, sequence.v, gradient.v, mask);
  }
}

}  // namespace
}  // namespace ringsim::host
