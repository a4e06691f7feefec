#pragma once
// Memory that plans of one stream share, as only one of them runs at a time.

#include "kernels/cuda/resources.hpp"

#include <cstddef>
#include <vector>

namespace ringsim::cuda::cudnn {

/// Pieces of it begin at multiples of this number of bytes.
inline constexpr std::size_t scratch_alignment_bytes = 256;

[[nodiscard]] constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + scratch_alignment_bytes - 1) / scratch_alignment_bytes * scratch_alignment_bytes;
}

class Scratch {
 public:
  /// At least so many bytes from now on. What was there before stays allocated: graphs that were captured may use it.
  void reserve(std::size_t bytes) {
    if (bytes > size()) memory_.emplace_back(bytes);
  }
  [[nodiscard]] std::size_t size() const { return memory_.empty() ? 0 : memory_.back().size(); }
  [[nodiscard]] std::byte* data() const { return memory_.empty() ? nullptr : memory_.back().data(); }

 private:
  std::vector<Memory<std::byte>> memory_;
};

}  // namespace ringsim::cuda::cudnn
