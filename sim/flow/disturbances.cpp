#include "sim/flow/disturbances.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace ringsim::sim::flow {

namespace s4u = simgrid::s4u;

namespace {

bool is_time(double s) { return std::isfinite(s) && s >= 0; }

// As long as it takes: to the end of the simulation, or to an end of its own.
void send_traffic(const Traffic& traffic, s4u::Mailbox* box, double least_bandwidth, const TimeScale& scale) {
  s4u::this_actor::sleep_until(scale.units(traffic.start_s));
  // More than any run takes, less than rounding of the remaining bytes would show.
  constexpr double units = 1099511627776.0;
  static int no_content = 0;
  const double rate = traffic.rate_bytes_per_s.value_or(std::numeric_limits<double>::infinity());
  while (true) {
    const s4u::CommPtr flow = box->put_init();
    flow->set_src_data(&no_content, sizeof(void*));
    flow->set_remaining(scale.bandwidth(std::min(least_bandwidth, rate)) * units);
    if (std::isfinite(rate)) flow->set_rate(scale.bandwidth(rate));
    flow->start();
    try {
      if (!traffic.end_s) {
        flow->wait();
        continue;
      }
      s4u::this_actor::sleep_until(scale.units(*traffic.end_s));
      flow->cancel();
    } catch (const simgrid::Exception&) {
      // A link of its own has failed.
    }
    return;
  }
}

void take_traffic(s4u::Mailbox* box) {
  while (true) {
    try {
      static_cast<void>(box->get<void>());
    } catch (const simgrid::Exception&) {
      return;  // its sender gave up
    }
  }
}

}  // namespace

void check_disturbances(const FlowSetup& setup) {
  for (const NetworkLink& link : setup.links) {
    const double bandwidth = in_bytes_per_second(link.bandwidth);
    if (std::isfinite(bandwidth) && bandwidth > 0) continue;
    throw Error(fmt::format("link {} has a bandwidth of {} B/s", link.name, bandwidth), "cluster",
                "a finite bandwidth above 0");
  }
  for (const LinkChange& change : setup.changes) {
    if (is_time(change.at_s) && std::isfinite(change.factor) && change.factor >= 0) continue;
    throw Error(fmt::format("link {} has {} of its bandwidth from {} s on", setup.links.at(change.link).name,
                            change.factor, change.at_s),
                "noise", "a time and a part of 0 or more");
  }
  for (const GpuFailure& failure : setup.failures) {
    if (is_time(failure.at_s)) continue;
    throw Error(fmt::format("GPU {} fails at {} s", failure.gpu, failure.at_s), "noise", "a time of 0 or more");
  }
  for (const Traffic& traffic : setup.traffic) {
    const double rate = traffic.rate_bytes_per_s.value_or(1.0);
    const double end = traffic.end_s.value_or(traffic.start_s);
    if (is_time(traffic.start_s) && is_time(end) && rate >= 0 && !std::isnan(rate)) continue;
    throw Error(fmt::format("background traffic of {} B/s from {} s to {} s", rate, traffic.start_s, end),
                "noise.background", "times and a rate of 0 or more");
  }
}

void start_changes(const FlowSetup& setup, Platform& platform, const TimeScale& scale,
                   std::function<void(std::int64_t gpu, double at_s)> kill, std::vector<StruckFailure>& struck) {
  struct Due {
    double at_s;
    const LinkChange* link;
    std::int64_t gpu;
  };
  std::vector<Due> due;
  for (const LinkChange& change : setup.changes) {
    if (platform.link(change.link) != nullptr) due.push_back({change.at_s, &change, 0});
  }
  for (const GpuFailure& failure : setup.failures) due.push_back({failure.at_s, nullptr, failure.gpu});
  if (due.empty()) return;
  std::stable_sort(due.begin(), due.end(), [](const Due& a, const Due& b) { return a.at_s < b.at_s; });
  s4u::Host* host = platform.engine().get_all_hosts().front();
  s4u::Actor::create("changes", host, [&setup, &platform, scale, due, kill = std::move(kill), &struck] {
    for (const Due& next : due) {
      s4u::this_actor::sleep_until(scale.units(next.at_s));
      if (next.link == nullptr) {
        struck.push_back({next.at_s, nullptr, next.gpu});
        kill(next.gpu, next.at_s);
        continue;
      }
      s4u::Link* link = platform.link(next.link->link);
      if (!link->is_on()) continue;
      if (next.link->factor > 0) {
        const double whole = in_bytes_per_second(setup.links[next.link->link].bandwidth);
        link->set_bandwidth(scale.bandwidth(whole * next.link->factor));
      } else {
        struck.push_back({next.at_s, next.link, 0});
        link->turn_off();
      }
    }
  })->daemonize();
}

std::vector<s4u::Host*> add_traffic_hosts(const FlowSetup& setup, Platform& platform) {
  std::vector<s4u::Host*> hosts;
  for (std::size_t i = 0; i < setup.traffic.size(); ++i) {
    hosts.push_back(platform.add_host(fmt::format("traffic {}", i), setup.traffic[i].links));
  }
  if (!hosts.empty()) hosts.push_back(platform.add_host("sink", {}));
  return hosts;
}

void start_traffic(const FlowSetup& setup, const std::vector<s4u::Host*>& hosts, const TimeScale& scale) {
  for (std::size_t i = 0; i < setup.traffic.size(); ++i) {
    const Traffic& traffic = setup.traffic[i];
    if (traffic.links.empty() || traffic.rate_bytes_per_s == 0.0) continue;
    if (traffic.end_s && *traffic.end_s <= traffic.start_s) continue;
    double least = std::numeric_limits<double>::infinity();
    for (const LinkIndex link : traffic.links) {
      least = std::min(least, in_bytes_per_second(setup.links.at(link).bandwidth));
    }
    s4u::Mailbox* box = s4u::Mailbox::by_name(fmt::format("traffic {}", i));
    s4u::Actor::create("traffic", hosts[i], [&traffic, box, least, scale] {
      send_traffic(traffic, box, least, scale);
    })->daemonize();
    s4u::Actor::create("sink", hosts.back(), [box] { take_traffic(box); })->daemonize();
  }
}

}  // namespace ringsim::sim::flow
