#pragma once
// A hook that kernels call after every tile, so that transfers move on while the compute thread is busy. MPI moves bytes
// only inside its own calls: without the hook a hop would stand still for as long as a kernel runs.

namespace ringsim::host {

/// Does not own what it calls. Empty: nothing is called.
struct Progress {
  void (*call)(void* with) = nullptr;
  void* with = nullptr;
  void operator()() const {
    if (call != nullptr) call(with);
  }
};

}  // namespace ringsim::host
