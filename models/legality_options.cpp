#include "models/error.hpp"
#include "models/inner_ring.hpp"
#include "models/kv_layout.hpp"
#include "models/legality.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim {
namespace {

void check_ring(const Scenario& s) {
  const RingOptions& r = s.ring;
  if (r.buffers < 2 || r.buffers > 3) {
    throw Error(fmt::format("{} block buffers", r.buffers), "ring.buffers", "2 or 3");
  }
  if (r.exchange == Exchange::one_way) return;
  const auto only_kv = [&](Rotation travels, const char* key) {
    if (travels == Rotation::q) {
      throw Error(fmt::format("queries that travel under exchange {}", name_of(r.exchange)), key,
                  "kv, or ring.exchange: one-way");
    }
  };
  if (!r.choose_travels) only_kv(r.travels, "ring.travels");
  if (runs_backward(s.workload.phase)) only_kv(r.backward, "ring.backward");
  if (r.exchange == Exchange::both_ways && r.halves == Halves::heads && s.parallel.ring > 1) {
    const std::int64_t ranks = s.parallel.tensor * s.parallel.ulysses;
    const std::int64_t kv = std::max<std::int64_t>(1, (s.model.latent ? s.model.heads : s.model.kv_heads) / ranks);
    if (kv % 2 != 0) {
      throw Error(fmt::format("{} key/value head{} of a rank cannot go both ways by halves", kv, kv == 1 ? "" : "s"),
                  "ring.halves", "tokens");
    }
  }
  static_cast<void>(inner_ranks(s.parallel, s.cluster, r));
}

void not_negative(double value, const char* key, const char* hint) {
  if (!(value >= 0)) throw Error(fmt::format("{} of {}", key, value), key, hint);
}

void a_part(double value, const char* key) {
  if (!(value >= 0 && value < 1)) {
    throw Error(fmt::format("a part of {}", value), key, "from 0 to less than 1, such as 0.1");
  }
}

void check_training(const Training& t) {
  if (t.zero < 0 || t.zero > 3) throw Error(fmt::format("ZeRO stage {}", t.zero), "training.zero", "0, 1, 2 or 3");
  not_negative(in_bytes(t.bucket), "training.bucket", "0 (a layer's gradients), or a size");
  not_negative(t.gradient_bytes, "training.gradient_bytes", "bytes a parameter, such as 4 (fp32) or 2 (bf16)");
  not_negative(t.optimizer_bytes, "training.optimizer_bytes", "bytes a parameter, such as 12 (Adam in fp32)");
  not_negative(static_cast<double>(t.logits_chunk), "training.logits_chunk", "0 (all), or tokens");
}

void check_serving(const Scenario& s) {
  const Serving& v = s.serving;
  if (v.page_tokens < 1) {
    throw Error(fmt::format("cache pages of {} tokens", v.page_tokens), "serving.page_tokens", "at least 1");
  }
  a_part(v.memory_reserve, "serving.memory_reserve");
  a_part(v.fragmentation, "serving.fragmentation");
  not_negative(in_bytes(v.communication_buffers), "serving.communication_buffers", "a size, such as 1GiB");
  static_cast<void>(kv_layout_of(s));
}

}  // namespace

void check_options(const Scenario& s) {
  check_ring(s);
  check_training(s.training);
  check_serving(s);
}

}  // namespace ringsim
