#include "sim/curves/bandwidth_marks.hpp"

#include "sim/curves/ring_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::sim {

std::vector<BandwidthMark> bandwidth_marks(const Scenario& s, bool inter_node) {
  std::vector<BandwidthMark> marks;
  const auto add = [&](std::string name, Bandwidth bandwidth, std::string source, bool own = false) {
    const double rate = in_bytes_per_second(bandwidth);
    const auto same = [&](const BandwidthMark& known) {
      return std::abs(known.bandwidth_bytes_per_s / rate - 1) < 1e-9;
    };
    const auto known = std::find_if(marks.begin(), marks.end(), same);
    if (known == marks.end()) {
      marks.push_back({std::move(name), rate, own, std::move(source)});
    } else {
      known->own = known->own || own;
    }
  };
  if (inter_node) {
    for (const int rate : {100, 200, 400, 800}) {
      add(fmt::format("{} Gb/s", rate), gigabits_per_second(rate), "rate of a port");
    }
  }
  const std::string table = "stas00/ml-engineering@744d01e, network/README.md, one direction";
  const Link& inside = s.cluster.intra_node;
  add("PCIe 4 x16", gigabytes_per_second(31), table);
  add("PCIe 5 x16", gigabytes_per_second(63), table);
  const Link& own = ring_link(s, inter_node);
  add(own.link_class, own.bandwidth, "the scenario's cluster", true);
  add(inside.link_class, inside.bandwidth, "the scenario's cluster");
  std::sort(marks.begin(), marks.end(), [](const BandwidthMark& a, const BandwidthMark& b) {
    return a.bandwidth_bytes_per_s < b.bandwidth_bytes_per_s;
  });
  return marks;
}

}  // namespace ringsim::sim
