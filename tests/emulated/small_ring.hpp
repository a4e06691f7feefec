#pragma once
// Programs of small rings, for tests of the GPU's executor, emulated and real; and how far off bf16 may be.

#include "models/layout.hpp"
#include "sim/schedules/ring.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

namespace ringsim::cuda {

struct SmallRing {
  Layout layout = Layout::zigzag;
  std::int64_t ring = 2;
  std::int64_t tokens = 32;
  bool trains = false;
  bool causal = true;
  std::int64_t buffers = 2;
  GradientDtype gradient = GradientDtype::fp32;
  std::int64_t layers = 1;
  HeadShape heads{1, 4, 2, 16, 16};
};

[[nodiscard]] inline sim::Program program_of(const SmallRing& c) {
  sim::RingSpec spec{.shards = Shards(c.layout, c.tokens, c.ring)};
  spec.shape.heads = c.heads;
  spec.shape.dtype = Dtype::bf16;
  spec.shape.gradient = c.gradient;
  spec.buffers = c.buffers;
  spec.masks = {Mask{c.causal, {}}};
  spec.mask_of_layer.assign(static_cast<std::size_t>(c.layers), 0);
  return sim::ring_program_of(spec, true, c.trains);
}

[[nodiscard]] inline double scale_of(const sim::Program& program) {
  return 1 / std::sqrt(static_cast<double>(program.shape.heads.query_key_dim));
}

[[nodiscard]] inline double worst(const std::map<std::string, double>& errors) {
  double largest = 0;
  for (const auto& [name, error] : errors)
    largest = std::max(largest, std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
  return largest;
}

// bf16 has 8 bits of precision: half a step is 2^-9 = 0.002 of a number. Inputs are the same on both sides, the weights of a row are rounded before they
// are multiplied with V, the result once more: some thousandths of the largest number, and a little more for gradients that are rounded at each
// hop. Wrong blocks, halves or factors are off by something like 1.
inline constexpr double rounding = 1e-2;

[[nodiscard]] inline std::string text_of(const SmallRing& c) {
  return std::string(name_of(c.layout)) + " ring " + std::to_string(c.ring) + " tokens " + std::to_string(c.tokens) +
         (c.trains ? " train" : " prefill") + (c.causal ? " causal" : " full") + " buffers " +
         std::to_string(c.buffers);
}

}  // namespace ringsim::cuda
