#include "models/group_members.hpp"

#include <algorithm>

namespace ringsim {
namespace {

// Axes along which the members of a group differ, the fastest first.
std::vector<Axis> axes_of(Group group) {
  switch (group) {
    case Group::tensor:
    case Group::decode_context:
      return {Axis::tensor};
    case Group::ulysses:
      return {Axis::ulysses};
    case Group::ring:
      return {Axis::ring};
    case Group::context:
      return {Axis::ulysses, Axis::ring};
    case Group::data:
      return {Axis::data};
    case Group::expert:
    case Group::gradient:
      break;
  }
  return {Axis::ulysses, Axis::ring, Axis::data};
}

}  // namespace

// Ranks have positions, counted along the group's axes first: a group is `size` positions that follow each other, whether it takes
// its axes whole or, as experts and the ranks of a decode context do, a piece of them.
GroupMembers::GroupMembers(Group group, const Parallel& parallel)
    : parallel_(parallel), size_(size_of(group, parallel)), ranks_(parallel.product()) {
  std::vector<Axis> axes = axes_of(group);
  for (const Axis axis : all_axes) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
  }
  std::copy(axes.begin(), axes.end(), axes_.begin());
}

std::int64_t GroupMembers::gpu(std::int64_t position) const {
  std::array<std::int64_t, all_axes.size()> at{};
  for (const Axis axis : axes_) {
    const std::int64_t degree = parallel_.degree(axis);
    at[static_cast<std::size_t>(axis)] = position % degree;
    position /= degree;
  }
  const auto of = [&](Axis axis) { return at[static_cast<std::size_t>(axis)]; };
  return gpu_of(parallel_, of(Axis::tensor), of(Axis::ulysses), of(Axis::ring), of(Axis::pipeline), of(Axis::data));
}

std::vector<std::int64_t> GroupMembers::gpus(std::int64_t group) const {
  std::vector<std::int64_t> members;
  members.reserve(static_cast<std::size_t>(size_));
  for (std::int64_t i = 0; i < size_; ++i) members.push_back(gpu(group * size_ + i));
  std::sort(members.begin(), members.end());
  return members;
}

std::vector<std::int64_t> GroupMembers::groups_on(std::int64_t begin, std::int64_t end) const {
  std::vector<std::int64_t> found;
  for (std::int64_t group = 0; group < groups(); ++group) {
    for (std::int64_t i = 0; i < size_; ++i) {
      const std::int64_t at = gpu(group * size_ + i);
      if (at < begin || at >= end) continue;
      found.push_back(group);
      break;
    }
  }
  return found;
}

}  // namespace ringsim
