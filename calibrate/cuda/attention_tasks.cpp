// Attention kernels: the ones that the profile is for, and our own beside them.
#include "calibrate/cuda/tasks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace ringsim::calibrate {
namespace {

// Causal, and the two of a zigzag ring that see all of a half; and the whole square.
std::vector<BlockCase> cases_of(std::int64_t s) {
  return {{s, s, true}, {s, s, false}, {s, s / 2, false}, {s / 2, s, false}};
}

std::vector<std::int64_t> sizes(const GpuBench& bench) {
  std::vector<std::int64_t> all;
  for (std::int64_t s = bench.options.least_tokens; s <= bench.options.most_tokens; s *= 2) all.push_back(s);
  return all;
}

std::string heads_name(const GpuBench& bench) {
  return fmt::format("{}/{} heads of {}", bench.options.query_heads, bench.options.kv_heads, bench.options.head_dim);
}

Task attention_task(const GpuBench& bench, Pass pass, const BlockCase& what, bool optional) {
  const std::string name = fmt::format("attention {} {}, {}, {}", name_of(pass), what.name(), heads_name(bench),
                                       bench.kernels.attention->name());
  return {name, 1,
          [&bench, pass, what, name](const SamplingRule& rule) {
            AttentionWork work = attention_work(bench, bench.kernels.attention, pass, what);
            work.point.source = name;
            return outcome_of(work.point, bench.sampler.alone(rule, work.run));
          },
          optional};
}

AttentionVariantPoint variant_of(const AttentionPoint& point, std::string kernel, std::string source) {
  AttentionVariantPoint variant;
  static_cast<AttentionPoint&>(variant) = point;
  variant.kernel = std::move(kernel);
  variant.source = std::move(source);
  return variant;
}

// The profile's kernel on operands that the run before left in the caches.
Task warm_task(const GpuBench& bench, Pass pass, const BlockCase& what) {
  const std::string name = fmt::format("warm attention {} {}, {}", name_of(pass), what.name(), heads_name(bench));
  return {name, 0.5,
          [&bench, pass, what, name](const SamplingRule& rule) {
            const AttentionWork work = attention_work(bench, bench.kernels.attention, pass, what);
            AttentionVariantPoint point = variant_of(work.point, bench.kernels.attention->name(), name);
            point.warm = true;
            return outcome_of(point, bench.sampler.alone(rule, work.run, Caches::warm));
          },
          true};
}

Task own_task(const GpuBench& bench, const BlockCase& what, int sms, bool optional) {
  const std::string name = fmt::format("own attention forward {}, {}{}", what.name(), heads_name(bench),
                                       sms > 0 ? fmt::format(", {} SMs", sms) : "");
  return {name, 0.5,
          [&bench, what, sms, name](const SamplingRule& rule) {
            const std::shared_ptr<cuda::AttentionKernels> own = bench.kernels.own(sms);
            const AttentionWork work = attention_work(bench, own, Pass::forward, what);
            AttentionVariantPoint point = variant_of(work.point, own->name(), name);
            point.multiprocessors = sms;
            return outcome_of(point, bench.sampler.alone(rule, work.run));
          },
          optional};
}

// Our own with the epilogue that folds the output into the accumulator.
Task merging_task(const GpuBench& bench, const BlockCase& what) {
  const std::string name = fmt::format("own merging attention forward {}, {}", what.name(), heads_name(bench));
  return {name, 0.5,
          [&bench, what, name](const SamplingRule& rule) {
            const AttentionOperands operands(bench.heads(), what.rows, what.columns, what.causal, false);
            const cuda::ForwardCall call = operands.forward();
            const cuda::Memory<float> o(static_cast<std::size_t>(call.o.elements()));
            const cuda::Memory<float> lse(static_cast<std::size_t>(call.lse.elements()));
            const cuda::OutputAccumulator into{cuda::contiguous(o.data(), call.o.heads, call.o.rows, call.o.dim),
                                               cuda::contiguous(lse.data(), call.lse.heads, call.lse.rows, 1)};
            cuda::clear_output(into, nullptr);
            const MergingForward kernel = bench.kernels.own_merging(call);
            const Work run = [&](cudaStream_t stream) { kernel(call, into, stream); };
            AttentionPoint point;
            point.shape = what.shape();
            point.heads = bench.heads();
            AttentionVariantPoint variant = variant_of(point, "sm90", name);
            variant.merging = true;
            return outcome_of(variant, bench.sampler.alone(rule, run));
          },
          true};
}

// The device's SMs and somewhat fewer: 132, 128, 124, 120, 112, 100 of an H200.
std::vector<int> numbers_of_sms(int all) {
  std::vector<int> numbers;
  for (const int fewer : {0, 4, 8, 12, 20, 32}) {
    if (all - fewer > 0) numbers.push_back(all - fewer);
  }
  return numbers;
}

// The profile's kernel, which takes the SMs that there are, on a stream that has some of them. The stream is entered and left by
// events, whose few µs are in all of these times alike.
Task bounded_task(const GpuBench& bench, Pass pass, const BlockCase& what, int sms) {
  const std::string name =
      fmt::format("attention {} {}, {}, on about {} SMs", name_of(pass), what.name(), heads_name(bench), sms);
  return {name, 0.5,
          [&bench, pass, what, sms, name](const SamplingRule& rule) {
            const std::shared_ptr<SomeSms> some = bench.kernels.some_sms(sms);
            const AttentionWork work = attention_work(bench, bench.kernels.attention, pass, what);
            AttentionVariantPoint point = variant_of(work.point, bench.kernels.attention->name(), name);
            point.multiprocessors = some->sms();
            const cuda::Event enter(cuda::Event::Kind::ordering);
            const cuda::Event leave(cuda::Event::Kind::ordering);
            return outcome_of(point, bench.sampler.alone(rule, [&](cudaStream_t stream) {
              enter.record(stream);
              enter.hold_back(some->stream());
              work.run(some->stream());
              leave.record(some->stream());
              leave.hold_back(stream);
            }));
          },
          true};
}

}  // namespace

AttendShape BlockCase::shape() const {
  AttendShape shape;
  shape.rows = static_cast<double>(rows);
  shape.columns = static_cast<double>(columns);
  shape.entries = causal ? shape.rows * (shape.rows + 1) / 2 : shape.rows * shape.columns;
  shape.edges = causal ? 1 : 0;
  return shape;
}

std::string BlockCase::name() const { return fmt::format("{}x{}{}", rows, columns, causal ? " causal" : ""); }

AttentionWork attention_work(const GpuBench& bench, const std::shared_ptr<cuda::AttentionKernels>& kernels, Pass pass,
                             const BlockCase& what) {
  AttentionWork work;
  work.point.pass = pass;
  work.point.shape = what.shape();
  work.point.heads = bench.heads();
  const auto operands =
      std::make_shared<AttentionOperands>(bench.heads(), what.rows, what.columns, what.causal, pass == Pass::backward);
  kernels->prepare(operands->forward());
  if (pass == Pass::forward) {
    work.run = [operands, kernels](cudaStream_t stream) { kernels->forward(operands->forward(), stream); };
    return work;
  }
  kernels->prepare(operands->backward());
  kernels->forward(operands->forward(), nullptr);
  cuda::check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  work.run = [operands, kernels](cudaStream_t stream) { kernels->backward(operands->backward(), stream); };
  return work;
}

std::vector<Task> attention_tasks(const GpuBench& bench) {
  std::vector<Task> tasks;
  const std::vector<std::int64_t> all = sizes(bench);
  const std::int64_t middle = all[all.size() / 2];
  tasks.push_back(attention_task(bench, Pass::forward, {middle, middle, false}, false));
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    if (pass == Pass::backward && !bench.kernels.attention->has_backward()) continue;
    for (const std::int64_t s : all) {
      for (const BlockCase& what : cases_of(s)) {
        const bool repeated = pass == Pass::forward && s == middle && !what.causal && what.rows == what.columns;
        // Oblongs of every other size may be left out: plans of their own, which take long to be made.
        const bool optional = what.rows != what.columns && (s != middle && s != all.back());
        if (!repeated) tasks.push_back(attention_task(bench, pass, what, optional));
      }
    }
    tasks.push_back(warm_task(bench, pass, {middle, middle, false}));
  }
  if (bench.kernels.own) {
    for (const std::int64_t s : all) {
      for (const BlockCase& what : cases_of(s)) {
        // Where it has causal oblongs or not: the full square and the causal one say most.
        tasks.push_back(own_task(bench, what, 0, what.rows != what.columns || s != middle));
      }
    }
    const std::int64_t next = std::min(2 * middle, all.back());
    for (const int sms : numbers_of_sms(bench.device().sms)) {
      tasks.push_back(own_task(bench, {middle, middle, false}, sms, false));
      if (next != middle) tasks.push_back(own_task(bench, {next, next, false}, sms, true));
    }
  }
  if (bench.kernels.some_sms) {
    // Hopper divides its SMs by eights: 128, 120, 112, 96 of an H200.
    const int most = bench.device().sms / 8 * 8;
    for (const int fewer : {0, 8, 16, 32}) {
      if (most - fewer <= 0) continue;
      tasks.push_back(bounded_task(bench, Pass::forward, {middle, middle, false}, most - fewer));
      if (bench.kernels.attention->has_backward()) {
        tasks.push_back(bounded_task(bench, Pass::backward, {middle, middle, false}, most - fewer));
      }
    }
  }
  if (bench.kernels.own_merging) {
    for (const std::int64_t s : all) {
      if (s <= middle) tasks.push_back(merging_task(bench, {s, s, false}));
    }
  }
  return tasks;
}

}  // namespace ringsim::calibrate
