#pragma once
// Which ranks make a group: for every GPU that a job uses the group of a kind that it belongs to, and the members of that.

#include "models/collective.hpp"
#include "models/plan.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace ringsim {

class GroupMembers {
 public:
  GroupMembers(Group group, const Parallel& parallel);

  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::int64_t groups() const { return ranks_ / size_; }
  /// GPUs of a group, ascending.
  [[nodiscard]] std::vector<std::int64_t> gpus(std::int64_t group) const;
  /// Groups with a member among GPUs [begin, end), ascending.
  [[nodiscard]] std::vector<std::int64_t> groups_on(std::int64_t begin, std::int64_t end) const;

 private:
  [[nodiscard]] std::int64_t gpu(std::int64_t position) const;

  const Parallel& parallel_;
  std::array<Axis, 5> axes_{};  // those along which members differ, then the others
  std::int64_t size_ = 1;
  std::int64_t ranks_ = 1;
};

}  // namespace ringsim
