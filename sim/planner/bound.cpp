#include "sim/planner/bound.hpp"

#include "models/block/ends.hpp"
#include "models/block/layer.hpp"
#include "models/mask.hpp"
#include "models/ring_shape.hpp"
#include "models/stages.hpp"
#include "sim/kernel_shares.hpp"
#include "sim/schedules/decode_attention.hpp"
#include "sim/schedules/model_program.hpp"

#include <algorithm>
#include <array>
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

PlanBound::Part PlanBound::part_of(const std::vector<BlockStep>& steps, double tokens) const {
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
      continue;
    }
    const TokenRun queries{sweep.cached, sweep.tokens, 1};
    const TokenRun keys{0, sweep.cached + sweep.tokens, 1};
    const auto pairs = static_cast<double>(masked_area(queries, keys, mask));
    sweep.entries.push_back(pairs / static_cast<double>(s.parallel.ring));
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

double PlanBound::of_collectives(const Part& part, const Machine* machine) {
  double total_s = 0;
  if (machine == nullptr) return total_s;
  for (const Exchanged& one : part.collectives) {
    total_s += in_seconds(machine->collectives.time(one.kind, one.group, one.size));
  }
  return total_s;
}

PlanBound::Attention PlanBound::attention(const Sweep& sweep, std::size_t mask, Pass pass, const Scenario* s,
                                          const Machine* machine) const {
  if (machine == nullptr || one_.workload.phase == Phase::decode || sweep.entries[mask] <= 0) {
    const AttentionCost& cost = pass == Pass::forward ? one_.profile.forward : one_.profile.backward;
    const double mean_s = slowest_ * in_seconds(attention_flop(shape_.heads, pass, sweep.entries[mask]) /
                                                (cost.saturated.value * cost.sustained.value));
    return {Eigen::ArrayXd::Constant(machine == nullptr ? 1 : one_.parallel.ring, mean_s), mean_s};
  }
  const RingOptions& ring = s->ring;
  const std::int64_t ranks = s->parallel.ring;
  const bool forward = pass == Pass::forward;
  const Rotation travels = !forward ? ring.backward : ring.choose_travels ? shape_.travels : ring.travels;
  const bool one_way = ring.exchange == Exchange::one_way;
  const RingKernels kind = ring.exchange == Exchange::all_gather ? RingKernels::all_keys
                           : ring.exchange == Exchange::both_ways && ring.halves == Halves::tokens
                               ? RingKernels::token_halves
                           : one_way && travels == Rotation::q ? RingKernels::queries_travel
                                                               : RingKernels::keys_travel;
  const bool merges = one_way && forward && travels == Rotation::kv;
  const KernelTimes& kernels = kernel_times(sweep, mask, pass, kind, ring.layout, merges);
  const double mean_s = slowest_ * kernels.mean();
  const auto block = static_cast<double>(sweep.tokens / ranks);
  const double keys = block + static_cast<double>(sweep.cached / ranks);
  double exchanges_s = 0;
  const auto collective = [&](CollectiveKind what, Group group, Bytes size) {
    exchanges_s += in_seconds(machine->collectives.time(what, group, size));
  };
  if (s->parallel.ulysses > 1) {
    collective(CollectiveKind::all_to_all, Group::ulysses, (shape_.q_per_token() + shape_.kv_per_token()) * block);
    collective(CollectiveKind::all_to_all, Group::ulysses, shape_.output_per_token() * block);
  }
  const auto tokens = static_cast<double>(sweep.cached + sweep.tokens);
  if (ranks > 1 && ring.exchange == Exchange::all_gather) {
    collective(CollectiveKind::all_gather, Group::ring, shape_.kv_per_token() * tokens);
    if (!forward) collective(CollectiveKind::reduce_scatter, Group::ring, shape_.kv_gradient_per_token() * tokens);
  }
  if (ranks > 1 && one_way && forward && travels == Rotation::q) {
    collective(CollectiveKind::all_to_all, Group::ring, shape_.partial_per_token() * static_cast<double>(sweep.tokens));
  }
  StepHops hops;
  if (ranks > 1 && one_way) {
    const bool kv = travels == Rotation::kv;
    if (forward) {
      hops.first = hops.middle = kv ? shape_.kv_per_token() * keys : shape_.q_per_token() * block;
    } else {
      hops.first = (kv ? shape_.kv_per_token() : shape_.q_bundle_per_token()) * block;
      hops.last = hops.home = (kv ? shape_.kv_gradient_per_token() : shape_.q_gradient_per_token()) * block;
      hops.middle = hops.first + hops.last;
    }
  } else if (ranks > 1 && ring.exchange == Exchange::both_ways && forward) {
    hops.first = hops.middle = shape_.kv_per_token() * (0.5 * std::max(0.0, keys - 2));
  }
  return {ring_times(kernels, hops, *machine, one_way && ring.buffers == 2, pass) + exchanges_s, mean_s};
}

const KernelTimes& PlanBound::kernel_times(const Sweep& sweep, std::size_t mask, Pass pass, RingKernels kind,
                                           Layout layout, bool merges) const {
  const KernelKey key{&sweep, mask, pass, kind, layout, merges};
  for (const auto& [known, times] : kernels_) {
    if (known == key) return *times;
  }
  const Shards shards(layout, sweep.tokens, one_.parallel.ring, sweep.cached);
  kernels_.emplace_back(
      key, std::make_unique<KernelTimes>(CostModel(one_.profile, shape_), shards, masks_[mask], pass, kind, merges));
  return *kernels_.back().second;
}

Eigen::ArrayXd PlanBound::ring_times(const KernelTimes& kernels, const StepHops& hops, const Machine& machine,
                                     bool in_step, Pass pass) const {
  const std::int64_t ranks = one_.parallel.ring;
  Eigen::ArrayXd times(ranks);
  for (std::int64_t r = 0; r < ranks; ++r) times[r] = slowest_ * kernels.total(r);
  if (hops.first <= Bytes{}) return times;
  const KernelShares shares = kernel_shares(kernels.shards(), machine.costs, machine.sharing);
  const RateShares& beside_attention = pass == Pass::forward ? shares.forward : shares.backward;
  const auto both = [&](const StepKernels& step, double hop_s) {
    return least_together_s(std::array{SharingKernel{slowest_ * step.attention_s, beside_attention},
                                       SharingKernel{slowest_ * step.merge_s, shares.other}},
                            hop_s);
  };
  for (std::int64_t r = 0; r < ranks; ++r) {
    const auto hop_s = [&](Bytes size) {
      if (size <= Bytes{}) return 0.0;
      const auto from = static_cast<std::size_t>((r + ranks - 1) % ranks);
      return in_seconds(CostModel::hop(machine.hops[from], size));
    };
    const double first_s = hop_s(hops.first);
    const double middle_s = hop_s(hops.middle);
    const double last_s = hop_s(hops.last);
    const double home_s = hop_s(hops.home);
    double time_s = home_s;
    if (in_step && kernels.by_step()) {
      for (std::int64_t k = 0; k < ranks; ++k) {
        const double here_s = k == 0 ? first_s : k + 1 < ranks ? middle_s : last_s;
        time_s += both(kernels.of_step(r, k), here_s);
      }
    } else {
      time_s += std::max(slowest_ * kernels.total(r), first_s + static_cast<double>(ranks - 2) * middle_s + last_s);
    }
    times[r] = std::max(times[r], time_s);
  }
  return times;
}

TimeBound PlanBound::bound(const Scenario* s, const Machine* machine) const {
  TimeBound result;
  if (sweeps_.empty()) return result;
  const std::int64_t stages = whole_ ? one_.parallel.pipeline : 1;
  const std::int64_t interleave = training_ ? one_.training.interleave : 1;
  const Eigen::ArrayXd none = Eigen::ArrayXd::Zero(machine == nullptr ? 1 : one_.parallel.ring);
  // Times of a micro-batch on each stage, by sweep: forward, backward, each by rank.
  struct Stage {
    Eigen::ArrayXd forward_s, backward_s;
    double compute_s = 0;
  };
  std::vector<std::vector<Stage>> all;
  for (const Sweep& sweep : sweeps_) {
    std::vector<Stage> kinds(sweep.kinds.size(), {none, none});
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const Layer& layer = sweep.kinds[k];
      Stage& time = kinds[k];
      if (forward_) {
        const Attention a = attention(sweep, k / 2, Pass::forward, s, machine);
        time.forward_s = a.time_s + (slowest_ * layer.forward.dense_s + of_collectives(layer.forward, machine));
        time.compute_s = slowest_ * layer.forward.dense_s + a.compute_s;
        if (layer.again) {
          time.backward_s += a.time_s;
          time.compute_s += a.compute_s;
        }
      }
      if (!training_) continue;
      const Attention a = attention(sweep, k / 2, Pass::backward, s, machine);
      time.backward_s += a.time_s + (slowest_ * layer.backward.dense_s + of_collectives(layer.backward, machine));
      time.compute_s += slowest_ * layer.backward.dense_s + a.compute_s;
    }
    std::vector<Stage>& of_stages = all.emplace_back(static_cast<std::size_t>(stages), Stage{none, none});
    const auto add = [&](Stage& stage, const Part& part, bool backward) {
      (backward ? stage.backward_s : stage.forward_s) += slowest_ * part.dense_s + of_collectives(part, machine);
      stage.compute_s += slowest_ * part.dense_s;
    };
    for (std::int64_t stage = 0; stage < stages; ++stage) {
      std::vector<std::int64_t> layers(kinds.size(), 0);
      for (const LayerRun& run : layers_of_stage(one_.model.layers, stages, interleave, stage)) {
        for (std::int64_t layer = run.first; layer < run.first + run.count; ++layer) {
          ++layers[kind_of_layer_[static_cast<std::size_t>(layer)]];
        }
      }
      Stage& sum = of_stages[static_cast<std::size_t>(stage)];
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        const auto count = static_cast<double>(layers[k]);
        sum.forward_s += count * kinds[k].forward_s;
        sum.backward_s += count * kinds[k].backward_s;
        sum.compute_s += count * kinds[k].compute_s;
      }
    }
    add(of_stages.front(), sweep.embedding, false);
    add(of_stages.front(), sweep.embedding_back, true);
    add(of_stages.back(), sweep.head, false);
    add(of_stages.back(), sweep.head_back, true);
  }
  const auto repeats = static_cast<double>(repeats_);
  if (one_.workload.phase == Phase::decode) {
    Eigen::ArrayXd sum_s = none;
    for (const Stage& stage : all.front()) {
      sum_s += stage.forward_s;
      result.compute_s += stage.compute_s;
    }
    const auto tokens = static_cast<double>(one_.workload.output_tokens);
    return rounded_down({sum_s.maxCoeff() * tokens, result.compute_s * tokens / static_cast<double>(stages)});
  }
  const std::size_t count = static_cast<std::size_t>(stages);
  for (std::size_t stage = 0; stage < count; ++stage) {
    Eigen::ArrayXd sum_s = none;
    for (const std::vector<Stage>& sweep : all) {
      sum_s += repeats * (sweep[stage].forward_s + sweep[stage].backward_s);
      result.compute_s += repeats * sweep[stage].compute_s / static_cast<double>(stages);
    }
    if (interleave == 1) {
      for (std::size_t other = 0; other < count; ++other) {
        if (other < stage) sum_s += all.front()[other].forward_s + all.front()[other].backward_s;
        if (other > stage && !training_) sum_s += all.back()[other].forward_s;
      }
    }
    result.time_s = std::max(result.time_s, sum_s.maxCoeff());
  }
  return rounded_down(result);
}

}  // namespace ringsim::sim
