#pragma once
// Vectors over the ranks of all lanes, shared by handle: recording an event copies a handle, not N doubles. Every lane has
// guard values on either side (lane_layout.hpp), so that a shift by one rank is a view.

#include "sim/recurrence/lane_layout.hpp"
#include "sim/recurrence/tape.hpp"

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

  explicit Registers(LaneLayout layout) : layout_(layout), extent_(layout.extent()) {}

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

  /// What a tape calls the vector that a handle means now.
  void name(Handle handle, TapeValue value) { registers_[index(handle)].value = value; }
  [[nodiscard]] TapeValue value(Handle handle) const { return registers_[index(handle)].value; }

  [[nodiscard]] const LaneLayout& layout() const { return layout_; }
  [[nodiscard]] double* at(Handle handle) const { return registers_[index(handle)].values; }
  /// All lanes, and the guards between them.
  [[nodiscard]] auto view(Handle handle) { return Eigen::Map<Eigen::ArrayXd, Eigen::Aligned16>(at(handle), extent_); }
  /// Takes `seconds` off all vectors that are held.
  void rebase(double seconds) {
    for (std::size_t i = 0; i < registers_.size(); ++i) {
      if (registers_[i].references > 0) view(static_cast<Handle>(i)) -= seconds;
    }
  }
  /// The ranks of a lane.
  [[nodiscard]] Eigen::Map<const Eigen::ArrayXd> lane(Handle handle, std::int64_t lane) const {
    return {at(handle) + layout_.first(lane), layout_.ranks()};
  }
  /// The values of the next rank (offset 1) or the one before (-1); call close_rings first.
  [[nodiscard]] auto shifted(Handle handle, std::int64_t offset) {
    return Eigen::Map<Eigen::ArrayXd>(at(handle) + offset, extent_);
  }
  void close_rings(Handle handle) {
    const std::int64_t n = layout_.ranks();
    for (std::int64_t lane = 0; lane < layout_.lanes(); ++lane) {
      double* v = at(handle) + layout_.first(lane);
      v[-1] = v[n - 1];
      v[n] = v[0];
    }
  }

 private:
  static constexpr std::int64_t guard = 2;  // at both ends; two, to keep the 16-byte alignment of Eigen's arrays
  struct Register {
    double* values = nullptr;  // of rank 0 of the first lane
    std::uint64_t generation = 0;
    int references = 0;
    TapeValue value = no_value;
  };
  static std::size_t index(Handle handle) { return static_cast<std::size_t>(handle); }

  void grow() {
    free_.resize(registers_.size() + 1);  // room for every handle: giving one back never allocates
    free_[free_count_++] = static_cast<Handle>(registers_.size());
    double* values = vectors_.emplace_back(extent_ + 2 * guard).data() + guard;
    // Zeroing all of it was measured to make runs a tenth slower.
    for (std::int64_t lane = 0; lane < layout_.lanes(); ++lane) {
      values[layout_.first(lane) - 1] = values[layout_.first(lane) + layout_.ranks()] = 0.0;
    }
    registers_.push_back({values, 0, 0, no_value});
  }

  LaneLayout layout_;
  std::int64_t extent_;
  std::vector<Eigen::ArrayXd> vectors_;
  std::vector<Register> registers_;
  std::vector<Handle> free_;
  std::size_t free_count_ = 0;
};

}  // namespace ringsim::sim
