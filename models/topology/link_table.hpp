#pragma once
// The links of a network that routes use, numbered as they come up, each once.
//
// A million GPUs have millions of links and few kinds of names, so a link is kept as its family ("node#.gpu#.out", as in
// link_names.hpp) and the numbers that stand for each #. Its name is written out when somebody asks for it.

#include "models/quantity.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim {

using LinkIndex = std::size_t;

/// One direction of a wire.
struct NetworkLink {
  std::string name;
  Bandwidth bandwidth;
};

/// What stands for each # of a family, in order; 0 where the family has fewer.
using LinkNumbers = std::array<std::int64_t, 3>;

class LinkTable {
 public:
  /// Of the link of this name, which is added with its bandwidth where it is new.
  LinkIndex index_of(std::string_view family, const LinkNumbers& numbers, Bandwidth bandwidth);

  [[nodiscard]] std::size_t size() const { return links_.size(); }
  [[nodiscard]] Bandwidth bandwidth(LinkIndex link) const { return links_[link].bandwidth; }
  void set_bandwidth(LinkIndex link, Bandwidth bandwidth) { links_[link].bandwidth = bandwidth; }
  [[nodiscard]] std::string name(LinkIndex link) const;
  [[nodiscard]] NetworkLink operator[](LinkIndex link) const { return {name(link), bandwidth(link)}; }
  /// All of them, with their names.
  [[nodiscard]] std::vector<NetworkLink> named() const;

 private:
  struct Entry {
    LinkNumbers numbers;
    Bandwidth bandwidth;
    std::uint32_t family = 0;
    [[nodiscard]] std::size_t hash() const;
  };
  [[nodiscard]] std::uint32_t family_of(std::string_view pattern);
  void grow();

  std::vector<std::string> families_;
  std::vector<Entry> links_;
  std::vector<std::uint32_t> slots_;  // open addressing: 1 + index of a link, 0 where none is; a power of two of them
};

}  // namespace ringsim
