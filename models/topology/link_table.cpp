#include "models/topology/link_table.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace ringsim {

std::size_t LinkTable::Entry::hash() const {
  std::uint64_t z = family;
  for (const std::int64_t number : numbers) {
    z = (z ^ static_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15U;
    z ^= z >> 32U;
  }
  return static_cast<std::size_t>(z);
}

std::uint32_t LinkTable::family_of(std::string_view pattern) {
  const auto known = std::find(families_.begin(), families_.end(), pattern);
  if (known == families_.end()) {
    families_.emplace_back(pattern);
    return static_cast<std::uint32_t>(families_.size() - 1);
  }
  return static_cast<std::uint32_t>(known - families_.begin());
}

// Twice as many slots, at most half of them in use.
void LinkTable::grow() {
  if (links_.size() >= std::numeric_limits<std::uint32_t>::max() / 2) throw std::length_error("too many links");
  slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    std::size_t slot = links_[i].hash() & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

LinkIndex LinkTable::index_of(std::string_view family, const LinkNumbers& numbers, Bandwidth bandwidth) {
  if (2 * (links_.size() + 1) > slots_.size()) grow();
  const Entry entry{numbers, bandwidth, family_of(family)};
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = entry.hash() & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const Entry& other = links_[slots_[slot] - 1];
    if (other.numbers == numbers && other.family == entry.family) return slots_[slot] - 1;
  }
  links_.push_back(entry);
  slots_[slot] = static_cast<std::uint32_t>(links_.size());
  return links_.size() - 1;
}

std::string LinkTable::name(LinkIndex link) const {
  const Entry& entry = links_[link];
  std::string text;
  std::size_t next = 0;
  for (const char c : families_[entry.family]) {
    if (c == '#') {
      text += std::to_string(entry.numbers.at(next++));
    } else {
      text += c;
    }
  }
  return text;
}

std::vector<NetworkLink> LinkTable::named() const {
  std::vector<NetworkLink> all;
  all.reserve(size());
  for (LinkIndex link = 0; link < size(); ++link) all.push_back((*this)[link]);
  return all;
}

}  // namespace ringsim
