// Kernels, merges, matrix products and copies: what needs no transfer.
#include "calibrate/host/kernel_data.hpp"
#include "calibrate/host/task.hpp"
#include "kernels/host/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace ringsim::calibrate {
namespace {

template <class T>
Task attention_task(CollectiveSampler& sampler, Pass pass, const AttentionCase& what, const HeadShape& heads,
                    Dtype dtype) {
  AttentionPoint point;
  point.pass = pass;
  point.shape = what.shape;
  point.heads = heads;
  point.dtype = dtype;
  point.source = fmt::format("attention {} {}, {} heads", name_of(pass), what.name, heads.query_heads);
  return {point.source, 1, [&sampler, what, point](const SamplingRule& rule) {
            AttentionKernel<T> kernel(what, point.heads);
            return outcome_of(point, sampler.sample(rule, [&](std::int64_t times) {
              for (std::int64_t i = 0; i < times; ++i) kernel.run(point.pass);
            }));
          }};
}

// An accumulator and what is folded into it, of elements that stay finite however often that is done.
template <class T>
class MergeData {
 public:
  MergeData(Accumulator what, const HeadShape& heads, std::int64_t tokens)
      : what_(what), tokens_(tokens), accumulator_(shape(heads), tokens), partial_(shape(heads), tokens) {
    for (host::Buffer<T>* buffer : {&accumulator_, &partial_}) {
      for (T& element : buffer->elements(tokens_)) element = T{1} / 1024;
    }
  }
  void run() {
    if (what_ == Accumulator::output) {
      host::merge<T>(accumulator_.view(tokens_), partial_.view(tokens_));
    } else {
      host::add<T>(accumulator_.elements(tokens_), partial_.elements(tokens_));
    }
  }

 private:
  [[nodiscard]] host::BlockShape shape(const HeadShape& heads) const {
    return what_ == Accumulator::output       ? host::output_block(heads)
           : what_ == Accumulator::q_gradient ? host::query_gradient_block(heads)
                                              : host::key_block(heads);
  }
  Accumulator what_;
  Eigen::Index tokens_;
  host::Buffer<T> accumulator_, partial_;
};

template <class T>
Task merge_task(CollectiveSampler& sampler, Accumulator what, std::int64_t tokens, const HeadShape& heads,
                Dtype dtype) {
  MergePoint point;
  point.accumulator = what;
  point.travelling = what == Accumulator::kv_gradient;  // as in a ring whose K and V travel
  point.tokens = static_cast<double>(tokens);
  point.shape.heads = heads;
  point.shape.dtype = dtype;
  point.shape.gradient = dtype == Dtype::fp64 ? GradientDtype::fp64 : GradientDtype::fp32;
  const char* name = what == Accumulator::output ? "O" : what == Accumulator::q_gradient ? "dQ" : "dK/dV";
  point.source = fmt::format("merge {} {} tokens, {} heads", name, tokens, heads.query_heads);
  return {point.source, 0.7, [&sampler, point, tokens](const SamplingRule& rule) {
            MergeData<T> data(point.accumulator, point.shape.heads, tokens);
            return outcome_of(point, sampler.sample(rule, [&](std::int64_t times) {
              for (std::int64_t i = 0; i < times; ++i) data.run();
            }));
          }};
}

template <class T>
Task gemm_task(CollectiveSampler& sampler, Eigen::Index m, Eigen::Index n, Eigen::Index k, Dtype dtype) {
  GemmPoint point;
  point.m = m;
  point.n = n;
  point.k = k;
  point.dtype = dtype;
  point.source = fmt::format("matrix product {}x{}x{}", m, n, k);
  return {point.source, 0.3, [&sampler, point](const SamplingRule& rule) {
            const host::Matrix<T> a = host::Matrix<T>::Constant(point.m, point.k, T{1});
            const host::Matrix<T> b = host::Matrix<T>::Constant(point.k, point.n, T{1});
            host::Matrix<T> c = host::Matrix<T>::Zero(point.m, point.n);
            return outcome_of(point, sampler.sample(rule, [&](std::int64_t times) {
              for (std::int64_t i = 0; i < times; ++i) c.noalias() = a * b;
            }));
          }};
}

// Larger than caches: 64 MiB each way.
Task stream_task(CollectiveSampler& sampler) {
  constexpr std::size_t elements = std::size_t{8} << 20U;
  StreamPoint point;
  point.bytes = 2 * sizeof(double) * elements;
  point.source = "copy of 64 MiB";
  return {point.source, 0.3, [&sampler, point](const SamplingRule& rule) {
            std::vector<double> from(elements, 1.0);
            std::vector<double> to(elements, 0.0);
            return outcome_of(point, sampler.sample(rule, [&](std::int64_t times) {
              for (std::int64_t i = 0; i < times; ++i) {
                std::copy(from.begin(), from.end(), to.begin());
                from.swap(to);  // so that no copy is idle
              }
            }));
          }};
}

}  // namespace

template <class T>
std::vector<Task> compute_tasks(CollectiveSampler& sampler, const HostBenchmarkOptions& options) {
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < options.query_heads.size(); ++i) {
    const HeadShape heads = head_shape(options, options.query_heads[i]);
    for (const Pass pass : {Pass::forward, Pass::backward}) {
      for (const AttentionCase& what : i == 0 ? many_cases(pass == Pass::forward) : few_cases()) {
        tasks.push_back(attention_task<T>(sampler, pass, what, heads, options.dtype));
      }
    }
    for (const Accumulator what : {Accumulator::output, Accumulator::q_gradient, Accumulator::kv_gradient}) {
      for (const std::int64_t tokens : {64, 256, 1024, 4096}) {
        if (i == 0 || tokens == 1024) tasks.push_back(merge_task<T>(sampler, what, tokens, heads, options.dtype));
      }
    }
  }
  for (const auto& [m, n, k] : {std::array<Eigen::Index, 3>{64, 64, 64},
                                {64, 64, options.head_dim},
                                {512, 512, 512},
                                {1024, 1024, options.head_dim}}) {
    tasks.push_back(gemm_task<T>(sampler, m, n, k, options.dtype));
  }
  tasks.push_back(stream_task(sampler));
  return tasks;
}

template std::vector<Task> compute_tasks<float>(CollectiveSampler&, const HostBenchmarkOptions&);
template std::vector<Task> compute_tasks<double>(CollectiveSampler&, const HostBenchmarkOptions&);

}  // namespace ringsim::calibrate
