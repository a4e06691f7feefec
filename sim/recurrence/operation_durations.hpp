#pragma once
// How long every operation of a program takes on a machine, asked for by the entries of a tape: what the recurrence adds where
// the tape says `work` or `hop`. The tape may be that of another machine, or of another program of the same structure.

#include "sim/recurrence/lowering.hpp"
#include "sim/recurrence/operation_times.hpp"
#include "sim/recurrence/tape.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <vector>

namespace ringsim::sim {

class OperationDurations {
 public:
  /// Keeps references to the program and to the lane's machine.
  OperationDurations(const Program& program, const Lane& lane);
  OperationDurations(const OperationDurations&) = delete;
  OperationDurations& operator=(const OperationDurations&) = delete;
  OperationDurations(OperationDurations&&) = delete;
  OperationDurations& operator=(OperationDurations&&) = delete;
  ~OperationDurations() = default;

  /// [s] by rank, of a hop by its sender; valid until the next call. Zero for entries that take no time.
  [[nodiscard]] const Eigen::ArrayXd& of(const TapeEntry& entry);
  [[nodiscard]] const Instruction& instruction(const TapeEntry& entry) const {
    return *instructions_[static_cast<std::size_t>(entry.instruction)];
  }
  [[nodiscard]] bool has(const TapeEntry& entry) const {
    return instructions_[static_cast<std::size_t>(entry.instruction)] != nullptr;
  }
  [[nodiscard]] std::size_t instructions() const { return instructions_.size(); }
  /// Whether all the instructions are the same but for how long they take: kind and stream, one by one.
  [[nodiscard]] bool structured_like(const OperationDurations& other) const;

 private:
  void list(const std::vector<LoweredNode>& body);

  const Program& program_;
  std::vector<Lane> lanes_;
  LaneLayout layout_;
  Lowered lowered_;
  OperationTimes times_;
  std::vector<const Instruction*> instructions_;  // by number; null where lowering left one out
  Eigen::ArrayXd nominal_;
  Eigen::ArrayXd zero_;
};

}  // namespace ringsim::sim
