// Hops, alone and beside a kernel.
#include "calibrate/host/kernel_data.hpp"
#include "calibrate/host/task.hpp"
#include "calibrate/size_name.hpp"
#include "kernels/host/mpi/exchange.hpp"
#include "kernels/host/mpi/progress_thread.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <optional>
#include <thread>

namespace ringsim::calibrate {
namespace {

// A message each way, as the executor exchanges it.
class Hop {
 public:
  Hop(const host::Communicator& ranks, std::size_t size)
      : exchange_(ranks), outgoing_(size, std::byte{1}), incoming_(size, std::byte{0}) {}
  void post() { exchange_.post(sends_, receives_); }
  void run() { exchange_.run(sends_, receives_); }
  bool progress() { return exchange_.progress(); }
  [[nodiscard]] double taken_s() const { return exchange_.done_s() - exchange_.posted_s(); }

 private:
  host::Exchange exchange_;
  std::vector<std::byte> outgoing_, incoming_;
  std::array<std::span<const std::byte>, 1> sends_{std::span<const std::byte>(outgoing_)};
  std::array<std::span<std::byte>, 1> receives_{std::span<std::byte>(incoming_)};
};

Task hop_task(CollectiveSampler& sampler, std::size_t size, const std::string& link_class) {
  TransferPoint point;
  point.link_class = link_class;
  point.bytes = static_cast<double>(size);
  point.ranks = sampler.ranks().size();
  point.source = fmt::format("hop {}", size_name(size));
  return {point.source, 1.5, [&sampler, point, size](const SamplingRule& rule) {
            Hop hop(sampler.ranks(), size);
            return outcome_of(point, sampler.sample(rule, [&](std::int64_t times) {
              for (std::int64_t i = 0; i < times; ++i) hop.run();
            }));
          }};
}

// {kernel, hop} where the kernel's own thread moves the hop, after every matrix product.
template <class T>
std::vector<double> beside_inline(AttentionKernel<T>& kernel, Pass pass, Hop& hop) {
  hop.post();
  const double start_s = host::now_s();
  kernel.run(pass, {[](void* moved) { static_cast<Hop*>(moved)->progress(); }, &hop});
  const double kernel_s = host::now_s() - start_s;
  while (!hop.progress()) {
  }
  return {kernel_s, hop.taken_s()};
}

// {kernel, hop} where a thread moves the hop. The thread is there before the common start, as it is in a run.
template <class T>
class BesideThread {
 public:
  BesideThread(AttentionKernel<T>& kernel, Pass pass, Hop& hop) : kernel_(kernel), pass_(pass), hop_(hop) {
    thread_.emplace([this] { return poll(); });
  }
  std::vector<double> run() {
    done_.store(false, std::memory_order_relaxed);
    go_.store(true, std::memory_order_release);
    const double start_s = host::now_s();
    kernel_.run(pass_);
    const double kernel_s = host::now_s() - start_s;
    while (!done_.load(std::memory_order_acquire)) {
      if (thread_->failed()) thread_->join();
      std::this_thread::yield();
    }
    return {kernel_s, hop_.taken_s()};
  }

 private:
  host::Poll poll() {
    if (!posted_) {
      if (!go_.exchange(false, std::memory_order_acquire)) return host::Poll::idle;
      hop_.post();
      posted_ = true;
      return host::Poll::moved;
    }
    if (!hop_.progress()) return host::Poll::idle;
    posted_ = false;
    done_.store(true, std::memory_order_release);
    return host::Poll::moved;
  }

  AttentionKernel<T>& kernel_;
  Pass pass_;
  Hop& hop_;
  bool posted_ = false;  // of the thread alone
  std::atomic<bool> go_ = false;
  std::atomic<bool> done_ = false;
  std::optional<host::ProgressThread> thread_;  // last: it uses the others
};

template <class T>
Outcome measure_both(CollectiveSampler& sampler, InterferencePoint point, AttentionKernel<T>& kernel, Pass pass,
                     SamplingRule rule) {
  Hop hop(sampler.ranks(), static_cast<std::size_t>(point.bytes));
  rule.budget_s /= 3;
  const Sampling kernel_alone = sampler.sample(rule, [&](std::int64_t times) {
    for (std::int64_t i = 0; i < times; ++i) kernel.run(pass);
  });
  const Sampling hop_alone = sampler.sample(rule, [&](std::int64_t times) {
    for (std::int64_t i = 0; i < times; ++i) hop.run();
  });
  std::vector<Sampling> both;
  if (point.engine == TransferEngine::sm_kernel) {
    both = sampler.sample_parts(rule, 2, Core::alone, [&] { return beside_inline(kernel, pass, hop); });
  } else {
    BesideThread<T> beside(kernel, pass, hop);
    both = sampler.sample_parts(rule, 2, Core::shared, [&] { return beside.run(); });
  }
  point.kernel_alone = kernel_alone.timing();
  point.kernel_beside = both[0].timing();
  point.transfer_alone = hop_alone.timing();
  point.transfer_beside = both[1].timing();
  Outcome outcome{{point, {}}, ""};
  for (const Sampling& one : {kernel_alone, both[0], hop_alone, both[1]}) {
    outcome.benchmark.sets.push_back(samples_of(one));
    if (one.mostly_disturbed()) outcome.disturbed = one.note();
  }
  return outcome;
}

template <class T>
Task interference_task(CollectiveSampler& sampler, TransferEngine engine, Pass pass, std::int64_t tokens,
                       std::size_t size, const HeadShape& heads, const std::string& link_class) {
  InterferencePoint point;
  point.engine = engine;
  point.link_class = link_class;
  point.bytes = static_cast<double>(size);
  point.source = fmt::format("{} {} {}x{}, {} heads, beside a hop of {}", name_of(engine), name_of(pass), tokens,
                             tokens, heads.query_heads, size_name(size));
  return {point.source, 2, [&sampler, point, pass, tokens, heads](const SamplingRule& rule) {
            const AttentionCase what = full_case(tokens, tokens);
            AttentionKernel<T> kernel(what, heads);
            return measure_both(sampler, point, kernel, pass, rule);
          }};
}

}  // namespace

bool has_cores_for_transfers(int ranks) {
  return std::thread::hardware_concurrency() >= 2U * static_cast<unsigned>(ranks);
}

template <class T>
std::vector<Task> transfer_tasks(CollectiveSampler& sampler, const HostBenchmarkOptions& options) {
  std::vector<Task> tasks;
  if (sampler.ranks().size() < 2) return tasks;
  for (std::size_t size = 256; size <= std::size_t{64} << 20U; size *= 4) {
    tasks.push_back(hop_task(sampler, size, options.link_class));
  }
  // Hops that take a good part of their kernel, or their effect would drown in its scatter, and end before it.
  struct Pair {
    std::int64_t tokens;
    std::size_t size;
  };
  constexpr std::array<Pair, 3> pairs = {Pair{128, std::size_t{256} << 10U}, Pair{256, std::size_t{2} << 20U},
                                         Pair{512, std::size_t{8} << 20U}};
  const HeadShape heads = head_shape(options, options.query_heads.front());
  for (const TransferEngine engine : {TransferEngine::sm_kernel, TransferEngine::copy_engine}) {
    if (engine == TransferEngine::copy_engine && !has_cores_for_transfers(sampler.ranks().size())) continue;
    for (const Pass pass : {Pass::forward, Pass::backward}) {
      for (const auto& [tokens, size] : pairs) {
        tasks.push_back(interference_task<T>(sampler, engine, pass, tokens, size, heads, options.link_class));
      }
    }
  }
  return tasks;
}

template std::vector<Task> transfer_tasks<float>(CollectiveSampler&, const HostBenchmarkOptions&);
template std::vector<Task> transfer_tasks<double>(CollectiveSampler&, const HostBenchmarkOptions&);

}  // namespace ringsim::calibrate
