#pragma once
// Accelerators and the links between them, by their data sheets.

#include "models/error.hpp"
#include "models/numeric.hpp"
#include "models/quantity.hpp"
#include "models/topology/fabric.hpp"
#include "models/topology/wiring.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace ringsim {

/// An accelerator by its data sheet, or a CPU core that stands for one. Dense rates, decimal bytes. At least one rate is
/// known.
struct Gpu {
  std::string name;                             // library name, such as "h100-sxm"
  std::optional<FlopRate> bf16;                 // dense bf16 (and fp16) tensor rate
  std::optional<FlopRate> fp8;                  // dense fp8 tensor rate
  std::optional<FlopRate> fp32;                 // IEEE single precision: of CPUs
  std::optional<FlopRate> fp64;                 // IEEE double precision: of CPUs
  Bytes memory;                                 // capacity
  Bandwidth memory_bandwidth;                   // HBM
  std::optional<std::int64_t> multiprocessors;  // SMs or compute units
  std::optional<Power> power;                   // of the board at full load (its limit)
  std::optional<Power> idle_power;              // of the board when it waits
  std::string default_profile;                  // profile used when a scenario names none; "datasheet" where none ships
  std::map<std::string, std::string> sources;   // key -> where the number comes from
  friend bool operator==(const Gpu&, const Gpu&) = default;
};

/// Peak rate at a number format. Throws Error at "workload.dtype" where the data sheet gives none.
[[nodiscard]] inline FlopRate peak(const Gpu& gpu, Dtype dtype) {
  const std::optional<FlopRate>& rate = dtype == Dtype::fp8    ? gpu.fp8
                                        : dtype == Dtype::fp32 ? gpu.fp32
                                        : dtype == Dtype::fp64 ? gpu.fp64
                                                               : gpu.bf16;
  if (rate) return *rate;
  std::string known;
  const auto add = [&known](const std::optional<FlopRate>& of, Dtype name) {
    if (of) known += (known.empty() ? "" : ", ") + std::string(name_of(name));
  };
  add(gpu.bf16, Dtype::bf16);
  add(gpu.fp8, Dtype::fp8);
  add(gpu.fp32, Dtype::fp32);
  add(gpu.fp64, Dtype::fp64);
  const std::string wanted(name_of(dtype == Dtype::fp16 ? Dtype::bf16 : dtype));
  throw Error("no " + wanted + " rate is known for " + gpu.name, "workload.dtype",
              "use workload.dtype " + known + ", or give the GPU the rate cluster.gpu." + wanted);
}

/// A class of links with one nominal bandwidth.
struct Link {
  std::string link_class;           // "nvlink4", "ib-ndr", "pcie5", ...: the key by which a profile knows it
  Bandwidth bandwidth;              // one direction, nominal: of a GPU's port inside the node, of a NIC between nodes
  std::optional<Duration> latency;  // written by the user; absent: the profile's
  friend bool operator==(const Link&, const Link&) = default;
};

/// Identical nodes and the network between them.
struct Cluster {
  std::string name;
  Gpu gpu;
  std::int64_t nodes = 1;
  std::int64_t gpus_per_node = 8;
  Link intra_node;
  std::optional<Link> inter_node;  // needed when a ring leaves the node
  std::int64_t nics_per_node = 8;  // ports of `inter_node` a node has; who uses which: topology/nearest_nics.hpp
  NodeWiring wiring{};             // inside of a node
  Fabric fabric{};                 // between the NICs
  std::map<std::string, std::string> sources;  // key -> where the number comes from
  [[nodiscard]] std::int64_t gpus() const { return nodes * gpus_per_node; }
  friend bool operator==(const Cluster&, const Cluster&) = default;
};

}  // namespace ringsim
