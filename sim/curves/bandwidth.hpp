#pragma once
// Exposed communication against the bandwidth of the links that decide the ring's hops: which network a plan needs.
//
//   links       the NICs (cluster.inter_node) where a hop of the slowest ring crosses nodes, else the links inside a node
//               (cluster.intra_node). NVLink bridges, PCIe switches and sockets of a node go with its ports; leaves, spines and
//               routers between nodes follow a NIC where the scenario gives them no bandwidth of their own.
//   bandwidths  the scenario's own · 2^(k/3), from 1/16 to 16 times, further where a mark lies beyond; and the marks
//               and towards the crossing, up to 1/1024 and 1024 times
//   crossing    the least bandwidth at which B_min is no larger than the scenario's block: from there on the hop of a steady step
//               is hidden behind its computation (crossing.hpp). What else can be exposed, such as collectives and a first or last
//               step, B_min does not know.
//
// By the recurrence, in which flows that share a link have fixed equal shares of it. A bandwidth is that of one link, in one
// direction, by its data sheet; latencies and the share of it that is reached are the profile's.

#include "models/cost.hpp"
#include "models/scenario.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::sim {

struct BandwidthOptions {
  double most_rank_steps = 1e9;  // of all points together (effort.hpp): large rings have fewer points, or none
  std::size_t threads = 0;       // 0: all cores
  std::uint64_t seed = 0;        // of random times
};

struct BandwidthPoint {
  double bandwidth_bytes_per_s = 0;
  double makespan_s = 0;
  double time_s = 0;                   // what BandwidthCurve::time_name names
  double exposed_communication_s = 0;  // of the slowest rank, of the makespan
  double exposed_share = 0;            // of the makespan
};

/// A bandwidth with a name, to be seen beside the curve.
struct BandwidthMark {
  std::string name;  // "400 Gb/s", "PCIe 5 x16", "nvlink4"
  double bandwidth_bytes_per_s = 0;
  bool own = false;                    // the scenario's
  std::string source;                  // where the number is from
  std::optional<BandwidthPoint> at{};  // as predicted; absent where there are no points
};

/// From which bandwidth a steady hop hides.
struct BandwidthCrossing {
  Pass pass = Pass::forward;
  std::optional<double> bandwidth_bytes_per_s;  // calibrated: kernel and hop each alone; may lie beyond the points
  std::string reason;                           // why absent
  std::optional<double> simulated_bytes_per_s;  // with what they do to each other
  std::string simulated_reason;                 // why absent
};

struct BandwidthCurve {
  std::string
      reason;  // why there are no points: nothing travels, and then nothing below is there; or it takes too long
  std::string time_name;   // as ScalingCurve's
  bool inter_node = true;  // NICs; false: links inside a node
  std::string link_class;
  double own_bytes_per_s = 0;
  std::int64_t block_tokens = 0;             // of the fullest rank: what B_min is held against
  bool shares_links = false;                 // some link has more flows than it can serve: they have fixed shares of it
  std::vector<BandwidthPoint> points;        // ascending
  std::vector<BandwidthMark> marks;          // ascending
  std::vector<BandwidthCrossing> crossings;  // one a pass that the phase runs
  /// The crossing that needs the largest bandwidth: from there on all passes hide. Null where a pass has none.
  [[nodiscard]] const BandwidthCrossing* deciding() const;
};

/// Throws Error where the scenario cannot be run.
[[nodiscard]] BandwidthCurve bandwidth_curve(const Scenario& scenario, const BandwidthOptions& options = {});

}  // namespace ringsim::sim
