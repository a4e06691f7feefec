#pragma once
// Bandwidths that people know by name, to be marked beside a curve: one link, one direction, by data sheet.
//
//   NICs                100, 200, 400 and 800 Gb/s: the rates of EDR, HDR, NDR and XDR InfiniBand ports, and of Ethernet
//   PCIe 4 and 5 x16    31 and 63 GB/s
//   inside a node       the scenario's own links between GPUs, under their class
//   own                 the links that the curve is about; one mark where another has the same rate

#include "sim/curves/bandwidth.hpp"

#include <vector>

namespace ringsim::sim {

/// Ascending; `at` is not filled in.
[[nodiscard]] std::vector<BandwidthMark> bandwidth_marks(const Scenario& scenario, bool inter_node);

}  // namespace ringsim::sim
