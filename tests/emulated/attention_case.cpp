#include "tests/emulated/attention_case.hpp"

#include "kernels/cuda/error.hpp"
#include "kernels/cuda/hopper/attention.hpp"
#include "kernels/cuda/resources.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace ringsim::cuda {
namespace {

constexpr std::int64_t kDim = 128;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// A tensor on the host and on the device, with gaps behind its heads.
template <class T>
struct Tensor {
  Tensor(std::int64_t heads_, std::int64_t rows_, std::int64_t dim_, std::int64_t gap)
      : heads(heads_),
        rows(rows_),
        dim(dim_),
        stride(rows_ * dim_ + gap),
        values(index(heads_ * stride)),
        device(values.size()) {
    if (!values.empty()) std::memset(static_cast<void*>(values.data()), 0xff, values.size() * sizeof(T));
  }
  [[nodiscard]] T& at(std::int64_t head, std::int64_t row, std::int64_t d) {
    return values[index(head * stride + row * dim + d)];
  }
  [[nodiscard]] View<T> view() const { return {device.data(), heads, rows, dim, stride}; }
  void to_device() const {
    check(cudaMemcpy(device.data(), values.data(), device.bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  void to_host() {
    check(cudaMemcpy(values.data(), device.data(), device.bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  }
  /// Whether all bits of all gaps are still set.
  [[nodiscard]] bool gaps_untouched() const {
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
    for (std::int64_t head = 0; head < heads; ++head) {
      const auto* first = bytes + index(head * stride + rows * dim) * sizeof(T);
      const auto* last = bytes + index((head + 1) * stride) * sizeof(T);
      if (!std::all_of(first, last, [](unsigned char byte) { return byte == 0xff; })) return false;
    }
    return true;
  }

  std::int64_t heads, rows, dim, stride;
  std::vector<T> values;
  Memory<T> device;
};

void draw(Tensor<Bf16>& tensor, std::mt19937_64& random) {
  std::normal_distribution<float> normal;
  for (std::int64_t h = 0; h < tensor.heads; ++h) {
    for (std::int64_t t = 0; t < tensor.rows; ++t) {
      for (std::int64_t d = 0; d < tensor.dim; ++d) tensor.at(h, t, d) = to_bf16(normal(random));
    }
  }
}

/// Of a query: its output and its LSE.
struct Row {
  std::vector<double> o = std::vector<double>(index(kDim));
  double lse = -kInfinity;
};

/// Row `i` of head `h`, entry by entry from the definition.
Row plain_row(const AttentionCase& c, Tensor<Bf16>& q, Tensor<Bf16>& k, Tensor<Bf16>& v, std::int64_t h,
              std::int64_t i) {
  Row row;
  const std::int64_t g = h / (c.heads / c.key_heads);
  const std::int64_t end = c.causal ? std::clamp<std::int64_t>(i + c.diagonal + 1, 0, c.keys) : c.keys;
  if (end == 0) return row;
  std::vector<double> scores(index(end));
  for (std::int64_t j = 0; j < end; ++j) {
    double dot = 0;
    for (std::int64_t d = 0; d < kDim; ++d) {
      dot += static_cast<double>(to_float(q.at(h, i, d))) * static_cast<double>(to_float(k.at(g, j, d)));
    }
    scores[index(j)] = c.scale * dot;
  }
  const double maximum = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (const double s : scores) sum += std::exp(s - maximum);
  row.lse = maximum + std::log(sum);
  for (std::int64_t j = 0; j < end; ++j) {
    const double p = std::exp(scores[index(j)] - row.lse);
    for (std::int64_t d = 0; d < kDim; ++d) row.o[index(d)] += p * static_cast<double>(to_float(v.at(g, j, d)));
  }
  return row;
}

/// `row` becomes what (o1, lse1) and it are together (kernels/cuda/merge.hpp).
void merge(Row& row, const std::vector<double>& o1, double lse1) {
  const double maximum = std::max(row.lse, lse1);
  if (maximum == -kInfinity) return;
  const double merged = maximum + std::log(std::exp(row.lse - maximum) + std::exp(lse1 - maximum));
  for (std::size_t d = 0; d < row.o.size(); ++d) {
    row.o[d] = std::exp(row.lse - merged) * row.o[d] + std::exp(lse1 - merged) * o1[d];
  }
  row.lse = merged;
}

/// Adds up differences, row by row.
class Comparison {
 public:
  void add(const Row& expected, const std::vector<double>& o, double lse, std::int64_t h, std::int64_t i) {
    const auto note = [&](const char* what) {
      if (wrong_.empty()) wrong_ = "head " + std::to_string(h) + ", row " + std::to_string(i) + ": " + what;
    };
    if (std::isnan(lse)) note("lse is NaN");
    if (std::ranges::any_of(o, [](double x) { return std::isnan(x); })) note("o has NaN");
    if (expected.lse == -kInfinity) {
      if (lse != -kInfinity) note("lse is not -infinity");
      if (std::ranges::any_of(o, [](double x) { return x != 0; })) note("o is not 0");
      return;
    }
    lse_ = std::max(lse_, std::abs(lse - expected.lse));
    for (std::size_t d = 0; d < o.size(); ++d) {
      difference_ += (o[d] - expected.o[d]) * (o[d] - expected.o[d]);
      norm_ += expected.o[d] * expected.o[d];
    }
  }
  [[nodiscard]] AttentionDeviation result(bool gaps_untouched) const {
    AttentionDeviation deviation{norm_ > 0 ? std::sqrt(difference_ / norm_) : std::sqrt(difference_), lse_, wrong_};
    if (deviation.wrong.empty() && !gaps_untouched) deviation.wrong = "a gap between heads was written";
    return deviation;
  }

 private:
  double difference_ = 0, norm_ = 0, lse_ = 0;
  std::string wrong_;
};

/// An accumulator's first value: of every third row that of a query that has seen no key.
void draw_accumulator(Tensor<float>& o, Tensor<float>& lse, std::mt19937_64& random) {
  std::normal_distribution<float> normal;
  for (std::int64_t h = 0; h < o.heads; ++h) {
    for (std::int64_t i = 0; i < o.rows; ++i) {
      const bool empty = (h + i) % 3 == 0;
      lse.at(h, i, 0) = empty ? -std::numeric_limits<float>::infinity() : 2 + 3 * normal(random);
      for (std::int64_t d = 0; d < kDim; ++d) o.at(h, i, d) = empty ? 0 : normal(random);
    }
  }
}

std::vector<double> row_of(Tensor<float>& o, std::int64_t h, std::int64_t i) {
  std::vector<double> row;
  for (std::int64_t d = 0; d < kDim; ++d) row.push_back(static_cast<double>(o.at(h, i, d)));
  return row;
}
std::vector<double> row_of(Tensor<Bf16>& o, std::int64_t h, std::int64_t i) {
  std::vector<double> row;
  for (std::int64_t d = 0; d < kDim; ++d) row.push_back(static_cast<double>(to_float(o.at(h, i, d))));
  return row;
}

}  // namespace

AttentionDeviation run(const AttentionCase& c, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Tensor<Bf16> q(c.heads, c.queries, kDim, c.gap), k(c.key_heads, c.keys, kDim, c.gap),
      v(c.key_heads, c.keys, kDim, c.gap);
  for (auto* tensor : {&q, &k, &v}) {
    draw(*tensor, random);
    tensor->to_device();
  }
  Tensor<float> lse(c.heads, c.queries, 1, c.gap);
  ForwardCall call;
  call.q = q.view();
  call.k = k.view();
  call.v = v.view();
  call.causal = c.causal;
  call.scale = c.scale;
  const HopperOptions options{c.sms, c.diagonal, c.key_rows};
  Comparison comparison;
  if (!c.merging) {
    Tensor<Bf16> o(c.heads, c.queries, kDim, c.gap);
    o.to_device();
    lse.to_device();
    call.o = o.view();
    call.lse = lse.view();
    hopper_forward(call, options, nullptr);
    check(cudaDeviceSynchronize(), "the kernel");
    o.to_host();
    lse.to_host();
    for (std::int64_t h = 0; h < c.heads; ++h) {
      for (std::int64_t i = 0; i < c.queries; ++i) {
        comparison.add(plain_row(c, q, k, v, h, i), row_of(o, h, i), static_cast<double>(lse.at(h, i, 0)), h, i);
      }
    }
    return comparison.result(o.gaps_untouched() && lse.gaps_untouched());
  }
  Tensor<float> o(c.heads, c.queries, kDim, c.gap);
  draw_accumulator(o, lse, random);
  std::vector<Row> expected;
  for (std::int64_t h = 0; h < c.heads; ++h) {
    for (std::int64_t i = 0; i < c.queries; ++i) {
      expected.push_back(plain_row(c, q, k, v, h, i));
      merge(expected.back(), row_of(o, h, i), static_cast<double>(lse.at(h, i, 0)));
    }
  }
  o.to_device();
  lse.to_device();
  hopper_forward_merging(call, {o.view(), lse.view()}, options, nullptr);
  check(cudaDeviceSynchronize(), "the kernel");
  o.to_host();
  lse.to_host();
  for (std::int64_t h = 0; h < c.heads; ++h) {
    for (std::int64_t i = 0; i < c.queries; ++i) {
      comparison.add(expected[index(h * c.queries + i)], row_of(o, h, i), static_cast<double>(lse.at(h, i, 0)), h, i);
    }
  }
  return comparison.result(o.gaps_untouched() && lse.gaps_untouched());
}

std::ostream& operator<<(std::ostream& out, const AttentionCase& c) {
  out << c.heads << "/" << c.key_heads << " heads, " << c.queries << " x " << c.keys
      << (c.causal ? " causal" : " full");
  if (c.diagonal != 0) out << ", diagonal " << c.diagonal;
  if (c.gap != 0) out << ", gap " << c.gap;
  if (c.key_rows != 0) out << ", blocks of " << c.key_rows;
  if (c.merging) out << ", merging";
  return out << ", " << c.sms << " blocks";
}

}  // namespace ringsim::cuda
