#pragma once
// Which mappings of a scenario differ from another scenario's: what follows from the others alone need not be worked out again.

#include <initializer_list>

namespace ringsim {

enum class ScenarioPart : unsigned {
  model = 1U << 0U,
  workload = 1U << 1U,
  cluster = 1U << 2U,
  parallel = 1U << 3U,
  ring = 1U << 4U,
  training = 1U << 5U,
  serving = 1U << 6U,
  profile = 1U << 7U,
  noise = 1U << 8U,
  price = 1U << 9U,
};

/// A set of parts.
class ScenarioParts {
 public:
  constexpr ScenarioParts() = default;
  constexpr ScenarioParts(std::initializer_list<ScenarioPart> parts) {
    for (const ScenarioPart part : parts) add(part);
  }
  [[nodiscard]] static constexpr ScenarioParts all() {
    ScenarioParts parts;
    parts.bits_ = ~0U;
    return parts;
  }
  constexpr void add(ScenarioPart part) { bits_ |= static_cast<unsigned>(part); }
  constexpr void add(ScenarioParts parts) { bits_ |= parts.bits_; }
  [[nodiscard]] constexpr bool any_of(ScenarioParts parts) const { return (bits_ & parts.bits_) != 0; }
  [[nodiscard]] constexpr bool has(ScenarioPart part) const { return (bits_ & static_cast<unsigned>(part)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }

 private:
  unsigned bits_ = 0;
};

}  // namespace ringsim
