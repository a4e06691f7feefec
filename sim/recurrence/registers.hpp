#pragma once
// Vectors over ranks, shared by handle: recording an event copies a handle, not N doubles. Each vector has one guard value
// on either side, so that a shift by one rank is a view.

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringsim::sim {

class Registers {
 public:
  using Handle = int;
  static constexpr Handle none = -1;

  explicit Registers(std::int64_t ranks) : ranks_(ranks) {}

  /// A vector nobody else holds, contents undefined, with one reference.
  Handle acquire() {
    if (free_.empty()) {
      free_.push_back(static_cast<Handle>(vectors_.size()));
      vectors_.emplace_back(ranks_ + 2 * guard);
      values_.push_back(vectors_.back().data() + guard);
      references_.push_back(0);
    }
    const Handle handle = free_.back();
    free_.pop_back();
    references_[index(handle)] = 1;
    return handle;
  }
  void retain(Handle handle) { ++references_[index(handle)]; }
  void release(Handle handle) {
    if (handle != none && --references_[index(handle)] == 0) free_.push_back(handle);
  }
  /// `to` now means the vector `from`.
  void assign(Handle& to, Handle from) {
    if (to == from) return;
    if (from != none) retain(from);
    release(to);
    to = from;
  }
  [[nodiscard]] double* at(Handle handle) { return values_[index(handle)]; }
  [[nodiscard]] auto view(Handle handle) { return Eigen::Map<Eigen::ArrayXd>(at(handle), ranks_); }
  /// The values of the next rank (offset 1) or the one before (-1); call close_ring first.
  [[nodiscard]] auto shifted(Handle handle, std::int64_t offset) {
    return Eigen::Map<Eigen::ArrayXd>(at(handle) + offset, ranks_);
  }
  void close_ring(Handle handle) {
    double* v = at(handle);
    v[-1] = v[ranks_ - 1];
    v[ranks_] = v[0];
  }

 private:
  static constexpr std::int64_t guard = 2;  // two, to keep 16-byte alignment
  static std::size_t index(Handle handle) { return static_cast<std::size_t>(handle); }

  std::int64_t ranks_;
  std::vector<Eigen::ArrayXd> vectors_;
  std::vector<double*> values_;  // of rank 0
  std::vector<int> references_;
  std::vector<Handle> free_;
};

}  // namespace ringsim::sim
