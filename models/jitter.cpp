#include "models/jitter.hpp"

#include "models/clones.hpp"
#include "models/counter_random.hpp"
#include "models/draw_block.hpp"
#include "models/elementary.hpp"
#include "models/normal_quantile.hpp"

#include <algorithm>
#include <cmath>

namespace ringsim {
namespace {

namespace random = counter_random;

// Of any number of ranks, a block at a time: into `out`, or times what is there.
RINGSIM_CLONES void draw(const Jitter& jitter, double deviation, std::uint64_t operation, std::uint64_t first,
                         std::size_t count, bool times, double* __restrict out) {
  alignas(64) draw_block::Block factors;
  for (std::size_t done = 0; done < count; done += draw_block::block) {
    const std::size_t now = std::min(draw_block::block, count - done);
    draw_block::factors(jitter, deviation, operation, first + done, now, factors);
    double* to = out + done;
    if (times) {
      for (std::size_t i = 0; i < now; ++i) to[i] *= factors[i];
    } else {
      for (std::size_t i = 0; i < now; ++i) to[i] = factors[i];
    }
  }
}

}  // namespace

JitterStream::JitterStream(const Jitter& jitter, std::uint64_t seed, std::string_view name, std::int64_t replica,
                           std::int64_t ring)
    : jitter_(jitter),
      log_deviation_(std::sqrt(elementary::log(1.0 + jitter.spread * jitter.spread))),
      key_(random::absorb(0, seed)) {
  key_ = random::absorb(key_, random::number_of(name));
  key_ = random::absorb(key_, static_cast<std::uint64_t>(replica));
  key_ = random::absorb(key_, static_cast<std::uint64_t>(ring));
}

std::uint64_t JitterStream::operation(std::int64_t layer, std::int64_t step, std::int64_t pass,
                                      std::int64_t kind) const {
  std::uint64_t hash = key_;
  for (const std::int64_t index : {layer, step, pass, kind}) {
    hash = random::absorb(hash, static_cast<std::uint64_t>(index));
  }
  return hash;
}

double JitterStream::factor(std::uint64_t operation, std::int64_t rank) const {
  if (!on()) return 1.0;
  const double u = random::uniform(random::bits(operation, static_cast<std::uint64_t>(rank)));
  if (jitter_.distribution == Distribution::pareto) return draw_block::pareto_factor(u, jitter_.spread, jitter_.tail);
  const double z = normal_quantile(u);
  return jitter_.distribution == Distribution::normal ? draw_block::normal_factor(z, jitter_.spread)
                                                      : draw_block::lognormal_factor(z, log_deviation_);
}

void JitterStream::factors(std::uint64_t operation, std::int64_t first, std::int64_t count, double* out) const {
  if (!on()) {
    std::fill_n(out, count, 1.0);
    return;
  }
  const Jitter jitter = jitter_;  // not this object, which might be `out`
  draw(jitter, log_deviation_, operation, static_cast<std::uint64_t>(first), static_cast<std::size_t>(count), false,
       out);
}

void JitterStream::stretch(std::uint64_t operation, std::int64_t first, std::int64_t count, double* times) const {
  if (!on()) return;
  const Jitter jitter = jitter_;
  draw(jitter, log_deviation_, operation, static_cast<std::uint64_t>(first), static_cast<std::size_t>(count), true,
       times);
}

}  // namespace ringsim
