#include "sim/recurrence/folding.hpp"

#include "sim/recurrence/costs.hpp"

#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

namespace ringsim::sim {
namespace {

// Whether all ranks have the same work at every step: of collectives, dense work and transfers they have where their blocks are even.
bool works_alike(const Program& program, const Machine& machine) {
  if (!program.shards.even()) return false;
  bool alike = true;
  for_each_operation(program.body, [&](const Operation& operation) {
    const ComputeOperation what{std::get_if<Attend>(&operation.what), std::get_if<Merge>(&operation.what)};
    if (!alike || (what.attend == nullptr && what.merge == nullptr)) return;
    for (std::size_t mask = 0; mask < program.masks.size() && alike; ++mask) {
      const auto layer = std::find(program.mask_of_layer.begin(), program.mask_of_layer.end(), mask);
      if (layer == program.mask_of_layer.end()) continue;
      alike = uniform_from(program, machine, what, layer - program.mask_of_layer.begin()) < program.ring() ||
              program.ring() == 1;
    }
  });
  return alike;
}

// Of values that stand for `ring` ranks, role after role.
template <class T>
bool has_period(const std::vector<T>& values, std::int64_t ring, std::int64_t period) {
  const auto m = static_cast<std::size_t>(period);
  const auto n = static_cast<std::size_t>(ring);
  for (std::size_t role = 0; role + n <= values.size(); role += n) {
    const T* of = values.data() + role;
    // Each is compared with the one a period before it.
    if (!std::equal(of + m, of + n, of)) return false;
  }
  return true;
}

}  // namespace

std::int64_t period_of(const Program& program, const Machine& machine) {
  const std::int64_t ring = program.ring();
  if (ring < 2 || !works_alike(program, machine)) return ring;
  for (std::int64_t m = program.inner; m < ring; m += program.inner) {
    if (ring % m == 0 && has_period(machine.hops.kind_of(), ring, m) &&
        has_period(machine.second_hops.kind_of(), ring, m) && has_period(machine.slowdown, ring, m) &&
        has_period(machine.start_s, ring, m)) {
      return m;
    }
  }
  return ring;
}

}  // namespace ringsim::sim
