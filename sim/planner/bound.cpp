#include "sim/planner/bound.hpp"

#include "models/block/ends.hpp"
#include "models/block/layer.hpp"
#include "models/mask.hpp"
#include "models/ring_shape.hpp"
#include "models/stages.hpp"
#include "sim/schedules/decode_attention.hpp"
#include "sim/schedules/model_program.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::sim {
namespace {

/// Least factor on compute times that noise can give.
double least_factor(const Noise& noise) {
  if (noise.random()) return 0;
  double least = 1;
  for (const Straggler& straggler : noise.stragglers) least = std::min(least, straggler.slowdown);
  return least;
}

// Sums of the same times in another order differ in their last digits.
TimeBound rounded_down(TimeBound bound) {
  constexpr double rounding = 1e-9;
  return {bound.time_s * (1 - rounding), bound.compute_s * (1 - rounding)};
}

}  // namespace

PlanBound::PlanBound(const Scenario& s)
    : one_(s),
      dense_(s.profile, s.cluster.gpu),
      whole_(s.workload.scope == Scope::model),
      training_(runs_backward(s.workload.phase)),
      forward_(runs_forward(s.workload.phase)),
      slowest_(least_factor(s.noise)) {
  const std::int64_t batch = batch_of_rank(s);
  std::int64_t together = batch;
  if (s.workload.phase == Phase::decode) {
    together = decode_sequences(s);
  } else if (whole_ && training_) {
    together = s.training.micro_batch;
  } else if (whole_ && s.parallel.pipeline > 1) {
    together = 1;
  }
  if (s.workload.phase == Phase::prefill || training_) repeats_ = std::max<std::int64_t>(1, batch / together);
  one_.workload.batch = together * s.parallel.data;
  sequences_ = static_cast<double>(together);
  shape_ = ring_shape(one_);
  for (std::int64_t layer = 0; layer < s.model.layers; ++layer) {
    const Mask mask = mask_of_layer(s, layer);
    const auto known = std::find(masks_.begin(), masks_.end(), mask);
    const auto index = static_cast<std::size_t>(known - masks_.begin());
    if (known == masks_.end()) masks_.push_back(mask);
    kind_of_layer_.push_back(2 * index + (s.model.is_mixture(layer) ? 1 : 0));
  }
  if (slowest_ <= 0) return;
  if (s.workload.phase == Phase::prefill && s.workload.chunk > 0) {
    const std::vector<Scenario> passes = passes_of_prefill(one_);
    for (std::size_t i = 0; i < passes.size(); ++i) sweeps_.push_back(sweep_of(passes[i], i + 1 == passes.size()));
  } else {
    sweeps_.push_back(sweep_of(one_, true));
  }
}

PlanBound::Part PlanBound::part_of(const std::vector<BlockStep>& steps,
                                   double tokens) const {
  Part part;
  for (const BlockStep& step : steps) {
    if (const auto* work = std::get_if<DenseWork>(&step)) {
      part.dense_s += in_seconds(dense_.time(*work, tokens, sequences_));
    } else {
      const auto& what = std::get<CollectiveTraffic>(step);
      part.collectives.push_back({what.kind, what.group, what.bytes_per_token * tokens + what.fixed});
    }
  }
  return part;
}

PlanBound::Sweep PlanBound::sweep_of(const Scenario& s, bool last) const {
  Sweep sweep;
  const bool decode = s.workload.phase == Phase::decode;
  sweep.tokens = s.workload.tokens;
  sweep.cached = s.workload.phase == Phase::prefill ? s.workload.cached : 0;
  const double tokens = decode ? 1.0 : static_cast<double>(sweep.tokens / s.parallel.ring);
  for (const Mask& mask : masks_) {
    if (decode || s.workload.documents) {  // their own kernels, which are not counted
      sweep.entries.push_back(0);
      sweep.end_entries.push_back(0);
      continue;
    }
    const TokenRun queries{sweep.cached, sweep.tokens, 1};
    const TokenRun keys{0, sweep.cached + sweep.tokens, 1};
    const auto pairs = static_cast<double>(masked_area(queries, keys, mask));
    sweep.entries.push_back(pairs / static_cast<double>(s.parallel.ring));
    const Shards contiguous(Layout::contiguous, sweep.tokens, s.parallel.ring);
    const std::int64_t own = contiguous.block(s.parallel.ring - 1);
    const TokenRun at_end{sweep.cached + sweep.tokens - own, own, 1};
    sweep.end_entries.push_back(
        std::max(sweep.entries.back(), static_cast<double>(masked_area(at_end, keys, mask))));
  }
  sweep.kinds.resize(2 * masks_.size());
  if (!whole_) return sweep;
  const BlockShape shape = block_shape(s, sequences_);
  for (std::size_t layer = 0; layer < kind_of_layer_.size(); ++layer) {
    Layer& kind = sweep.kinds[kind_of_layer_[layer]];
    if (kind.forward.dense_s > 0) continue;
    const auto index = static_cast<std::int64_t>(layer);
    const auto both = [&](const LayerSteps& steps) {
      Part part = part_of(steps.before, tokens);
      const Part after = part_of(steps.after, tokens);
      part.dense_s += after.dense_s;
      part.collectives.insert(part.collectives.end(), after.collectives.begin(), after.collectives.end());
      return part;
    };
    kind.forward = both(layer_forward(shape, index));
    if (!training_) continue;
    kind.backward = both(layer_backward(shape, index));
    const Recomputation again = layer_recomputation(shape, index, s.training.recompute);
    const Part repeated = both(again.steps);
    kind.backward.dense_s += repeated.dense_s;
    kind.backward.collectives.insert(kind.backward.collectives.end(), repeated.collectives.begin(),
                                     repeated.collectives.end());
    kind.again = again.attention;
  }
  sweep.embedding = part_of(embedding_forward(shape), tokens);
  if (training_) {
    sweep.embedding_back = part_of(embedding_backward(shape), tokens);
    sweep.head = part_of(loss_forward(shape), tokens);
    sweep.head_back = part_of(loss_backward(shape), tokens);
  } else if (last) {
    sweep.head = part_of(last_logits(shape), tokens);
  }
  return sweep;
}

double PlanBound::seconds(const Part& part, const Machine* machine) {
  double total_s = 0;
  if (machine == nullptr) return total_s;
  for (const Exchanged& one : part.collectives) {
    total_s += in_seconds(machine->collectives.time(one.kind, one.group, one.size));
  }
  return total_s;
}

PlanBound::Attention PlanBound::attention(const Sweep& sweep, std::size_t mask, Pass pass, const Scenario* s,
                                          const Machine* machine) const {
  const AttentionCost& cost = pass == Pass::forward ? one_.profile.forward : one_.profile.backward;
  const auto kernels = [&](double entries) {
    return slowest_ * in_seconds(attention_flop(shape_.heads, pass, entries) /
                                 (cost.saturated.value * cost.sustained.value));
  };
  const double mean_s = kernels(sweep.entries[mask]);
  if (machine == nullptr || one_.workload.phase == Phase::decode) return {mean_s, mean_s};
  const RingOptions& ring = s->ring;
  const std::int64_t ranks = s->parallel.ring;
  const Rotation travels = pass == Pass::backward ? ring.backward
                           : ring.choose_travels  ? shape_.travels
                                                  : ring.travels;
  const bool queries_stay = ring.exchange != Exchange::one_way || travels == Rotation::kv;
  const double kernels_s =
      queries_stay && ring.layout == Layout::contiguous ? kernels(sweep.end_entries[mask]) : mean_s;
  const auto block = static_cast<double>(sweep.tokens / ranks);
  const double keys = block + static_cast<double>(sweep.cached / ranks);
  double exchanges_s = 0;
  const auto collective = [&](CollectiveKind kind, Group group, Bytes size) {
    exchanges_s += in_seconds(machine->collectives.time(kind, group, size));
  };
  if (s->parallel.ulysses > 1) {
    collective(CollectiveKind::all_to_all, Group::ulysses, (shape_.q_per_token() + shape_.kv_per_token()) * block);
    collective(CollectiveKind::all_to_all, Group::ulysses, shape_.output_per_token() * block);
  }
  if (ranks == 1) return {kernels_s + exchanges_s, mean_s};
  const auto slowest = [&](Bytes size) {
    Duration most;
    for (const HopCost& hop : machine->hops) most = std::max(most, CostModel::hop(hop, size));
    for (const HopCost& hop : machine->second_hops) most = std::max(most, CostModel::hop(hop, size));
    return in_seconds(most);
  };
  const auto hops = static_cast<double>(ranks - 1);
  const auto tokens = static_cast<double>(sweep.cached + sweep.tokens);
  double hops_s = 0;
  switch (ring.exchange) {
    case Exchange::two_level:
      break;
    case Exchange::both_ways:
      if (pass == Pass::forward) hops_s = hops * slowest(shape_.kv_per_token() * (0.5 * std::max(0.0, keys - 2)));
      break;
    case Exchange::all_gather:
      collective(CollectiveKind::all_gather, Group::ring, shape_.kv_per_token() * tokens);
      if (pass == Pass::backward) {
        collective(CollectiveKind::reduce_scatter, Group::ring, shape_.kv_gradient_per_token() * tokens);
      }
      break;
    case Exchange::one_way:
      if (pass == Pass::backward) {
        const bool kv = travels == Rotation::kv;
        const Bytes operands = (kv ? shape_.kv_per_token() : shape_.q_bundle_per_token()) * block;
        const Bytes gradient = (kv ? shape_.kv_gradient_per_token() : shape_.q_gradient_per_token()) * block;
        hops_s = slowest(operands) + (hops - 1) * slowest(operands + gradient) + 2.0 * slowest(gradient);
      } else if (travels == Rotation::kv) {
        hops_s = hops * slowest(shape_.kv_per_token() * keys);
      } else {
        hops_s = hops * slowest(shape_.q_per_token() * block);
        collective(CollectiveKind::all_to_all, Group::ring,
                   shape_.partial_per_token() * static_cast<double>(sweep.tokens));
      }
      break;
  }
  return {std::max(kernels_s, hops_s) + exchanges_s, mean_s};
}

TimeBound PlanBound::bound(const Scenario* s, const Machine* machine) const {
  TimeBound result;
  if (sweeps_.empty()) return result;
  const std::int64_t stages = whole_ ? one_.parallel.pipeline : 1;
  const std::int64_t interleave = training_ ? one_.training.interleave : 1;
  // Times of a micro-batch on each stage, by sweep: forward, backward.
  struct Stage {
    double forward_s = 0, backward_s = 0, compute_s = 0;
  };
  std::vector<std::vector<Stage>> all;
  for (const Sweep& sweep : sweeps_) {
    std::vector<Stage> kinds(sweep.kinds.size());
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const Layer& layer = sweep.kinds[k];
      Stage& time = kinds[k];
      if (forward_) {
        const Attention a = attention(sweep, k / 2, Pass::forward, s, machine);
        time.forward_s = slowest_ * layer.forward.dense_s + seconds(layer.forward, machine) + a.time_s;
        time.compute_s = slowest_ * layer.forward.dense_s + a.compute_s;
        if (layer.again) {
          time.backward_s += a.time_s;
          time.compute_s += a.compute_s;
        }
      }
      if (!training_) continue;
      const Attention a = attention(sweep, k / 2, Pass::backward, s, machine);
      time.backward_s += slowest_ * layer.backward.dense_s + seconds(layer.backward, machine) + a.time_s;
      time.compute_s += slowest_ * layer.backward.dense_s + a.compute_s;
    }
    std::vector<Stage>& of_stages = all.emplace_back(static_cast<std::size_t>(stages));
    const auto add = [&](Stage& stage, const Part& part, bool backward) {
      (backward ? stage.backward_s : stage.forward_s) += slowest_ * part.dense_s + seconds(part, machine);
      stage.compute_s += slowest_ * part.dense_s;
    };
    for (std::int64_t stage = 0; stage < stages; ++stage) {
      Stage& sum = of_stages[static_cast<std::size_t>(stage)];
      for (const LayerRun& run : layers_of_stage(one_.model.layers, stages, interleave, stage)) {
        for (std::int64_t layer = run.first; layer < run.first + run.count; ++layer) {
          const Stage& one = kinds[kind_of_layer_[static_cast<std::size_t>(layer)]];
          sum.forward_s += one.forward_s;
          sum.backward_s += one.backward_s;
          sum.compute_s += one.compute_s;
        }
      }
    }
    add(of_stages.front(), sweep.embedding, false);
    add(of_stages.front(), sweep.embedding_back, true);
    add(of_stages.back(), sweep.head, false);
    add(of_stages.back(), sweep.head_back, true);
  }
  const auto repeats = static_cast<double>(repeats_);
  if (one_.workload.phase == Phase::decode) {
    for (const Stage& stage : all.front()) {
      result.time_s += stage.forward_s;
      result.compute_s += stage.compute_s;
    }
    const auto tokens = static_cast<double>(one_.workload.output_tokens);
    return rounded_down({result.time_s * tokens, result.compute_s * tokens / static_cast<double>(stages)});
  }
  const std::size_t count = static_cast<std::size_t>(stages);
  for (std::size_t stage = 0; stage < count; ++stage) {
    double own_s = 0;
    for (const std::vector<Stage>& sweep : all) {
      own_s += repeats * (sweep[stage].forward_s + sweep[stage].backward_s);
      result.compute_s += repeats * sweep[stage].compute_s / static_cast<double>(stages);
    }
    double others_s = 0;
    if (interleave == 1) {
      for (std::size_t other = 0; other < count; ++other) {
        if (other < stage) others_s += all.front()[other].forward_s + all.front()[other].backward_s;
        if (other > stage && !training_) others_s += all.back()[other].forward_s;
      }
    }
    result.time_s = std::max(result.time_s, own_s + others_s);
  }
  return rounded_down(result);
}

}  // namespace ringsim::sim
