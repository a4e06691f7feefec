#include "models/inner_ring.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ringsim {
namespace {

// "ring.inner 2, 4 or 8", or what else there is to do for a ring of a prime number of ranks.
std::string legal(std::int64_t ranks) {
  std::vector<std::int64_t> divisors;
  for (std::int64_t m = 2; m < ranks; ++m) {
    if (ranks % m == 0) divisors.push_back(m);
  }
  if (divisors.empty()) return "ring.exchange one-way: no inner ring divides the ring";
  std::string text = "ring.exchange one-way, or ring.inner ";
  for (std::size_t i = 0; i < divisors.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == divisors.size() ? " or " : ", ", divisors[i]);
  }
  return text;
}

// Calls `visit(tensor, ulysses, pipeline, data)` for every ring of the job.
template <class Visit>
void for_each_ring(const Parallel& p, const Visit& visit) {
  for (std::int64_t d = 0; d < p.data; ++d) {
    for (std::int64_t s = 0; s < p.pipeline; ++s) {
      for (std::int64_t u = 0; u < p.ulysses; ++u) {
        for (std::int64_t t = 0; t < p.tensor; ++t) visit(t, u, s, d);
      }
    }
  }
}

std::int64_t ranks_of_a_node(const Parallel& p, const Cluster& cluster) {
  if (std::holds_alternative<Torus>(cluster.fabric)) return p.ring;
  std::int64_t found = 0;
  const auto run_of = [&](std::int64_t ranks) {
    if (found == 0) found = ranks;
    if (ranks == found) return;
    throw Error(
        fmt::format("some nodes hold {} neighbours of a ring and others {}: they are no inner rings of one size",
                    std::min(found, ranks), std::max(found, ranks)),
        "ring.inner", legal(p.ring) + "; or a placement that gives every node as many");
  };
  for_each_ring(p, [&](std::int64_t t, std::int64_t u, std::int64_t s, std::int64_t d) {
    std::int64_t run = 0;
    std::int64_t node = -1;
    for (std::int64_t r = 0; r < p.ring; ++r) {
      const std::int64_t here = gpu_of(p, t, u, r, s, d) / cluster.gpus_per_node;
      if (here != node && run > 0) run_of(std::exchange(run, 0));
      node = here;
      ++run;
    }
    run_of(run);
  });
  return found;
}

}  // namespace

std::int64_t inner_ranks(const Parallel& p, const Cluster& cluster, const RingOptions& ring) {
  if (ring.exchange != Exchange::two_level || p.ring < 2) return 1;
  const bool given = ring.inner != 0;
  const std::int64_t inner = given ? ring.inner : ranks_of_a_node(p, cluster);
  if (inner < 1 || p.ring % inner != 0) {
    throw Error(fmt::format("inner rings of {} do not divide a ring of {}", inner, p.ring), "ring.inner",
                legal(p.ring));
  }
  const std::string whose = given ? "inner rings" : "nodes";
  if (inner == 1) {
    throw Error(fmt::format("{} of one rank of the ring leave no inner ring", whose), "ring.inner", legal(p.ring));
  }
  if (inner == p.ring) {
    throw Error(fmt::format("{} of all {} ranks of the ring leave no outer ring", whose, inner), "ring.inner",
                legal(p.ring));
  }
  return inner;
}

}  // namespace ringsim
