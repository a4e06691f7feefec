#include "kernels/cuda/nccl_ring.hpp"

#include "kernels/cuda/dynamic/nccl.hpp"
#include "kernels/cuda/error.hpp"

#include <cstring>
#include <map>
#include <string>
#include <utility>

namespace ringsim::cuda {

#if RINGSIM_HAS_NCCL

static_assert(sizeof(NcclId) == sizeof(ncclUniqueId));

namespace {

/// NCCL's own explanation of its latest failure stands beside the name of the status.
void check_nccl(const NcclLibrary& library, ncclResult_t status, const char* what) {
  if (status == ncclSuccess) return;
  const char* explanation = library.get_last_error(nullptr);
  const bool explained = explanation != nullptr && *explanation != '\0';
  throw Error(std::string(what) + ": " + library.get_error_string(status) +
              (explained ? ": " + std::string(explanation) : std::string{}));
}

/// Calls between its construction and end() are one operation for NCCL. Where one of them fails the group still has to
/// be ended, or NCCL waits for its end for ever.
class Group {
 public:
  explicit Group(const NcclLibrary& library) : library_(library) {
    check_nccl(library_, library_.group_start(), "ncclGroupStart");
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() {
    if (open_) static_cast<void>(library_.group_end());
  }
  void end() {
    open_ = false;
    check_nccl(library_, library_.group_end(), "ncclGroupEnd");
  }

 private:
  const NcclLibrary& library_;
  bool open_ = true;
};

/// Makes the device current again that was current before.
class CurrentDevice {
 public:
  CurrentDevice() { check(cudaGetDevice(&device_), "cudaGetDevice"); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  ~CurrentDevice() { static_cast<void>(cudaSetDevice(device_)); }

 private:
  int device_ = 0;
};

ncclConfig_t config_of(const NcclOptions& options) {
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  if (options.max_ctas > 0) {
    config.minCTAs = 1;
    config.maxCTAs = options.max_ctas;
  }
  if (options.cluster >= 0) config.cgaClusterSize = options.cluster;
  return config;
}

}  // namespace

struct NcclRing::State {
  State(const NcclLibrary& nccl, int all_ranks) : library(nccl), ranks(all_ranks) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    for (const auto& [rank, communicator] : communicators) static_cast<void>(library.comm_destroy(communicator));
  }
  void join(const ncclUniqueId& id, int rank, const NcclOptions& options) {
    ncclConfig_t config = config_of(options);
    check_nccl(library, library.comm_init_rank_config(&communicators[rank], ranks, id, rank, &config),
               "ncclCommInitRankConfig");
  }

  const NcclLibrary& library;
  int ranks;
  std::map<int, ncclComm_t> communicators;  // by rank: those of this process
};

NcclRing::NcclRing(const std::vector<int>& devices, NcclOptions options)
    : state_(std::make_unique<State>(nccl_library(), static_cast<int>(devices.size()))) {
  if (devices.empty()) throw Error("a ring has one rank at least");
  ncclUniqueId id{};
  check_nccl(state_->library, state_->library.get_unique_id(&id), "ncclGetUniqueId");
  const CurrentDevice restored;
  try {
    Group group(state_->library);
    for (int rank = 0; rank < state_->ranks; ++rank) {
      check(cudaSetDevice(devices[static_cast<std::size_t>(rank)]), "cudaSetDevice");
      state_->join(id, rank, options);
    }
    group.end();
  } catch (...) {
    state_->communicators.clear();  // half made, they must not be destroyed
    throw;
  }
}

NcclRing::NcclRing(const NcclId& id, int ranks, int rank, NcclOptions options)
    : NcclRing(id, ranks, rank, options, nccl_library()) {}

NcclRing::NcclRing(const NcclId& id, int ranks, int rank, NcclOptions options, const NcclLibrary& library)
    : state_(std::make_unique<State>(library, ranks)) {
  ncclUniqueId nccl_id{};
  std::memcpy(&nccl_id, id.bytes.data(), id.bytes.size());
  try {
    state_->join(nccl_id, rank, options);
  } catch (...) {
    state_->communicators.clear();
    throw;
  }
}

NcclId NcclRing::new_id() {
  ncclUniqueId id{};
  check_nccl(nccl_library(), nccl_library().get_unique_id(&id), "ncclGetUniqueId");
  NcclId bytes;
  std::memcpy(bytes.bytes.data(), &id, sizeof id);
  return bytes;
}

void NcclRing::send_receive(std::span<const NcclHop> hops, int shift) {
  if (hops.empty()) return;
  const NcclLibrary& library = state_->library;
  const int ranks = state_->ranks;
  const int forward = (shift % ranks + ranks) % ranks;
  // Before the group is opened: what has been put into it is sent when it ends, and would wait for its other half.
  for (const NcclHop& hop : hops) {
    if (!state_->communicators.contains(hop.rank)) {
      throw Error("rank " + std::to_string(hop.rank) + " is not of this process");
    }
    if (forward == 0 && hop.send == hop.receive) throw Error("a rank that sends to itself needs two buffers");
  }
  Group group(library);
  for (const NcclHop& hop : hops) {
    ncclComm_t communicator = state_->communicators.at(hop.rank);
    const int next = (hop.rank + forward) % ranks;
    const int previous = (hop.rank + ranks - forward) % ranks;
    check_nccl(library, library.send(hop.send, hop.send_bytes, ncclUint8, next, communicator, hop.stream), "ncclSend");
    check_nccl(library, library.receive(hop.receive, hop.receive_bytes, ncclUint8, previous, communicator, hop.stream),
               "ncclRecv");
  }
  group.end();
}

void NcclRing::check_asynchronous() const {
  for (const auto& [rank, communicator] : state_->communicators) {
    ncclResult_t failure = ncclSuccess;
    check_nccl(state_->library, state_->library.comm_get_async_error(communicator, &failure), "ncclCommGetAsyncError");
    check_nccl(state_->library, failure, "a transfer of NCCL");
  }
}

int NcclRing::ranks() const { return state_->ranks; }

#else

struct NcclRing::State {};

NcclRing::NcclRing(const std::vector<int>&, NcclOptions) { throw_not_built_in("NCCL", "nccl.h"); }
NcclRing::NcclRing(const NcclId&, int, int, NcclOptions) { throw_not_built_in("NCCL", "nccl.h"); }
NcclRing::NcclRing(const NcclId&, int, int, NcclOptions, const NcclLibrary&) { throw_not_built_in("NCCL", "nccl.h"); }
NcclId NcclRing::new_id() { throw_not_built_in("NCCL", "nccl.h"); }
void NcclRing::send_receive(std::span<const NcclHop>, int) { throw_not_built_in("NCCL", "nccl.h"); }
void NcclRing::check_asynchronous() const { throw_not_built_in("NCCL", "nccl.h"); }
int NcclRing::ranks() const { throw_not_built_in("NCCL", "nccl.h"); }

#endif

NcclRing::~NcclRing() = default;
NcclRing::NcclRing(NcclRing&&) noexcept = default;
NcclRing& NcclRing::operator=(NcclRing&&) noexcept = default;

}  // namespace ringsim::cuda
