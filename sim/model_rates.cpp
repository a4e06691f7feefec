#include "sim/model_rates.hpp"

#include "models/block/model_flop.hpp"
#include "models/spending.hpp"

#include <fmt/format.h>

namespace ringsim::sim {
namespace {

void utilisation(const Scenario& s, Prediction& p) {
  if (s.workload.scope != Scope::model) return;
  const double times = s.workload.phase == Phase::decode ? static_cast<double>(s.workload.output_tokens) : 1.0;
  const double peak_flop =
      static_cast<double>(p.ranks) * in_flop_per_second(peak(s.cluster.gpu, s.workload.dtype)) * p.makespan_s;
  p.mfu = times * in_flop(model_flop(s)) / peak_flop;
  p.hfu = times * in_flop(executed_flop(s)) / peak_flop;
}

void latencies(const Scenario& s, Prediction& p) {
  if (s.workload.phase == Phase::decode) p.tpot_s = p.makespan_s / static_cast<double>(s.workload.output_tokens);
  if (s.workload.scope != Scope::model) return;
  if (s.workload.phase == Phase::prefill) p.ttft_s = p.makespan_s;
  if (s.workload.phase == Phase::train) p.step_time_s = p.makespan_s;
}

}  // namespace

void model_rates(const Scenario& s, Prediction& p) {
  const std::int64_t tokens = s.workload.phase == Phase::decode ? s.workload.output_tokens : s.workload.tokens;
  p.tokens_per_s = static_cast<double>(tokens * s.workload.batch) / p.makespan_s;
  p.gpu_hours = static_cast<double>(p.ranks) * p.makespan_s / 3600.0;
  if (s.price_per_gpu_hour) p.cost = p.gpu_hours * *s.price_per_gpu_hour;
  utilisation(s, p);
  latencies(s, p);
}

std::string why_no_b_min(const Scenario& s) {
  if (s.workload.phase == Phase::decode) return "a decode step has one query a sequence";
  if (s.parallel.ring == 1 && s.parallel.ulysses > 1) return "there is no ring, only Ulysses";
  if (s.ring.exchange != Exchange::one_way && s.parallel.ring > 1) {
    return fmt::format("blocks are exchanged {}, not step by step from rank to rank", name_of(s.ring.exchange));
  }
  if (s.ring.travels == Rotation::q) return "queries travel, whose bytes grow with the computation that hides them";
  if (s.workload.cached > 0 || s.workload.chunk > 0) return "queries and keys of a block are not equally many";
  if (s.workload.scope == Scope::model) return "it is of attention alone: scope attention has it";
  return {};
}

}  // namespace ringsim::sim
