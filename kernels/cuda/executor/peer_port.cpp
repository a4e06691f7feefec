#include "kernels/cuda/executor/peer_port.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace ringsim::cuda {
namespace {

void enable(int device, int peer) {
  if (device == peer) return;
  int possible = 0;
  check(cudaDeviceCanAccessPeer(&possible, device, peer), "cudaDeviceCanAccessPeer");
  if (possible == 0) throw Error(fmt::format("GPU {} cannot reach the memory of GPU {}", device, peer), {}, "use NCCL");
  const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
  if (status == cudaErrorPeerAccessAlreadyEnabled) {
    static_cast<void>(cudaGetLastError());
  } else {
    check(status, "cudaDeviceEnablePeerAccess");
  }
}

}  // namespace

PeerPort::PeerPort(std::vector<int> devices) : devices_(std::move(devices)) {
  for (std::size_t rank = 0; rank < devices_.size(); ++rank) {
    check(cudaSetDevice(devices_[rank]), "cudaSetDevice");
    enable(devices_[rank], devices_[(rank + 1) % devices_.size()]);
    ready_.emplace_back(Event::Kind::ordering);
    arrived_.emplace_back(Event::Kind::ordering);
  }
}

void PeerPort::enqueue(const std::vector<Hop>& hops) {
  const std::size_t ranks = hops.size();
  if (ranks != devices_.size()) throw Error("copies between GPUs need all ranks of the ring in one process");
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    check(cudaSetDevice(devices_[rank]), "cudaSetDevice");
    ready_[rank].record(hops[rank].stream);
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::size_t next = (rank + 1) % ranks;
    check(cudaSetDevice(devices_[next]), "cudaSetDevice");
    ready_[rank].hold_back(hops[next].stream);
    for (std::size_t i = 0; i < hops[rank].outgoing.size(); ++i) {
      const Message& from = hops[rank].outgoing[i];
      const Message& to = hops[next].incoming[i];
      if (from.bytes != to.bytes) throw Error("two ranks disagree about the size of a hop", "program");
      check(cudaMemcpyPeerAsync(to.data, devices_[next], from.data, devices_[rank], from.bytes, hops[next].stream),
            "cudaMemcpyPeerAsync");
    }
    arrived_[next].record(hops[next].stream);
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    check(cudaSetDevice(devices_[rank]), "cudaSetDevice");
    arrived_[(rank + 1) % ranks].hold_back(hops[rank].stream);
  }
}

}  // namespace ringsim::cuda
