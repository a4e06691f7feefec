#include "models/document_packing.hpp"
#include "models/error.hpp"
#include "models/layout.hpp"
#include "models/legality.hpp"

#include <fmt/format.h>

#include <numeric>

namespace ringsim {
namespace {

// The nearest multiples of a unit.
std::string nearest(std::int64_t tokens, std::int64_t unit) {
  const std::int64_t below = tokens / unit * unit;
  return below > 0 ? fmt::format("{} or {}", below, below + unit) : fmt::format("{}", unit);
}

// Tokens of one pass over the ring: the layout's own rule, then what divides a block further.
void check_length(const Scenario& s, std::int64_t tokens, const std::string& where) {
  try {
    static_cast<void>(Shards(s.ring.layout, tokens, s.parallel.ring));
  } catch (const Error& e) {
    throw Error(e.message(), e.where() == "workload.tokens" ? where : e.where(), e.hint());
  }
  const TokenUnit unit = sequence_unit(s);
  if (tokens % unit.tokens != 0) {
    throw Error(fmt::format("{} tokens are no multiple of {} = {}", tokens, unit.from, unit.tokens), where,
                fmt::format("{} tokens", nearest(tokens, unit.tokens)));
  }
}

void check_chunks(const Scenario& s) {
  const std::int64_t chunk = s.workload.chunk;
  if (chunk == 0) return;
  if (chunk < 0) throw Error(fmt::format("chunks of {} tokens", chunk), "workload.chunk", "0, or at least 1");
  if (s.workload.phase != Phase::prefill) {
    throw Error(fmt::format("chunks in phase {}", name_of(s.workload.phase)), "workload.chunk",
                "no chunk: only a prefill takes a sequence in passes");
  }
  if (chunk >= s.workload.tokens) return;
  check_length(s, chunk, "workload.chunk");
  if (const std::int64_t rest = s.workload.tokens % chunk; rest > 0) check_length(s, rest, "workload.chunk");
}

void check_cached(const Scenario& s) {
  const std::int64_t cached = s.workload.cached;
  if (cached == 0) return;
  if (cached < 0) throw Error(fmt::format("{} cached tokens", cached), "workload.cached", "0, or at least 1");
  if (s.workload.phase != Phase::prefill) {
    throw Error(fmt::format("cached tokens in phase {}", name_of(s.workload.phase)), "workload.cached",
                s.workload.phase == Phase::decode ? "0: of a decode step, workload.tokens are in the cache"
                                                  : "0: training keeps no cache");
  }
  check_length(s, cached, "workload.cached");
  static_cast<void>(Shards(Layout::contiguous, cached + s.workload.tokens, s.parallel.ring));
}

}  // namespace

TokenUnit sequence_unit(const Scenario& s) {
  const Parallel& p = s.parallel;
  TokenUnit unit;
  if (s.ring.layout == Layout::zigzag && p.ring > 1) {
    unit = {std::lcm(std::int64_t{2}, p.ulysses) * p.ring, p.ulysses > 1 ? "lcm(2, ulysses) x ring" : "2 x ring"};
  } else if (p.ulysses > 1) {
    unit = {p.ulysses * p.ring, "ulysses x ring"};
  }
  if (p.sequence_parallel && p.tensor > 1) {
    const std::int64_t shared = p.tensor * p.ulysses * p.ring;
    const std::int64_t both = std::lcm(unit.tokens, shared);
    const std::string ranks =
        p.ulysses > 1 ? "tensor x ulysses x ring (sequence_parallel)" : "tensor x ring (sequence_parallel)";
    if (both != unit.tokens) {
      unit.from = unit.from.empty() || both == shared ? ranks : fmt::format("lcm({}, {})", unit.from, ranks);
      unit.tokens = both;
    }
  }
  if (unit.from.empty()) unit.from = "1";
  return unit;
}

void check_tokens(const Scenario& s) {
  if (s.workload.phase == Phase::backward && s.workload.scope == Scope::model) {
    throw Error("the backward pass of a whole model by itself", "workload.phase",
                "train, which has it; or workload.scope: attention");
  }
  check_length(s, s.workload.tokens, "workload.tokens");
  check_chunks(s);
  check_cached(s);
  if (s.workload.output_tokens < 1) {
    throw Error(fmt::format("{} output tokens", s.workload.output_tokens), "workload.output_tokens", "at least 1");
  }
  if (!s.workload.documents) return;
  if (s.workload.phase == Phase::decode) {
    throw Error("documents in phase decode", "workload.documents", "phase train or prefill");
  }
  static_cast<void>(pack_documents(s));
}

}  // namespace ringsim
