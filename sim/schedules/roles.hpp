#pragma once
// Roles of a program: the operations that are written once, for one pipeline stage, are given to every stage, each with streams
// and events of its own.

#include "sim/program.hpp"

#include <cstdint>
#include <vector>

namespace ringsim::sim {

/// The operations with their streams and events moved on: those of the same name of another role.
[[nodiscard]] std::vector<Operation> moved(const std::vector<Operation>& operations, std::size_t streams,
                                           std::size_t events);

/// Streams and events of a program whose roles have the same ones, one role after the other; and events between roles.
class Roles {
 public:
  /// Gives the program, which has streams and events of one role, those of `count` roles: "compute stage 3".
  Roles(Program& program, std::int64_t count);

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] StreamId stream(std::int64_t role, StreamId of_one) const {
    return static_cast<std::size_t>(role) * streams_ + of_one;
  }
  [[nodiscard]] std::size_t event(std::int64_t role, std::size_t of_one) const {
    return static_cast<std::size_t>(role) * events_ + of_one;
  }
  /// Operations of role 0 as those of another.
  [[nodiscard]] std::vector<Operation> of(std::int64_t role, const std::vector<Operation>& operations) const {
    return moved(operations, stream(role, 0), event(role, 0));
  }

 private:
  std::int64_t count_;
  std::size_t streams_;  // of a role
  std::size_t events_;
};

/// Appends a list of operations to another.
inline void append(std::vector<Operation>& to, std::vector<Operation> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace ringsim::sim
