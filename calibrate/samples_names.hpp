#pragma once
// Words of the samples file for what is an enumeration in the program. Of reader and writer alone.

#include "calibrate/points.hpp"
#include "models/cost.hpp"
#include "models/numeric.hpp"
#include "models/plan.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace ringsim::calibrate {

template <class E, std::size_t N>
using Names = std::array<std::pair<std::string_view, E>, N>;

inline constexpr Names<Pass, 2> pass_names{{{"forward", Pass::forward}, {"backward", Pass::backward}}};
inline constexpr Names<Dtype, 5> dtype_names{
    {{"bf16", Dtype::bf16}, {"fp16", Dtype::fp16}, {"fp8", Dtype::fp8}, {"fp32", Dtype::fp32}, {"fp64", Dtype::fp64}}};
inline constexpr Names<GradientDtype, 3> gradient_names{
    {{"bf16", GradientDtype::bf16}, {"fp32", GradientDtype::fp32}, {"fp64", GradientDtype::fp64}}};
inline constexpr Names<Accumulator, 3> accumulator_names{{{"output", Accumulator::output},
                                                          {"q-gradient", Accumulator::q_gradient},
                                                          {"kv-gradient", Accumulator::kv_gradient}}};
inline constexpr Names<TransferEngine, 2> engine_names{
    {{"sm-kernel", TransferEngine::sm_kernel}, {"copy-engine", TransferEngine::copy_engine}}};
inline constexpr Names<Overhead, 4> overhead_names{
    {{"event", Overhead::event}, {"eager", Overhead::eager}, {"graph", Overhead::graph}, {"issue", Overhead::issue}}};

template <class E, std::size_t N>
constexpr std::string_view word_of(const Names<E, N>& names, E value) {
  for (const auto& [word, meaning] : names) {
    if (meaning == value) return word;
  }
  return {};
}

}  // namespace ringsim::calibrate
