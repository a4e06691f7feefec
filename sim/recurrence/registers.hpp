#pragma once
// Vectors over ranks, shared by handle: recording an event copies a handle, not N doubles. Each vector has guard values
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

  /// A handle at a moment: it means another value once its vector has been given out again.
  struct Stamp {
    Handle handle = none;
    std::uint64_t generation = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };

  explicit Registers(std::int64_t ranks) : ranks_(ranks) {}

  /// A vector nobody else holds, contents undefined, with one reference.
  Handle acquire() {
    if (free_count_ == 0) grow();
    const Handle handle = free_[--free_count_];
    Register& r = registers_[index(handle)];
    r.references = 1;
    ++r.generation;
    return handle;
  }
  void retain(Handle handle) { ++registers_[index(handle)].references; }
  void release(Handle handle) {
    if (handle != none && --registers_[index(handle)].references == 0) free_[free_count_++] = handle;
  }
  /// `to` now means the vector `from`.
  void assign(Handle& to, Handle from) {
    if (to == from) return;
    if (from != none) retain(from);
    release(to);
    to = from;
  }

  [[nodiscard]] Stamp stamp(Handle handle) const { return {handle, registers_[index(handle)].generation}; }
  /// Whether the vector of a stamp is still held and has not been given out again.
  [[nodiscard]] bool alive(Stamp stamp) const {
    if (stamp.handle == none) return false;
    const Register& r = registers_[index(stamp.handle)];
    return r.references > 0 && r.generation == stamp.generation;
  }

  [[nodiscard]] double* at(Handle handle) { return registers_[index(handle)].values; }
  [[nodiscard]] auto view(Handle handle) { return Eigen::Map<Eigen::ArrayXd, Eigen::Aligned16>(at(handle), ranks_); }
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
  static constexpr std::int64_t guard = 2;  // two, to keep the 16-byte alignment of Eigen's arrays
  struct Register {
    double* values = nullptr;  // of rank 0
    std::uint64_t generation = 0;
    int references = 0;
  };
  static std::size_t index(Handle handle) { return static_cast<std::size_t>(handle); }

  void grow() {
    free_.resize(registers_.size() + 1);  // room for every handle: giving one back never allocates
    free_[free_count_++] = static_cast<Handle>(registers_.size());
    vectors_.emplace_back(ranks_ + 2 * guard);
    registers_.push_back({vectors_.back().data() + guard, 0, 0});
  }

  std::int64_t ranks_;
  std::vector<Eigen::ArrayXd> vectors_;
  std::vector<Register> registers_;
  std::vector<Handle> free_;
  std::size_t free_count_ = 0;
};

}  // namespace ringsim::sim
