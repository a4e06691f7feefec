#pragma once
// A synthetic GPU: a profile with round parameters that are no GPU's, and the points that a calibration of it would give, with
// a deterministic scatter. Written down, it is tests/data/import/synthetic-gpu.samples.json.

#include "calibrate/paced_links.hpp"
#include "calibrate/samples.hpp"
#include "models/cost.hpp"
#include "models/profile.hpp"

#include <cmath>
#include <cstddef>
#include <string>

namespace ringsim::calibrate::synthetic_gpu {

inline const HeadShape heads{1, 32, 8, 128, 128};
inline const RingShape ring_shape{heads, Dtype::bf16};

// Parameters of no GPU.
inline Profile truth() {
  Profile p;
  p.gpu = "synthetic-gpu";
  p.multiprocessors = 100;
  p.forward = {{teraflop_per_second(500)}, {150.0}, {0.0}};
  p.backward = {{teraflop_per_second(400)}, {200.0}, {0.0}};
  p.backward.blocks = Blocks::keys;
  p.launch = {microseconds(2)};
  p.merge_traffic = {1.0};
  p.merge_bandwidth = {gigabytes_per_second(3000)};
  return p;
}
inline constexpr double latency_s = 3e-6;
inline constexpr double noise = 0.004;

// Deterministic scatter of ±noise, the median of many of them next to 1.
inline double scattered(double time_s, std::size_t index) {
  const double part = std::fmod(0.6180339887498949 * static_cast<double>(index + 1), 1.0);
  return time_s * (1 + noise * (2 * part - 1));
}

inline Timing timing(double time_s) { return {time_s, 0.998 * time_s, 1.002 * time_s, 30}; }

inline InterferencePoint pair_of(double kernel_s, double hop_s, double phi, double psi) {
  InterferencePoint p;
  p.link_class = "paced-450-gb";
  p.bytes = 450e9 * hop_s;
  p.blocks = 8;
  p.source = "both";
  const double beside_s = hop_s / psi;
  p.kernel_alone = timing(kernel_s);
  p.kernel_beside = timing(kernel_s + (1 - phi) * beside_s);
  p.transfer_alone = timing(hop_s);
  p.transfer_beside = timing(beside_s);
  return p;
}

inline InterferencePoint of_pass(InterferencePoint p, Pass pass) {
  p.pass = pass;
  return p;
}

inline Points points() {
  const CostModel costs(truth(), ring_shape);
  Points points;
  points.provenance = {"cuda", "synthetic-gpu, 100 SMs", 1, "none", "2026-01-02T03:04:05Z", "", {}, 100};
  std::size_t index = 0;
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    for (double s = 1024; s <= 32768; s *= 2) {
      for (const AttendShape& shape : {AttendShape{s, s, s * s, 0}, AttendShape{s, s, s * (s + 1) / 2, 1},
                                       AttendShape{s, s / 2, s * s / 2, 0}, AttendShape{s / 2, s, s * s / 2, 0}}) {
        const double exact_s = in_seconds(costs.attention(pass, shape));
        points.attention.push_back({pass, shape, heads, Dtype::bf16, timing(scattered(exact_s, index++)), "attention"});
      }
    }
  }
  for (double tokens = 1024; tokens <= 32768; tokens *= 2) {
    const double exact_s = in_seconds(costs.merge(Accumulator::output, false, tokens));
    points.merge.push_back(
        {Accumulator::output, false, tokens, ring_shape, timing(scattered(exact_s, index++)), "merge"});
  }
  for (const double rate : {450e9, 50e9}) {
    for (const TransferEngine engine : {TransferEngine::sm_kernel, TransferEngine::copy_engine}) {
      for (double bytes = 1 << 18; bytes <= 1 << 28; bytes *= 4) {
        points.transfer.push_back(
            {paced_link_class(rate, engine), bytes, 1, timing(latency_s + bytes / (0.97 * rate)), "copy"});
      }
    }
  }
  points.transfer.push_back({std::string(nccl_to_itself), 1e6, 1, timing(2e-6), "NCCL"});
  // A forward kernel keeps 90 % of its speed and a hop beside it 80 %; backward 85 % and 70 %; a merge 60 % and 50 %.
  for (const double part : {1.0, 4.0}) {
    points.interference.push_back(of_pass(pair_of(part * 4e-4, part * 1.5e-4, 0.9, 0.8), Pass::forward));
    points.interference.push_back(of_pass(pair_of(part * 10e-4, part * 1.5e-4, 0.85, 0.7), Pass::backward));
  }
  points.interference.push_back(pair_of(2e-4, 0.4e-4, 0.6, 0.5));
  points.launch.push_back({timing(2e-6), "launch"});
  points.overhead = {{Overhead::event, timing(5.5e-6), "event"},
                     {Overhead::issue, timing(4e-6), "issue"},
                     {Overhead::eager, timing(3e-6), "eager"},
                     {Overhead::graph, timing(1.5e-6), "graph"}};
  return points;
}

/// As a samples file has them: medians alone, without samples.
inline Samples samples() {
  const Points all = points();
  Samples s;
  s.provenance = all.provenance;
  s.notes = {"synthetic-gpu: times of a model with known parameters, not of any GPU"};
  const auto add = [&s](const auto& list, std::size_t sets) {
    for (const auto& point : list) s.benchmarks.push_back({point, std::vector<SampleSet>(sets)});
  };
  add(all.attention, 1);
  add(all.merge, 1);
  add(all.transfer, 1);
  add(all.interference, 4);
  add(all.launch, 1);
  add(all.overhead, 1);
  return s;
}

}  // namespace ringsim::calibrate::synthetic_gpu
