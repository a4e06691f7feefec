// What `nvidia-smi topo -m` prints to the wiring of a node. The matrix gives for every pair of devices the farthest thing
// between them: PIX one switch, PXB several switches, PHB a host bridge, NODE the socket, SYS (once SOC) two sockets. Devices
// that are at most so far apart form groups, groups within groups, and those are the tree:
//
//   SYS    different sockets           a socket for each group of NODE
//   NODE   one socket                  a host bridge for each group of PHB that holds several groups of PXB
//   PHB    one host bridge             a switch for each group of PXB, of several devices
//   PXB    switches below a switch     a switch for each group of PIX, below that of PXB where it holds several
//
// NV# hides what PCIe is between two GPUs: other devices tell, and where they do not, equal CPU affinities mean one socket. A
// matrix has no rates: those are the scenario's. A host bridge gets the uplinks of all that is below it, since the mesh on a
// CPU's die is wider than its slots.

#include "models/error.hpp"
#include "scenarios/topology_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace ringsim::scenarios {
namespace {

enum class Class { self, pix, pxb, phb, node, sys, nvlink };

struct Device {
  std::string name;
  bool gpu = false;
  std::vector<Class> to;  // of every device, in the order of the header
  std::vector<std::int64_t> nvlinks;
  std::string affinity;
  std::size_t line = 0;  // 0: none yet
};

std::string without_colour(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b') {
      text += line[i];
      continue;
    }
    if (i + 1 < line.size() && line[i + 1] == '[') ++i;  // up to the letter that ends the sequence
    while (i + 1 < line.size() && (line[i + 1] < '@' || line[i + 1] > '~')) ++i;
    ++i;
  }
  return text;
}

std::vector<std::string> words(const std::string& line) {
  std::vector<std::string> found;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(" \t\r", at)) != std::string::npos) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    found.push_back(line.substr(at, end - at));
    at = end;
  }
  return found;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 5 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_gpu(const std::string& word) { return word.starts_with("GPU") && is_number(std::string_view(word).substr(3)); }

class MatrixReader {
 public:
  MatrixReader(std::string_view text, std::string_view file) : file_(file) {
    std::size_t number = 0;
    bool ended = false;
    while (!text.empty() && !ended) {
      const std::size_t end = text.find('\n');
      const std::vector<std::string> line = words(without_colour(text.substr(0, end)));
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
      ++number;
      if (line.empty()) continue;
      ended = line.front() == "Legend:";
      if (ended) break;
      if (devices_.empty()) {
        if (is_gpu(line.front())) header(line, number);
      } else {
        row(line, number);
      }
    }
    check();
  }

  [[nodiscard]] const std::vector<Device>& devices() const { return devices_; }
  [[nodiscard]] std::string place(std::size_t line) const { return fmt::format("{}:{}", file_, line); }

 private:
  void header(const std::vector<std::string>& line, std::size_t number) {
    header_ = number;
    for (const std::string& word : line) {
      if (word == "CPU" || word == "NUMA" || word == "GPU") break;
      if (find(word) != nullptr) throw Error(fmt::format("two columns are called {}", word), place(number), {});
      devices_.push_back({word, is_gpu(word), {}, {}, {}, 0});
    }
  }

  Device* find(const std::string& name) {
    const auto at = std::find_if(devices_.begin(), devices_.end(), [&](const Device& d) { return d.name == name; });
    return at == devices_.end() ? nullptr : &*at;
  }

  void row(const std::vector<std::string>& line, std::size_t number) {
    Device* device = find(line.front());
    if (device == nullptr) {
      throw Error(fmt::format("the row {} has no column", line.front()), place(number),
                  "the whole of nvidia-smi topo -m");
    }
    if (device->line != 0) {
      throw Error(fmt::format("a second row {}; the first is line {}", device->name, device->line), place(number), {});
    }
    if (line.size() <= devices_.size()) {
      throw Error(
          fmt::format("the row {} has {} values for {} devices", device->name, line.size() - 1, devices_.size()),
          place(number), "the whole of nvidia-smi topo -m");
    }
    device->line = number;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      const std::string& word = line[i + 1];
      std::int64_t links = 0;
      device->to.push_back(class_of(word, number, links));
      device->nvlinks.push_back(links);
      if ((device->to.back() == Class::self) != (&devices_[i] == device)) {
        throw Error(fmt::format("{} to {} is {}", device->name, devices_[i].name, word), place(number),
                    "X on the diagonal, and only there");
      }
    }
    if (line.size() > devices_.size() + 1) device->affinity = line[devices_.size() + 1];
  }

  Class class_of(const std::string& word, std::size_t number, std::int64_t& nvlinks) const {
    static const std::map<std::string, Class> known = {{"X", Class::self},  {"PIX", Class::pix},   {"PXB", Class::pxb},
                                                       {"PHB", Class::phb}, {"NODE", Class::node}, {"SYS", Class::sys},
                                                       {"SOC", Class::sys}};
    if (const auto at = known.find(word); at != known.end()) return at->second;
    const std::string_view count = std::string_view(word).substr(std::min<std::size_t>(2, word.size()));
    if (word.starts_with("NV") && is_number(count)) {
      nvlinks = std::stoll(std::string(count));
      if (nvlinks > 0) return Class::nvlink;
    }
    throw Error(fmt::format("{} is no class of a connection", word), place(number),
                "X, NV and a number, PIX, PXB, PHB, NODE or SYS");
  }

  void check() const {
    if (devices_.empty()) {
      throw Error("the text holds no line of column names that begins with GPU0", std::string(file_),
                  "what nvidia-smi topo -m prints, or a topology file of NCCL");
    }
    for (const Device& device : devices_) {
      if (device.line == 0) {
        throw Error(fmt::format("the column {} has no row", device.name), place(header_),
                    "the whole of nvidia-smi topo -m");
      }
    }
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (devices_[i].to[k] == devices_[k].to[i] && devices_[i].nvlinks[k] == devices_[k].nvlinks[i]) continue;
        throw Error(fmt::format("{} to {} is another class than on line {}", devices_[i].name, devices_[k].name,
                                devices_[k].line),
                    place(devices_[i].line), "the same both ways");
      }
    }
  }

  std::string_view file_;
  std::size_t header_ = 0;
  std::vector<Device> devices_;
};

using Group = std::vector<std::size_t>;  // devices

class TreeBuilder {
 public:
  TreeBuilder(const MatrixReader& matrix, const TopologyRates& rates)
      : matrix_(matrix), devices_(matrix.devices()), rates_(rates) {}

  TopologyFile build() {
    connect_gpus();
    TopologyFile file;
    file.gpus = std::count_if(devices_.begin(), devices_.end(), [](const Device& d) { return d.gpu; });
    file.nics = static_cast<std::int64_t>(devices_.size()) - file.gpus;
    if (wiring_.nvswitch && file.nics == 0) {  // nothing says where the GPUs hang, and nobody needs to know
      file.wiring = std::move(wiring_);
      return file;
    }
    Group all(devices_.size());
    std::iota(all.begin(), all.end(), 0U);
    parents_.assign(devices_.size(), 0);
    const std::vector<Group> sockets = groups(all, Class::node);
    for (std::size_t i = 0; i < sockets.size(); ++i) {
      const std::int64_t socket =
          add(fmt::format("socket{}", i), VertexKind::socket, -1, sockets.size() > 1 ? socket_link() : Bandwidth{});
      const std::vector<Group> bridges = groups(sockets[i], Class::phb);
      for (const Group& bridge : bridges) below_bridge(bridge, socket);
    }
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      (devices_[i].gpu ? wiring_.gpu_parent : wiring_.nic_parent).push_back(parents_[i]);
    }
    file.wiring = std::move(wiring_);
    return file;
  }

 private:
  Bandwidth uplink() const {
    if (rates_.uplink) return *rates_.uplink;
    if (!wiring_.nvswitch && rates_.port) return *rates_.port;
    throw Error("the matrix holds no rates, and uplinks of PCIe switches need one", "cluster.node.uplink",
                "for example uplink: 64 GB/s beside file");
  }
  Bandwidth socket_link() const {
    if (rates_.socket_link) return *rates_.socket_link;
    throw Error("the matrix holds no rates, and the link between its sockets needs one", "cluster.node.socket_link",
                "for example socket_link: 40 GB/s beside file");
  }

  std::int64_t add(std::string name, VertexKind kind, std::int64_t parent, Bandwidth bandwidth) {
    wiring_.tree.push_back({std::move(name), kind, parent, bandwidth});
    return static_cast<std::int64_t>(wiring_.tree.size()) - 1;
  }
  std::int64_t add_switch(std::int64_t parent) {
    return add(fmt::format("switch{}", switches_++), VertexKind::pcie_switch, parent, uplink());
  }

  // NVLink of all pairs is an NVSwitch, of some a bridge each.
  void connect_gpus() {
    std::size_t pairs = 0;
    std::int64_t first_gpu = 0;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (!devices_[i].gpu) continue;
      std::int64_t second_gpu = first_gpu;
      for (std::size_t k = i + 1; k < devices_.size(); ++k) {
        if (!devices_[k].gpu) continue;
        ++pairs;
        ++second_gpu;
        if (devices_[i].to[k] != Class::nvlink) continue;
        wiring_.bridges.push_back(
            {first_gpu, second_gpu, bytes_per_second(static_cast<double>(devices_[i].nvlinks[k]))});
      }
      ++first_gpu;
    }
    // Two GPUs with a bridge are all pairs too, and there is no switch of two.
    wiring_.nvswitch = first_gpu > 2 && wiring_.bridges.size() == pairs;
    if (wiring_.nvswitch) wiring_.bridges.clear();
    for (NvlinkBridge& bridge : wiring_.bridges) {
      if (!rates_.nvlink) {
        throw Error("the matrix counts the NVLinks of bridges and holds no rates", "cluster.node.nvlink",
                    "one NVLink, one way, such as nvlink: 25 GB/s beside file");
      }
      bridge.bandwidth = *rates_.nvlink * bridge.bandwidth.si();
    }
  }

  // What is between two devices but NVLink; `nvlink` where nobody says.
  Class between(std::size_t a, std::size_t b) const {
    const Class known = devices_[a].to[b];
    if (known != Class::nvlink || devices_[a].affinity.empty() || devices_[b].affinity.empty()) return known;
    return devices_[a].affinity == devices_[b].affinity ? Class::node : Class::sys;
  }

  // The devices split into groups that are connected by pairs of at most a class. In a tree all pairs of a group then are.
  std::vector<Group> groups(const Group& of, Class most) const {
    std::vector<Group> found;
    std::vector<bool> taken(devices_.size());
    for (const std::size_t start : of) {
      if (taken[start]) continue;
      Group group{start};
      taken[start] = true;
      for (std::size_t next = 0; next < group.size(); ++next) {
        for (const std::size_t other : of) {
          if (taken[other] || between(group[next], other) > most) continue;
          taken[other] = true;
          group.push_back(other);
        }
      }
      std::sort(group.begin(), group.end());
      check(group, most);
      found.push_back(std::move(group));
    }
    return found;
  }

  void check(const Group& group, Class most) const {
    for (const std::size_t a : group) {
      for (const std::size_t b : group) {
        // Said of the pair itself; an affinity is only a guess.
        if (a >= b || devices_[a].to[b] <= most || devices_[a].to[b] == Class::nvlink) continue;
        throw Error(fmt::format("{} and {} are farther apart than others that are near to both", devices_[a].name,
                                devices_[b].name),
                    matrix_.place(devices_[b].line), "classes of a tree of PCIe switches");
      }
    }
  }

  void below_bridge(const Group& group, std::int64_t socket) {
    const std::vector<Group> parts = groups(group, Class::pxb);
    std::int64_t parent = socket;
    if (parts.size() > 1) {
      parent = add(fmt::format("bridge{}", bridges_++), VertexKind::host_bridge, socket,
                   uplink() * static_cast<double>(parts.size()));
    }
    for (const Group& part : parts) below_switches(part, parent);
  }

  void below_switches(const Group& group, std::int64_t parent) {
    const std::vector<Group> parts = groups(group, Class::pix);
    if (group.size() == 1) {  // straight below the host bridge
      parents_[group.front()] = parent;
      return;
    }
    const std::int64_t upper = add_switch(parent);
    for (const Group& part : parts) {
      const std::int64_t own = parts.size() == 1 ? upper : add_switch(upper);
      for (const std::size_t device : part) parents_[device] = own;
    }
  }

  const MatrixReader& matrix_;
  const std::vector<Device>& devices_;
  TopologyRates rates_;
  NodeWiring wiring_;
  std::vector<std::int64_t> parents_;  // vertex of each device
  int bridges_ = 0;
  int switches_ = 0;
};

}  // namespace

TopologyFile read_topology_matrix(std::string_view text, std::string_view file, const TopologyRates& rates) {
  const MatrixReader matrix(text, file);
  return TreeBuilder(matrix, rates).build();
}

}  // namespace ringsim::scenarios
