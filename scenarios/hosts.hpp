#pragma once
// Hosts of a job as launchers write them down, and where they put its ranks.
//
//   hostfile     a line a host: "node01 slots=8" (Open MPI, DeepSpeed), "node01:8" (MPICH), "node01" (all its GPUs);
//                # starts a comment
//   node list    "node[01-04,07],login1": SLURM_JOB_NODELIST, ranges with leading zeros, in the order written
//
// Ranks fill the hosts in the order written, GPU 0, 1, ... of each. The cluster's node 0 is the host whose name comes first
// when digits in names count as numbers (node2 before node10), whatever the order in the file: names are where machines
// stand, the order is what the launcher makes of it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::scenarios {

struct Host {
  std::string name;
  std::int64_t slots = 0;  // ranks that it takes; 0: as many as it has GPUs
  std::string origin;      // where it is written
};

/// Throws Error with file:line for a line that is none of the forms, or a host written twice.
[[nodiscard]] std::vector<Host> parse_hostfile(std::string_view text, const std::string& file);
/// Throws Error at `origin` where brackets or ranges are no such list.
[[nodiscard]] std::vector<Host> parse_node_list(std::string_view text, const std::string& origin);

/// The GPU of every rank: of hosts in the order given, on a cluster of `nodes` × `gpus_per_node`. Throws Error where there
/// are more hosts than nodes, or a host has more slots than GPUs.
[[nodiscard]] std::vector<std::int64_t> gpus_of_ranks(const std::vector<Host>& hosts, std::int64_t nodes,
                                                      std::int64_t gpus_per_node);

}  // namespace ringsim::scenarios
