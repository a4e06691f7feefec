#pragma once
// Accelerators and the links between them, by their data sheets.

#include "models/error.hpp"
#include "models/numeric.hpp"
#include "models/quantity.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace ringsim {

/// An accelerator by its data sheet. Dense rates, decimal bytes.
struct Gpu {
  std::string name;                             // library name, such as "h100-sxm"
  FlopRate bf16;                                // dense bf16 (and fp16) tensor rate
  std::optional<FlopRate> fp8;                  // dense fp8 tensor rate
  Bytes memory;                                 // capacity
  Bandwidth memory_bandwidth;                   // HBM
  std::optional<std::int64_t> multiprocessors;  // SMs or compute units
  std::string default_profile;                  // profile used when a scenario names none; "datasheet" where none ships
  std::map<std::string, std::string> sources;   // key -> where the number comes from
};

/// Peak rate at a number format. Throws Error where the data sheet gives none.
[[nodiscard]] inline FlopRate peak(const Gpu& gpu, Dtype dtype) {
  if (dtype != Dtype::fp8) return gpu.bf16;
  if (gpu.fp8) return *gpu.fp8;
  throw Error("no fp8 rate is known for " + gpu.name, {}, "use workload.dtype bf16, or give the GPU an fp8 rate");
}

/// A class of links with one nominal bandwidth.
struct Link {
  std::string link_class;           // "nvlink4", "ib-ndr", "pcie5", ...: the key by which a profile knows it
  Bandwidth bandwidth;              // one direction, nominal: of a GPU's port inside the node, of a NIC between nodes
  std::optional<Duration> latency;  // written by the user; absent: the profile's
};

/// Identical nodes on a non-blocking fabric.
struct Cluster {
  std::string name;
  Gpu gpu;
  std::int64_t nodes = 1;
  std::int64_t gpus_per_node = 8;
  Link intra_node;
  std::optional<Link> inter_node;              // needed when a ring leaves the node
  std::int64_t nics_per_node = 8;              // ports of `inter_node` a node has
  std::map<std::string, std::string> sources;  // key -> where the number comes from
  [[nodiscard]] std::int64_t gpus() const { return nodes * gpus_per_node; }
};

}  // namespace ringsim
