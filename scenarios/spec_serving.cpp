// The keys of `serving` and `price`.

#include "models/kv_layout.hpp"
#include "scenarios/spec.hpp"

namespace ringsim::scenarios {
namespace {

std::vector<std::string_view> names_of_kv_layouts() {
  std::vector<std::string_view> names;
  for (const KvLayout& layout : kv_layouts()) names.push_back(layout.name);
  return names;
}

}  // namespace

const Mapping& serving_spec() {
  static const Mapping spec{
      .name = "serving",
      .description = "How the model is served: its cache, and how decode steps reach it.",
      .fields =
          {
              {.key = "kv_layout",
               .kind = Kind::choice,
               .description = "What the cache is made of; default: elements of workload.dtype.",
               .choices = names_of_kv_layouts(),
               .examples = {"fp8"}},
              {.key = "page_tokens",
               .kind = Kind::count,
               .description = "Tokens of a page of the cache; a request holds whole pages.",
               .fallback = "1",
               .minimum = 1,
               .maximum = 1e6,
               .beyond = "a page would hold whole requests",
               .examples = {"16"}},
              {.key = "decode",
               .kind = Kind::choice,
               .description =
                   "Attention of a decode step over a cache that ranks of the ring divide. split-kv: each rank "
                   "over its part, then one exchange of outputs; ring: the query goes around.",
               .fallback = "split-kv",
               .choices = {"split-kv", "ring"},
               .refused = {{"flash-decoding", "that way is called split-kv", "decode: split-kv"}}},
              {.key = "memory_reserve",
               .kind = Kind::ratio,
               .description = "Part of a GPU's memory that the engine leaves alone.",
               .fallback = "0%",
               .maximum = 0.99,
               .beyond = "nothing would be left",
               .examples = {"10%"}},
              {.key = "fragmentation",
               .kind = Kind::ratio,
               .description = "Part of what is allocated that the allocator loses.",
               .fallback = "0%",
               .maximum = 0.99,
               .beyond = "nothing would be left",
               .examples = {"3%"}},
              {.key = "communication_buffers",
               .kind = Kind::bytes,
               .description = "What NCCL or its like takes of a GPU's memory; default: nothing.",
               .examples = {"1 GiB"}},
          },
      .refused = {{"gpu_memory_utilization", "what the engine leaves alone is called memory_reserve: 1 - utilization",
                   "memory_reserve: 10%"},
                  {"block_size", "the tokens of a page are called page_tokens", "page_tokens: 16"},
                  {"kv_dtype", "what the cache is made of is called kv_layout", "kv_layout: fp8"},
                  {"kv_cache_dtype", "what the cache is made of is called kv_layout", "kv_layout: fp8"}}};
  return spec;
}

const Mapping& price_spec() {
  static const Mapping spec{.name = "price",
                            .description = "What the machines and their power cost, in your currency.",
                            .fields = {{.key = "gpu_hour",
                                        .kind = Kind::number,
                                        .description = "Price of a GPU for an hour.",
                                        .examples = {"2.50"}},
                                       {.key = "kilowatt_hour",
                                        .kind = Kind::number,
                                        .description = "Price of a kilowatt-hour.",
                                        .examples = {"0.30"}}},
                            .refused = {{"kwh", "the price of power is called kilowatt_hour", "kilowatt_hour: 0.30"}},
                            .any_of = {"gpu_hour", "kilowatt_hour"}};
  return spec;
}

}  // namespace ringsim::scenarios
