#pragma once
// How a model is served: what the K/V cache is made of, and how decode steps reach it.

#include "models/quantity.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ringsim {

/// Who computes a decode step's attention over a cache that several ranks divide.
enum class DecodeAttention {
  split_kv,  // every rank over its part, then one exchange of (O, LSE)
  ring,      // the query goes around
};
constexpr std::string_view name_of(DecodeAttention how) {
  return how == DecodeAttention::split_kv ? "split-kv" : "ring";
}

struct Serving {
  std::string kv_layout;         // a name of models/kv_layout.hpp; empty: elements of workload.dtype
  std::int64_t page_tokens = 1;  // tokens of a cache page: a request holds whole pages
  DecodeAttention decode = DecodeAttention::split_kv;
  double memory_reserve = 0.0;    // fraction of a GPU's memory that the engine leaves alone
  double fragmentation = 0.0;     // fraction of what is allocated that the allocator loses
  Bytes communication_buffers{};  // of NCCL or its like, a GPU
};

}  // namespace ringsim
