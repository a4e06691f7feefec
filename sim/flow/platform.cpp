#include "sim/flow/platform.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

namespace ringsim::sim::flow {

namespace s4u = simgrid::s4u;

namespace {

// Never destroyed: a run that broke off leaves actors behind, which the library cannot take down.
s4u::Engine& start_library() {
  static std::vector<std::string> options = {
      "ringsim-flow",
      "--log=root.app:file:/dev/null",  // what it has to say, the engine says
      "--cfg=network/model:CM02",
      "--cfg=network/TCP-gamma:1e18",
      "--cfg=network/crosstraffic:0",
      "--cfg=surf/precision:1e-12",
      "--cfg=network/optim:Lazy",
      "--cfg=contexts/stack-size:256",  // KiB; what observers need
      "--cfg=debug/verbose-exit:no",    // SIGINT ends the process without a listing of all actors
  };
#if defined(__SANITIZE_ADDRESS__)
  // The sanitizer takes exceptions on stacks that the library has switched to for errors: threads have stacks that it knows.
  options.emplace_back("--cfg=contexts/factory:thread");
#endif
  static std::vector<char*> argv;
  for (std::string& option : options) argv.push_back(option.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(options.size());
  static auto* const engine = new s4u::Engine(&argc, argv.data());
  return *engine;
}

}  // namespace

Platform::Platform(const std::vector<NetworkLink>& links, const TimeScale& scale)
    : described_(links),
      scale_(scale),
      engine_(start_library()),
      zone_(s4u::create_star_zone("job")),
      links_(links.size(), nullptr) {}

s4u::Link* Platform::used(LinkIndex index) {
  s4u::Link*& link = links_.at(index);
  if (link != nullptr) return link;
  const double bandwidth = scale_.bandwidth(in_bytes_per_second(described_[index].bandwidth));
  if (!std::isnormal(bandwidth)) {
    throw Error(fmt::format("link {} of {} B/s is out of proportion to the times of the run", described_[index].name,
                            in_bytes_per_second(described_[index].bandwidth)),
                "cluster", "bandwidths of a real machine");
  }
  // The library wants names that differ; where links come from, names may repeat.
  link = zone_->create_link(std::to_string(index), bandwidth)->set_latency(0)->seal();
  return link;
}

s4u::Host* Platform::add_host(const std::string& name, const std::vector<LinkIndex>& links) {
  s4u::Host* host = zone_->create_host(name, 1.0)->seal();
  std::vector<s4u::LinkInRoute> route;
  for (const LinkIndex index : links) route.emplace_back(used(index));
  zone_->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, route, false);
  zone_->add_route(nullptr, host->get_netpoint(), nullptr, nullptr, std::vector<s4u::LinkInRoute>(), false);
  return host;
}

}  // namespace ringsim::sim::flow
