#pragma once
// Memory of one rank, term by term (physics: "Memory a rank").

#include "models/scenario.hpp"

#include <string>
#include <vector>

namespace ringsim {

struct MemoryTerm {
  std::string name;  // snake_case key for machines: "kv_cache", "weights", "ring_buffers", ...
  std::string what;  // for people, with what divides it
  Bytes size;
};

struct Memory {
  std::vector<MemoryTerm> terms;
  Bytes total;
  Bytes capacity;
  std::vector<std::string> missing;  // what is not counted because the scenario does not tell; then fits() is not known
  Bytes rest_of_network;  // a prefill's residual stream and unchunked MLP beside the attention part, at a guess
  [[nodiscard]] bool fits() const { return total <= capacity; }
};

/// Memory of the rank with the largest block.
[[nodiscard]] Memory memory_of_rank(const Scenario& scenario);

}  // namespace ringsim
