#include "sim/role_layers.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>

namespace ringsim::sim {
namespace {

/// Stream of the first operation of a body that is no loop.
StreamId first_stream(const std::vector<Operation>& body) {
  StreamId stream = 0;
  bool found = false;
  for_each_operation(body, [&](const Operation& operation) {
    if (std::exchange(found, true)) return;
    std::visit(
        [&](const auto& what) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(what)>, Repeat>) stream = what.stream;
        },
        operation.what);
  });
  return stream;
}

std::int64_t steps_in(const std::vector<Operation>& body) {
  std::int64_t steps = 1;
  for (const Operation& operation : body) {
    const auto* repeat = std::get_if<Repeat>(&operation.what);
    if (repeat == nullptr) continue;
    steps = std::max(steps, steps_in(repeat->body));
    if (repeat->loop != Loop::step || repeat->count <= 0) continue;
    steps = std::max(steps, repeat->downwards ? repeat->first + 1 : repeat->first + repeat->count);
  }
  return steps;
}

}  // namespace

std::vector<std::vector<std::int64_t>> layers_of_roles(const Program& program) {
  std::vector<std::set<std::int64_t>> found(program.roles.size());
  for (const Operation& operation : program.body) {
    const auto* repeat = std::get_if<Repeat>(&operation.what);
    if (repeat == nullptr || repeat->loop != Loop::layer) continue;
    std::set<std::int64_t>& layers = found[program.role_of(first_stream(repeat->body))];
    for (std::int64_t i = 0; i < repeat->count; ++i) {
      layers.insert(repeat->downwards ? repeat->first - i : repeat->first + i);
    }
  }
  std::vector<std::vector<std::int64_t>> lists;
  for (const std::set<std::int64_t>& layers : found) {
    lists.emplace_back(layers.begin(), layers.end());
    if (!layers.empty()) continue;
    lists.back().resize(static_cast<std::size_t>(program.layers()));
    std::iota(lists.back().begin(), lists.back().end(), std::int64_t{0});
  }
  return lists;
}

std::int64_t steps_of(const Program& program) { return steps_in(program.body); }

}  // namespace ringsim::sim
