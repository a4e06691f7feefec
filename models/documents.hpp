#pragma once
// Documents that are packed into sequences: lengths and how often each occurs.

#include <cstdint>
#include <vector>

namespace ringsim {

struct DocumentLength {
  std::int64_t tokens = 0;
  std::int64_t count = 1;
  friend bool operator==(const DocumentLength&, const DocumentLength&) = default;
};

struct Documents {
  std::vector<DocumentLength> lengths;  // in the order in which they are packed
  std::int64_t alignment = 0;           // each is padded to a multiple of it [tokens]; 0: what the plan needs
  friend bool operator==(const Documents&, const Documents&) = default;
};

}  // namespace ringsim
