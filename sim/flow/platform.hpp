#pragma once
// The simulated machine: SimGrid with the options under which a flow takes bytes / bandwidth alone and a max-min fair share of
// every link beside others, and nothing else happens.
//
//   network/model CM02            no correction factors (the default LV08 multiplies latency by 13.01, bandwidth by 0.97)
//   network/TCP-gamma 1e18        no rate limit of a TCP window over the latency
//   network/crosstraffic 0        no acknowledgements in the other direction
//   links of latency 0            CM02 shares a link in inverse proportion to the routes' latencies; ranks sleep α instead
//   surf/precision 1e-12          see time_scale.hpp
//
// A host has one route, up to the middle of a star over all links that its flows pass: every rank sends to one other rank, so a
// table of routes between all pairs, N² entries, would hold nothing more.

#include "models/topology/network.hpp"
#include "sim/flow/time_scale.hpp"

#include <simgrid/s4u.hpp>

#include <string>
#include <vector>

namespace ringsim::sim::flow {

class Platform {
 public:
  /// Only links that a route uses exist. The library allows one a process.
  Platform(const std::vector<NetworkLink>& links, const TimeScale& scale);

  /// A host whose flows, to whatever host, pass these links.
  simgrid::s4u::Host* add_host(const std::string& name, const std::vector<LinkIndex>& links);
  /// After the last host.
  void seal() { zone_->seal(); }

  /// nullptr where no route uses it.
  [[nodiscard]] simgrid::s4u::Link* link(LinkIndex index) const { return links_[index]; }
  [[nodiscard]] const simgrid::s4u::Engine& engine() const { return engine_; }

 private:
  simgrid::s4u::Link* used(LinkIndex index);

  const std::vector<NetworkLink>& described_;
  const TimeScale scale_;
  simgrid::s4u::Engine& engine_;
  simgrid::s4u::NetZone* zone_;
  std::vector<simgrid::s4u::Link*> links_;
};

}  // namespace ringsim::sim::flow
