#include "sim/schedules/data_parallel.hpp"

#include "sim/schedules/roles.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ringsim::sim {
namespace {

using ring_program::compute;

/// Index of a collective's traffic in the program, which is given it if it has none like it.
std::size_t index_of(Program& program, CollectiveTraffic wanted) {
  const auto known = std::find_if(program.traffic.begin(), program.traffic.end(), [&](const CollectiveTraffic& t) {
    return t.kind == wanted.kind && t.group == wanted.group && t.bytes_per_token == wanted.bytes_per_token &&
           t.fixed == wanted.fixed && t.name == wanted.name;
  });
  const auto index = static_cast<std::size_t>(known - program.traffic.begin());
  if (known == program.traffic.end()) program.traffic.push_back(std::move(wanted));
  return index;
}

double part_sent(double ranks) { return (ranks - 1) / ranks; }

}  // namespace

DataParallel::DataParallel(Program& program, const Scenario& scenario, const BlockShape& shape)
    : shape_(shape),
      training_(scenario.training),
      micro_batches_(batch_of_rank(scenario) / scenario.training.micro_batch),
      ranks_(sharers(scenario.parallel)),
      expert_ranks_(expert_sharers(scenario.parallel)),
      expert_group_is_data_(scenario.parallel.expert == scenario.parallel.ulysses * scenario.parallel.ring) {
  if (ranks_ <= 1 || !training_.overlap) return;
  const auto stream = [&](const char* name) {
    program.streams.emplace_back(name);
    if (!program.computes.empty()) program.computes.push_back(false);
    return program.streams.size() - 1;
  };
  const auto event = [&](const char* name) {
    program.events.emplace_back(name);
    return program.events.size() - 1;
  };
  if (training_.zero > 0) {
    parameters_ = stream("parameters");
    begun_ = event("layer begun");
    here_ = event("parameters gathered");
  }
  gradients_ = stream("gradients");
  exist_ = event("gradients computed");
  reduced_ = event("gradients reduced");
}

bool DataParallel::gathers(Pass pass, std::int64_t micro_batch) const {
  if (ranks_ <= 1 || training_.zero == 0) return false;
  if (training_.zero == 3) return true;
  return training_.overlap && pass == Pass::forward && micro_batch == 0;
}

bool DataParallel::reduces(std::int64_t micro_batch) const {
  if (ranks_ <= 1) return false;
  if (training_.zero >= 2) return true;
  return training_.overlap && micro_batch == micro_batches_ - 1;
}

std::vector<std::size_t> DataParallel::traffic(Program& program, CollectiveKind kind, const char* name,
                                               const RankParameters& held, double bytes_each,
                                               std::int64_t parts) const {
  std::vector<std::size_t> list;
  const double share = bytes_each / static_cast<double>(parts);
  const bool together = expert_ranks_ == ranks_;
  const double shared = held.shared + (together ? held.experts : 0.0);
  if (shared > 0) list.push_back(index_of(program, {name, kind, Group::gradient, {}, bytes(shared * share)}));
  if (together || held.experts <= 0 || expert_ranks_ <= 1) return list;
  const std::string experts = std::string(name) + " of experts";
  const double size = held.experts * share;
  if (expert_group_is_data_) {
    list.push_back(index_of(program, {experts, kind, Group::data, {}, bytes(size)}));
  } else {
    const double same_bytes = part_sent(expert_ranks_) / part_sent(ranks_);
    list.push_back(index_of(program, {experts, kind, Group::gradient, {}, bytes(size * same_bytes)}));
  }
  return list;
}

void DataParallel::add_collectives(std::vector<Operation>& to, StreamId stream, Pass pass,
                                   const std::vector<std::size_t>& traffic, std::int64_t parts) {
  for (std::int64_t part = 0; part < parts; ++part) {
    for (const std::size_t index : traffic) to.push_back({Collective{stream, pass, {index}}});
  }
}

std::vector<Operation> DataParallel::gather(Program& program, const RankParameters& held, Pass pass) const {
  const std::vector<std::size_t> moved =
      traffic(program, CollectiveKind::all_gather, "all-gather of parameters", held, shape_.weight, 1);
  std::vector<Operation> operations;
  if (moved.empty()) return operations;
  if (!training_.overlap) {
    add_collectives(operations, compute, pass, moved, 1);
    return operations;
  }
  // Whole parameters have memory of their own below ZeRO 3; there it is that of the layer before the last one.
  if (training_.zero == 3) operations.push_back({Wait{parameters_, {begun_, 0, 1}}});
  add_collectives(operations, parameters_, pass, moved, 1);
  operations.push_back({Record{parameters_, {here_, 0, 1}}});
  operations.push_back({Wait{compute, {here_, 0, 1}}});
  if (training_.zero == 3) operations.push_back({Record{compute, {begun_, 0, 1}}});
  return operations;
}

std::vector<Operation> DataParallel::reduce(Program& program, const RankParameters& held) const {
  return reduce(program, held, 1);
}

std::vector<Operation> DataParallel::reduce(Program& program, const RankParameters& held, std::int64_t parts) const {
  const char* name = training_.zero == 0 ? "all-reduce of gradients" : "reduce-scatter of gradients";
  const std::vector<std::size_t> moved = traffic(program, reduction(), name, held, shape_.gradient, parts);
  std::vector<Operation> operations;
  if (moved.empty()) return operations;
  const StreamId stream = training_.overlap ? gradients_ : compute;
  if (training_.overlap) {
    operations.push_back({Record{compute, {exist_, 0, 1}}});
    operations.push_back({Wait{gradients_, {exist_, 0, 1}}});
  }
  add_collectives(operations, stream, Pass::backward, moved, parts);
  return operations;
}

std::vector<DataParallel::Bucket> DataParallel::buckets(const LayerRun& range) const {
  std::vector<Bucket> list;
  const double full = in_bytes(training_.bucket);
  bool open = false;
  for (std::int64_t layer = range.first + range.count - 1; layer >= range.first; --layer) {
    if (!open) list.push_back({{layer, 0}, {}, 1});
    Bucket& last = list.back();
    last.layers.first = layer;
    ++last.layers.count;
    last.held += layer_of_rank(shape_, layer);
    const double gradients = last.held.total() * shape_.gradient;
    open = gradients < full;
    if (!open && last.layers.count == 1 && full > 0) {
      last.parts = static_cast<std::int64_t>(std::ceil(gradients / full));
    }
  }
  return list;
}

std::vector<Operation> DataParallel::forward_layers(Program& program, const LayerOperations& layers,
                                                    const LayerRun& range, std::int64_t micro_batch) const {
  if (!gathers(Pass::forward, micro_batch)) return sim::forward_layers(layers, range);
  std::vector<Operation> operations;
  for (const LayerRun& run : layers.alike(range)) {
    std::vector<Operation> body = gather(program, layer_of_rank(shape_, run.first), Pass::forward);
    append(body, layers.forward(run.first));
    operations.push_back({Repeat{Loop::layer, run.first, run.count, false, std::move(body)}});
  }
  return operations;
}

std::vector<Operation> DataParallel::backward_layers(Program& program, const LayerOperations& layers,
                                                     const LayerRun& range, std::int64_t micro_batch) const {
  // The layers of a run in a loop, last first; with a reduction behind each where every layer is a bucket of its own.
  const auto loops = [&](const LayerRun& some, bool reduce_each) {
    std::vector<Operation> operations;
    std::vector<LayerRun> runs = layers.alike(some);
    std::reverse(runs.begin(), runs.end());
    for (const LayerRun& run : runs) {
      const RankParameters held = layer_of_rank(shape_, run.first);
      std::vector<Operation> body;
      if (gathers(Pass::backward, micro_batch)) append(body, gather(program, held, Pass::backward));
      append(body, layers.backward(run.first));
      if (reduce_each) append(body, reduce(program, held));
      operations.push_back({Repeat{Loop::layer, run.first + run.count - 1, run.count, true, std::move(body)}});
    }
    return operations;
  };
  if (!reduces(micro_batch)) return loops(range, false);
  if (training_.bucket <= Bytes{}) return loops(range, true);
  std::vector<Operation> operations;
  for (const Bucket& bucket : buckets(range)) {
    append(operations, loops(bucket.layers, false));
    append(operations, reduce(program, bucket.held, bucket.parts));
  }
  return operations;
}

std::vector<Operation> DataParallel::finish(Program& program, const std::vector<LayerRun>& ranges,
                                            const std::vector<RankParameters>& ends) const {
  RankParameters held;
  for (const RankParameters& end : ends) held += end;
  for (const LayerRun& range : ranges) {
    for (std::int64_t layer = range.first; layer < range.first + range.count; ++layer) {
      held += layer_of_rank(shape_, layer);
    }
  }
  std::vector<Operation> operations;
  const bool at_the_end = ranks_ > 1 && !training_.overlap;
  if (at_the_end && training_.zero < 2) {
    for (const RankParameters& end : ends) append(operations, reduce(program, end));
    for (const LayerRun& range : ranges) {
      for (const Bucket& bucket : buckets(range)) append(operations, reduce(program, bucket.held, bucket.parts));
    }
  }
  if (ranks_ > 1 && training_.overlap) {
    operations.push_back({Record{gradients_, {reduced_, 0, 1}}});
    operations.push_back({Wait{compute, {reduced_, 0, 1}}});
  }
  append(operations, as_operations(program, {optimizer_step(shape_, training_, held)}, Pass::backward));
  if (at_the_end && (training_.zero == 1 || training_.zero == 2)) {
    for (const RankParameters& end : ends) append(operations, gather(program, end, Pass::forward));
    for (const LayerRun& range : ranges) {
      for (const Bucket& bucket : buckets(range)) append(operations, gather(program, bucket.held, Pass::forward));
    }
  }
  return operations;
}

}  // namespace ringsim::sim
