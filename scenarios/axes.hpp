#pragma once
// The axes of a sweep: --set with several values.
//
//   ring.layout=zigzag,striped                  these, in this order; commas inside of brackets, braces and quotes do not separate
//   parallel.ring=8..512*2                      from 8, each twice the one before, up to 512
//   cluster.nodes=1..64+3                       from 1, each 3 more, up to 64
//   cluster.nodes=1..8                          of counts: each 1 more
//   cluster.inter_node.bandwidth=100 Gb/s..800 Gb/s*2           with units; a step that is added has one, too
//   workload.tokens=128Ki,1Mi..8Mi*2            mixed
//
// A range ends at the last value that is not beyond its end. Values of a range are computed from its start, so that rounding does
// not add up: start + i · step, start · factor^i, to 15 significant digits. A range is of keys that hold a number; elsewhere two dots are
// part of a text. One value alone is no axis. Points are the product of all axes, the last of which varies fastest; they are
// counted, never listed.

#include "scenarios/spec.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::scenarios {

/// Values of one key.
class SweepAxis {
 public:
  /// Of the text behind the equals sign. Throws Error at "--set KEY".
  SweepAxis(std::string key, const std::string& text);

  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  /// The value at an index, as the language has it.
  [[nodiscard]] std::string text(std::int64_t index) const;

 private:
  /// Of values that follow each other.
  struct Range {
    double first = 0;  // SI
    double step = 0;   // added; 0: multiplied
    double factor = 1;
  };
  struct Piece {
    std::int64_t size = 1;
    std::string text;  // of a single value
    Range range;
  };
  [[nodiscard]] Piece piece_of(const std::string& text, const Field* field) const;
  [[nodiscard]] double value(const Range& range, std::int64_t index) const;

  std::string key_;
  Kind kind_ = Kind::text;
  std::vector<Piece> pieces_;
  std::int64_t size_ = 0;
};

/// All --set of a command line.
class SweepAxes {
 public:
  /// Throws Error: no assignment, an axis that stands twice or is overwritten, a key that the language has not, more than 2^53 points.
  explicit SweepAxes(const std::vector<std::string>& sets);

  [[nodiscard]] const std::vector<SweepAxis>& axes() const { return axes_; }
  [[nodiscard]] std::int64_t points() const { return points_; }
  /// Index of a point's value on an axis.
  [[nodiscard]] std::int64_t index(std::int64_t point, std::size_t axis) const {
    return point / stride_[axis] % axes_[axis].size();
  }
  /// --set of one point, in the order of the command line.
  [[nodiscard]] std::vector<std::string> sets(std::int64_t point) const;

 private:
  struct Assignment {
    std::string text;  // of an axis empty
    std::size_t axis = 0;
  };
  std::vector<Assignment> assignments_;
  std::vector<SweepAxis> axes_;
  std::vector<std::int64_t> stride_;  // points until an axis changes
  std::int64_t points_ = 1;
};

/// A number of the language in SI units. `kind` is one that holds a number. Throws Error without a place.
[[nodiscard]] double number_of(const std::string& text, Kind kind);
/// Whether values of a kind are numbers.
[[nodiscard]] bool holds_number(Kind kind);

}  // namespace ringsim::scenarios
