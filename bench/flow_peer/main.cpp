// ringsim-flow-peer plain|engine RANKS LAYERS SPREAD
// One run of a ring without a mask, by a plain program or by the flow engine with the observer that predictions use; prints the
// makespan and the number of hops. A process each, for the library can run one simulation and memory is to be compared.

#include "bench/flow_peer/plain.hpp"
#include "sim/flow/engine.hpp"
#include "sim/schedules/ring.hpp"
#include "sim/totals.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using namespace ringsim;

// Kernels of 100 us, hops of 1 us + 90 us: kernels hide them, but for jitter.
constexpr double kernel_s = 100e-6;
constexpr double latency_s = 1e-6;
constexpr double flight_s = 90e-6;
constexpr std::uint64_t block_bytes = std::uint64_t{1} << 25U;

double run_engine(const PlainRing& plain) {
  // One head of one element and blocks of one token: a kernel is a pair, a hop a token of 4 B in flight_s.
  Profile profile;
  profile.calibrated = true;
  profile.forward.saturated.value = flop_per_second(4 / kernel_s);
  profile.key_tile = 0;
  const RingShape shape{{1, 1, 1, 1, 1}, Dtype::bf16, GradientDtype::bf16, Rotation::kv, Rotation::kv};
  const sim::RingSpec spec{Shards(Layout::contiguous, plain.ranks, plain.ranks),
                           shape,
                           2,
                           {Mask{false, std::nullopt}},
                           std::vector<std::size_t>(static_cast<std::size_t>(plain.layers), 0)};
  const sim::Program program = sim::ring_program_of(spec, true, false);
  const HopCost hop{seconds(latency_s), bytes_per_second(4 / flight_s), false, "link", true, {}, {}};
  const sim::Machine machine{
      CostModel(profile, shape), std::vector<HopCost>(static_cast<std::size_t>(plain.ranks), hop), {}, {}, false, {}};
  sim::TotalsObserver totals(plain.ranks);
  sim::FlowSetup setup;
  setup.program = &program;
  sim::FlowRing ring;
  ring.machine = &machine;
  ring.compute = plain.compute;
  ring.observer = &totals;
  for (std::int64_t r = 0; r < plain.ranks; ++r) {
    ring.routes.push_back({setup.links.size()});
    setup.links.push_back({"link" + std::to_string(r), bytes_per_second(plain.bytes_per_s)});
  }
  setup.rings.push_back(ring);
  const sim::FlowResult result = sim::run_flow(setup);
  return totals.summaries(result.rings.front()).front().bubble_end_s + result.rings.front().end_s.front();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  PlainRing ring;
  ring.ranks = std::atoll(argv[2]);
  ring.layers = std::atoll(argv[3]);
  ring.kernel_s = kernel_s;
  ring.latency_s = latency_s;
  ring.bytes = block_bytes;
  ring.bytes_per_s = static_cast<double>(block_bytes) / flight_s;
  const double spread = std::atof(argv[4]);
  if (spread > 0) ring.compute = JitterStream({Distribution::lognormal, spread}, 1, compute_stream, 0, 0);
  const double makespan_s = std::string_view(argv[1]) == "plain" ? run_plain(ring) : run_engine(ring);
  std::printf("%.9g %lld\n", makespan_s, static_cast<long long>(ring.ranks * (ring.ranks - 1) * ring.layers));
  return 0;
}
