// NCCL's topology file to the wiring of a node:  system > cpu > pci* > gpu > nvlink,  pci > nic > net.
//
// Rates, in GB/s one way, as NCCL reads them (src/graph/topo.cc and topo.h of NVIDIA/nccl): what it plans with, three
// quarters of a PCIe slot.
//
//   PCI       width · k / 80;  k: 15 (2.5 GT/s), 30 (5), 60 (8, and where nothing is said), 120 (16), 240 (32), 480 (64)
//   NVLink    count · 18 (sm60), 20 (sm70, sm80), 12 (sm86), 20.6 (sm90), 40.1 (sm100)
//   sockets   Intel by model: 6, 10 (from Skylake), 22 (from Sapphire Rapids), 40 (from Emerald Rapids); AMD 16; Arm 6;
//             Power 32
//
// A cpu is a socket (NCCL means a NUMA domain), a pci with GPUs or NICs below it a switch, every net a NIC. The device's own
// slot is its port: of a GPU beside NVSwitch it becomes gpu_pcie, else the scenario's intra_node counts, and of NICs its
// inter_node. Not modelled: C2C links between a CPU and its GPU, NVLink to Power CPUs. A dump does not tell host bridges, so
// devices of one cpu that share no switch are reached over the socket (NODE; NCCL calls it PHB).

#include "models/error.hpp"
#include "scenarios/topology_file.hpp"
#include "scenarios/xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

namespace ringsim::scenarios {
namespace {

std::int64_t number(const XmlElement& element, std::string_view key, std::int64_t otherwise) {
  const std::string* text = element.attribute(key);
  if (text == nullptr || text->empty()) return otherwise;
  std::int64_t value = 0;
  const auto parsed = std::from_chars(text->data(), text->data() + text->size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text->data() + text->size()) {
    throw Error(fmt::format("{} of {} is {}, not a whole number", key, element.name, *text), element.origin, {});
  }
  return value;
}

std::string text(const XmlElement& element, std::string_view key) {
  const std::string* value = element.attribute(key);
  return value == nullptr ? std::string() : *value;
}

// "16.0 GT/s PCIe", "16 GT/s", or nothing that is known: 8 GT/s.
Bandwidth slot(const XmlElement& pci) {
  const std::string speed = text(pci, "link_speed");
  const std::string_view value = std::string_view(speed).substr(0, speed.find(' '));
  double k = 60;
  for (const auto& [name, of] : {std::pair("2.5", 15.0), std::pair("5", 30.0), std::pair("5.0", 30.0),
                                 std::pair("16", 120.0), std::pair("16.0", 120.0), std::pair("32", 240.0),
                                 std::pair("32.0", 240.0), std::pair("64", 480.0), std::pair("64.0", 480.0)}) {
    if (value == name) k = of;
  }
  std::int64_t width = number(pci, "link_width", 16);
  if (width == 0) width = 16;
  if (width < 0 || width > 32) {
    throw Error(fmt::format("a PCIe slot of {} lanes", width), pci.origin, "1 to 32, such as link_width=\"16\"");
  }
  return gigabytes_per_second(static_cast<double>(width) * k / 80.0);
}

Bandwidth nvlink_rate(std::int64_t sm) {
  return gigabytes_per_second(sm >= 100  ? 40.1
                              : sm >= 90 ? 20.6
                              : sm == 86 ? 12.0
                              : sm >= 70 ? 20.0
                              : sm >= 60 ? 18.0
                                         : 20.0);
}

Bandwidth socket_rate(const XmlElement& cpu) {
  const std::string arch = text(cpu, "arch");
  if (arch == "ppc64") return gigabytes_per_second(32);
  if (arch == "arm64") return gigabytes_per_second(6);
  if (text(cpu, "vendor") == "AuthenticAMD") return gigabytes_per_second(16);
  // Intel, family 6, by model: 0x55 Skylake, 0x8f Sapphire Rapids, 0xcf Emerald Rapids, and what came after each.
  const std::int64_t model = number(cpu, "modelid", 0);
  return gigabytes_per_second(model >= 0xcf ? 40 : model >= 0x8f ? 22 : model >= 0x55 ? 10 : 6);
}

struct Nvlink {
  std::string target;
  std::int64_t count = 0;
  bool to_switch = false;
  bool to_gpu = false;
};

struct FoundGpu {
  std::int64_t device = 0;
  std::int64_t vertex = 0;
  std::string bus;
  std::int64_t sm = 0;
  Bandwidth slot;
  std::vector<Nvlink> links;
  std::string origin;
};

struct FoundNic {
  std::int64_t device = 0;
  std::int64_t vertex = 0;
};

bool holds_device(const XmlElement& element) {
  if (element.name == "gpu" || element.name == "net") return true;
  return std::any_of(element.children.begin(), element.children.end(), holds_device);
}

class TopologyReader {
 public:
  explicit TopologyReader(const TopologyRates& rates) : rates_(rates) {}

  void system(const XmlElement& system) {
    for (const XmlElement& cpu : system.children) {
      if (cpu.name != "cpu") continue;
      const auto vertex = static_cast<std::int64_t>(wiring_.tree.size());
      wiring_.tree.push_back(
          {fmt::format("socket{}", sockets_++), VertexKind::socket, -1, rates_.socket_link.value_or(socket_rate(cpu))});
      below(cpu, vertex);
    }
    if (sockets_ == 0) throw Error("the system has no cpu", system.origin, "<system><cpu ...>");
    if (gpus_.empty()) throw Error("the system has no gpu", system.origin, "<pci ...><gpu dev=\"0\" sm=\"90\"/></pci>");
  }

  TopologyFile take() {
    // Devices by their numbers, equal ones as in the file.
    const auto by_device = [](const auto& a, const auto& b) { return a.device < b.device; };
    std::stable_sort(gpus_.begin(), gpus_.end(), by_device);
    std::stable_sort(nics_.begin(), nics_.end(), by_device);
    for (const FoundGpu& gpu : gpus_) wiring_.gpu_parent.push_back(gpu.vertex);
    for (const FoundNic& nic : nics_) wiring_.nic_parent.push_back(nic.vertex);
    connect();
    return {std::move(wiring_), static_cast<std::int64_t>(gpus_.size()), static_cast<std::int64_t>(nics_.size())};
  }

 private:
  // What hangs below a vertex.
  void below(const XmlElement& parent, std::int64_t vertex) {
    for (const XmlElement& child : parent.children) {
      if (child.name == "nic") nic(child, vertex);
      if (child.name != "pci" || !holds_device(child)) continue;
      const bool device = std::any_of(child.children.begin(), child.children.end(),
                                      [](const XmlElement& e) { return e.name == "gpu" || e.name == "nic"; });
      if (device) {
        for (const XmlElement& e : child.children) {
          if (e.name == "gpu") gpu(e, child, vertex);
          if (e.name == "nic") nic(e, vertex);
        }
      } else {
        const auto own = static_cast<std::int64_t>(wiring_.tree.size());
        wiring_.tree.push_back({fmt::format("switch{}", switches_++), VertexKind::pcie_switch, vertex,
                                rates_.uplink.value_or(slot(child))});
        below(child, own);
      }
    }
  }

  void gpu(const XmlElement& gpu, const XmlElement& pci, std::int64_t vertex) {
    FoundGpu found{number(gpu, "dev", static_cast<std::int64_t>(gpus_.size())),
                   vertex,
                   text(pci, "busid"),
                   number(gpu, "sm", 0),
                   slot(pci),
                   {},
                   gpu.origin};
    for (const XmlElement& link : gpu.children) {
      if (link.name != "nvlink") continue;
      const std::string kind = text(link, "tclass");
      const std::int64_t count = number(link, "count", 1);
      if (count < 1 || count > 1000) throw Error(fmt::format("{} NVLinks", count), link.origin, "count=\"18\"");
      found.links.push_back({text(link, "target"), count, kind.starts_with("0x0680"), kind.starts_with("0x03")});
    }
    gpus_.push_back(std::move(found));
  }

  void nic(const XmlElement& nic, std::int64_t vertex) {
    for (const XmlElement& net : nic.children) {
      if (net.name == "net") nics_.push_back({number(net, "dev", static_cast<std::int64_t>(nics_.size())), vertex});
    }
  }

  // NVLink: to an NVSwitch of all GPUs, or bridges between pairs.
  void connect() {
    const auto on_switch = [](const FoundGpu& gpu) {
      return std::any_of(gpu.links.begin(), gpu.links.end(), [](const Nvlink& link) { return link.to_switch; });
    };
    const auto switched = std::count_if(gpus_.begin(), gpus_.end(), on_switch);
    wiring_.nvswitch = switched > 0;
    if (wiring_.nvswitch) {
      const auto without = std::find_if_not(gpus_.begin(), gpus_.end(), on_switch);
      if (without != gpus_.end()) {
        throw Error("this GPU has no link to an NVSwitch, and others have", without->origin,
                    "a node whose GPUs are all on the NVSwitch");
      }
      for (const FoundGpu& gpu : gpus_) {
        wiring_.gpu_pcie = wiring_.gpu_pcie ? std::min(*wiring_.gpu_pcie, gpu.slot) : gpu.slot;
      }
      return;
    }
    for (std::size_t first = 0; first < gpus_.size(); ++first) {
      for (const Nvlink& link : gpus_[first].links) {
        if (!link.to_gpu) continue;
        const auto target =
            std::find_if(gpus_.begin(), gpus_.end(), [&](const FoundGpu& g) { return g.bus == link.target; });
        if (target == gpus_.end()) {
          throw Error(fmt::format("no GPU is on bus {}, to which this one has NVLinks", link.target),
                      gpus_[first].origin, "the busid of a pci that holds a gpu");
        }
        add_bridge(static_cast<std::int64_t>(first), target - gpus_.begin(),
                   rates_.nvlink.value_or(nvlink_rate(gpus_[first].sm)) * static_cast<double>(link.count));
      }
    }
  }

  void add_bridge(std::int64_t first, std::int64_t second, Bandwidth bandwidth) {
    const bool known = std::any_of(wiring_.bridges.begin(), wiring_.bridges.end(), [&](const NvlinkBridge& b) {
      return std::minmax(b.first, b.second) == std::minmax(first, second);
    });
    if (!known && first != second) wiring_.bridges.push_back({first, second, bandwidth});
  }

  TopologyRates rates_;
  NodeWiring wiring_;
  std::vector<FoundGpu> gpus_;
  std::vector<FoundNic> nics_;
  int sockets_ = 0;
  int switches_ = 0;
};

}  // namespace

TopologyFile read_nccl_topology(std::string_view xml, std::string_view file, const TopologyRates& rates) {
  const XmlElement root = parse_xml(xml, file);
  if (root.name != "system") {
    throw Error(fmt::format("the document is a {}, not a system", root.name), root.origin,
                "a file that NCCL wrote to NCCL_TOPO_DUMP_FILE");
  }
  TopologyReader reader(rates);
  reader.system(root);
  return reader.take();
}

}  // namespace ringsim::scenarios
