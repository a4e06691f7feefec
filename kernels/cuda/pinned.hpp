#pragma once
// Memory of the host that kernels read and write as it is.

#include "kernels/cuda/error.hpp"

#include <cuda_runtime.h>

#include <utility>

namespace ringsim::cuda {

/// One object of a plain type, in page-locked memory of the host; both sides use the same address.
template <class T>
class Pinned {
 public:
  explicit Pinned(T value = {}) {
    check(cudaHostAlloc(reinterpret_cast<void**>(&data_), sizeof(T), cudaHostAllocPortable), "cudaHostAlloc");
    *data_ = value;
  }
  Pinned(Pinned&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Pinned& operator=(Pinned&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  /// Waits for the device, which may still be using it.
  ~Pinned() {
    if (data_ != nullptr) static_cast<void>(cudaFreeHost(data_));
  }
  [[nodiscard]] T* get() const { return data_; }
  [[nodiscard]] T& operator*() const { return *data_; }
  [[nodiscard]] T* operator->() const { return data_; }

 private:
  T* data_ = nullptr;
};

}  // namespace ringsim::cuda
