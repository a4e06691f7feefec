// Reading a trace of a profiler: events per second, and that time grows in proportion to the text. Each size is eight times the
// one before, so events/s that stay where they were mean linear, and an eighth of them quadratic.
#include "calibrate/import/trace.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>

namespace ringsim::calibrate {
namespace {

/// Kernels of 9 us, one every 10 us, every fourth of them attention.
std::string trace_of(std::int64_t events) {
  std::string text;
  for (std::int64_t i = 0; i < events; ++i) {
    text += fmt::format(R"({}{{"ph":"X","cat":"kernel","name":"{}","ts":{},"dur":9,"args":{{"device":0,"stream":7}}}})",
                        i == 0 ? "" : ",\n", i % 4 == 0 ? "_attn_fwd" : "gemm", 10 * i);
  }
  return "{\"traceEvents\":[" + text + "]}";
}

void import_trace_events(benchmark::State& state) {
  const std::int64_t events = state.range(0);
  const std::string text = trace_of(events);
  for (auto _ : state) {
    const ImportedRun run = import_trace({{"trace.json", text}}, {});
    if (run.spans.size() != static_cast<std::size_t>(events / 4)) state.SkipWithError("an attention kernel is missing");
  }
  state.SetItemsProcessed(state.iterations() * events);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
  state.SetComplexityN(events);
}

BENCHMARK(import_trace_events)
    ->ArgsProduct({{2'000, 16'000, 128'000}})
    ->ArgNames({"events"})
    ->Complexity(benchmark::oN)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ringsim::calibrate
