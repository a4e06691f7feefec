#pragma once
// Collects what lies on the critical path: by part of time, by rank, by stretch.

#include "sim/critical/explanation.hpp"
#include "sim/critical/gradients.hpp"
#include "sim/critical/walk_back.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ringsim::sim {

/// Stretches of a path that is gone through one way or the other, operation by operation.
class Segments {
 public:
  /// `backwards`: from the end to the start.
  explicit Segments(bool backwards) : backwards_(backwards) {}
  void add(const TapeEntry& entry, const Instruction* instruction, std::int64_t rank, double seconds);
  /// In order of time, from 0.
  [[nodiscard]] std::vector<PathSegment> take();
  [[nodiscard]] std::int64_t operations() const { return operations_; }

 private:
  bool backwards_;
  std::vector<PathSegment> segments_;
  std::int64_t operations_ = 0;
};

class PathTimes {
 public:
  explicit PathTimes(const std::vector<Parameter>& parameters) : parameters_(parameters) {}

  /// An operation of the phase that `gradients` is of, on ranks with weights.
  void add(const TapeEntry& entry, std::span<const PathPart> parts, DurationGradients& gradients);

  /// Of all that has been added [s].
  [[nodiscard]] double total_s() const { return total_s_; }
  /// Σ weight · g of every parameter [s].
  [[nodiscard]] const Eigen::ArrayXd& along() const { return along_; }
  [[nodiscard]] std::vector<TimeShare> shares(double makespan_s, double padded) const;
  [[nodiscard]] std::vector<RankOnPath> ranks() const;
  [[nodiscard]] Segments& segments() { return segments_; }

 private:
  using Key = std::pair<TimePart, std::string>;
  void split(const TapeEntry& entry, const PathPart& part, double seconds, const Eigen::ArrayXXd& g,
             DurationGradients& gradients);

  const std::vector<Parameter>& parameters_;
  Eigen::ArrayXd along_;
  std::map<Key, double> times_;
  std::map<std::pair<std::int64_t, std::int64_t>, double> ranks_;  // by stage and rank
  Segments segments_{true};
  double total_s_ = 0;
};

}  // namespace ringsim::sim
