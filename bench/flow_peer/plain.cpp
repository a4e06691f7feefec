// An actor a rank. A step: sleep α, start to send and to receive, sleep the rest of the kernel, wait for both.

#include "bench/flow_peer/plain.hpp"

#include <simgrid/s4u.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace ringsim {

namespace s4u = simgrid::s4u;

namespace {

void rank_of(const PlainRing& ring, std::int64_t rank, s4u::Mailbox* to, s4u::Mailbox* from) {
  static int content = 0;
  void* received = nullptr;
  for (std::int64_t layer = 0; layer < ring.layers; ++layer) {
    for (std::int64_t step = 0; step < ring.ranks; ++step) {
      double kernel_s = ring.kernel_s;
      if (ring.compute.on()) kernel_s *= ring.compute.factor(ring.compute.operation(layer, step, 0, 0), rank);
      if (step == ring.ranks - 1) {
        s4u::this_actor::sleep_for(kernel_s);
        break;
      }
      s4u::this_actor::sleep_for(ring.latency_s);
      const s4u::CommPtr out = to->put_async(&content, ring.bytes);
      const s4u::CommPtr in = from->get_async<void>(&received);
      s4u::this_actor::sleep_for(std::max(kernel_s - ring.latency_s, 0.0));
      out->wait();
      in->wait();
    }
  }
}

}  // namespace

double run_plain(const PlainRing& ring) {
  std::array<std::string, 6> options = {"plain",
                                        "--log=root.thresh:critical",
                                        "--cfg=network/model:CM02",
                                        "--cfg=network/TCP-gamma:1e18",
                                        "--cfg=network/crosstraffic:0",
                                        "--cfg=surf/precision:1e-12"};
  std::array<char*, 7> argv{};
  std::transform(options.begin(), options.end(), argv.begin(), [](std::string& option) { return option.data(); });
  int argc = 6;
  const s4u::Engine engine(&argc, argv.data());
  s4u::NetZone* zone = s4u::create_full_zone("ring");
  std::vector<s4u::Host*> hosts;
  std::vector<s4u::Mailbox*> boxes;
  for (std::int64_t r = 0; r < ring.ranks; ++r) {
    hosts.push_back(zone->create_host("host" + std::to_string(r), 1.0)->seal());
    boxes.push_back(s4u::Mailbox::by_name("hop" + std::to_string(r)));
  }
  const auto n = hosts.size();
  for (std::size_t r = 0; r < n; ++r) {
    const s4u::Link* link = zone->create_link("link" + std::to_string(r), ring.bytes_per_s)->set_latency(0)->seal();
    zone->add_route(hosts[r]->get_netpoint(), hosts[(r + 1) % n]->get_netpoint(), nullptr, nullptr,
                    {s4u::LinkInRoute(link)}, false);
  }
  zone->seal();
  for (std::size_t r = 0; r < n; ++r) {
    s4u::Actor::create("rank", hosts[r], [&ring, r, to = boxes[r], from = boxes[(r + n - 1) % n]] {
      rank_of(ring, static_cast<std::int64_t>(r), to, from);
    });
  }
  engine.run();
  return s4u::Engine::get_clock();
}

}  // namespace ringsim
