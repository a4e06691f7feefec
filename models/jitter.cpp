#include "models/jitter.hpp"

#include "models/counter_random.hpp"
#include "models/elementary.hpp"
#include "models/normal_quantile.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ringsim {
namespace {

namespace random = counter_random;

// Draws are made a block at a time, each stage a loop of its own that compilers turn into vector instructions.
constexpr std::int64_t block = 64;
using Block = std::array<double, block>;

double normal_factor(double z, double spread) { return std::max(1.0 + spread * z, 1.0 / 16.0); }

double lognormal_factor(double z, double deviation) {
  return elementary::exp_of_moderate(deviation * z - 0.5 * deviation * deviation);
}

double pareto_factor(double u, double spread, double tail) {
  const double excess = elementary::exp_of_moderate(-elementary::log_of_normal(1.0 - u) / tail) - 1.0;
  return 1.0 + spread * (tail - 1.0) * excess;
}

void uniforms(std::uint64_t operation, std::int64_t first, std::int64_t count, Block& u) {
  for (std::int64_t i = 0; i < count; ++i) {
    u[static_cast<std::size_t>(i)] = random::uniform(random::bits(operation, static_cast<std::uint64_t>(first + i)));
  }
}

void normals(const Block& u, std::int64_t count, Block& z) {
  const auto n = static_cast<std::size_t>(count);
  for (std::size_t i = 0; i < n; ++i) z[i] = normal_quantile_centre(u[i]);
  std::array<std::size_t, block> outside;
  std::size_t found = 0;
  for (std::size_t i = 0; i < n; ++i) {
    outside[found] = i;  // kept only if it is one
    found += in_normal_centre(u[i]) ? 0U : 1U;
  }
  for (std::size_t i = 0; i < found; ++i) z[outside[i]] = normal_quantile_tail(u[outside[i]]);
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
  if (jitter_.distribution == Distribution::pareto) return pareto_factor(u, jitter_.spread, jitter_.tail);
  const double z = normal_quantile(u);
  return jitter_.distribution == Distribution::normal ? normal_factor(z, jitter_.spread)
                                                      : lognormal_factor(z, log_deviation_);
}

void JitterStream::factors(std::uint64_t operation, std::int64_t first, std::int64_t count, double* out) const {
  if (!on()) {
    std::fill_n(out, count, 1.0);
    return;
  }
  // Copies: what is written to `out` might otherwise be this object.
  const Jitter jitter = jitter_;
  const double deviation = log_deviation_;
  Block u;
  Block z;
  for (std::int64_t done = 0; done < count; done += block) {
    const std::int64_t now = std::min(block, count - done);
    const auto n = static_cast<std::size_t>(now);
    double* to = out + done;
    uniforms(operation, first + done, now, u);
    if (jitter.distribution == Distribution::pareto) {
      for (std::size_t i = 0; i < n; ++i) to[i] = pareto_factor(u[i], jitter.spread, jitter.tail);
      continue;
    }
    normals(u, now, z);
    if (jitter.distribution == Distribution::normal) {
      for (std::size_t i = 0; i < n; ++i) to[i] = normal_factor(z[i], jitter.spread);
    } else {
      for (std::size_t i = 0; i < n; ++i) to[i] = lognormal_factor(z[i], deviation);
    }
  }
}

}  // namespace ringsim
