#include "sim/schedules/decode_attention.hpp"

#include "models/decode_cost.hpp"
#include "models/error.hpp"
#include "models/kv_layout.hpp"
#include "sim/schedules/ring.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::sim {
namespace {

using namespace ring_program;

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

class DecodeLayer {
 public:
  DecodeLayer(Program& program, const Scenario& s)
      : program_(program),
        s_(s),
        heads_(decode_heads(s.model, s.parallel)),
        sequences_(static_cast<double>(decode_sequences(s))),
        element_(s.workload.dtype == Dtype::fp8 ? bytes_per_element(Dtype::bf16) : bytes_per_element(s.workload.dtype)),
        own_heads_(static_cast<double>(heads_.query_heads)) {
    heads_.query_heads *= s.parallel.decode_context;
  }

  std::vector<Operation> run() {
    const auto copies = static_cast<double>(s_.parallel.decode_context);
    const bool ring = s_.parallel.ring > 1 && s_.serving.decode == DecodeAttention::ring;
    const double queries = sequences_ * copies * own_heads_;
    if (copies > 1) {
      collective("all-gather of queries", CollectiveKind::all_gather, Group::decode_context,
                 queries * static_cast<double>(heads_.query_dim) * element_);
    }
    if (ring) {
      around_the_ring();
    } else {
      attend();
    }
    if (copies > 1) {
      collective("all-gather of LSE", CollectiveKind::all_gather, Group::decode_context, copies * queries * 4);
      collective("reduce-scatter of outputs", CollectiveKind::reduce_scatter, Group::decode_context,
                 queries * static_cast<double>(heads_.value_dim) * element_);
    }
    if (s_.parallel.ring > 1 && !ring) {
      collective("all-reduce of outputs and statistics", CollectiveKind::all_reduce, Group::ring,
                 sequences_ * own_heads_ * static_cast<double>(heads_.value_dim + 2) * 4);
    }
    if (s_.parallel.ulysses > 1) {
      collective("all-gather of outputs", CollectiveKind::all_gather, Group::ulysses,
                 sequences_ * own_heads_ * static_cast<double>(s_.parallel.ulysses * heads_.value_dim) * element_);
    }
    return std::move(operations_);
  }

 private:
  void collective(const char* name, CollectiveKind kind, Group group, double size) {
    operations_.push_back({Collective{compute, Pass::forward, {program_.traffic.size()}}});
    program_.traffic.push_back({name, kind, group, {}, bytes(size)});
  }

  // One attention over the rank's part of the caches, for every kind of layer.
  std::vector<std::size_t> attention_of_kinds() {
    const KvLayout layout = kv_layout_of(s_);
    const std::int64_t kv_heads =
        std::max<std::int64_t>(1, s_.model.kv_heads / (s_.parallel.tensor * s_.parallel.ulysses));
    const Bytes per_token = cache_bytes(layout, s_.model, kv_heads);
    const auto ranks = s_.parallel.ring * s_.parallel.decode_context;
    std::vector<std::size_t> kinds;
    for (const Mask& mask : program_.masks) {
      std::int64_t visible = s_.workload.tokens;
      if (mask.window) visible = std::min(visible, *mask.window);
      kinds.push_back(program_.dense.size());
      program_.dense.push_back({"attention over the cache",
                                {decode_attention("attention over the cache", heads_, per_token,
                                                  static_cast<double>(divided_up(visible, ranks)))}});
    }
    return kinds;
  }

  void attend() { operations_.push_back({Dense{compute, Pass::forward, attention_of_kinds()}}); }

  void around_the_ring() {
    const std::int64_t n = s_.parallel.ring;
    const std::vector<std::size_t> attention = attention_of_kinds();
    const std::size_t queries = program_.tensors.size();
    program_.tensors.push_back(
        {"Q", bytes(sequences_ * own_heads_ * static_cast<double>(heads_.query_dim) * element_), Side::queries});
    const auto step = [&](bool shifts) {
      std::vector<Operation> body;
      const Event freed{computed, 0, 1};
      const Event here{arrived, 0, 2};
      if (shifts) {
        body.push_back({Wait{transfer, freed}});
        body.push_back({Shift{transfer, Pass::forward, {{queries, 0, {0, 2}, {1, 2}}}}});
        body.push_back({Record{transfer, here}});
      }
      body.push_back({Dense{compute, Pass::forward, attention}});
      body.push_back({Record{compute, freed}});
      if (shifts) body.push_back({Wait{compute, here}});
      return body;
    };
    operations_.push_back({Record{compute, {layer_started, 0, 1}}});
    operations_.push_back({Wait{transfer, {layer_started, 0, 1}}});
    operations_.push_back({Repeat{Loop::step, 0, n - 1, false, step(true)}});
    operations_.push_back({Repeat{Loop::step, n - 1, 1, false, step(false)}});
    const double partials = sequences_ * own_heads_ * static_cast<double>(n);
    const double partial = static_cast<double>(heads_.value_dim) * element_ + 4;
    collective("all-to-all of partial outputs", CollectiveKind::all_to_all, Group::ring, partials * partial);
    const Bytes merged =
        bytes(own_heads_ * (static_cast<double>(n) * partial + static_cast<double>(heads_.value_dim) * element_));
    operations_.push_back({Dense{compute, Pass::forward, {program_.dense.size()}}});
    program_.dense.push_back({"merge of partial outputs", {Elementwise{"merge", Rows{0, 1}, merged, {}, {}}}});
  }

  Program& program_;
  const Scenario& s_;
  DecodeHeads heads_;  // that the rank attends with, those it takes over included
  double sequences_;
  double element_;    // bytes of queries and outputs
  double own_heads_;  // query heads that are its own
  std::vector<Operation> operations_;
};

}  // namespace

std::int64_t decode_sequences(const Scenario& s) {
  const bool ring = s.parallel.ring > 1 && s.serving.decode == DecodeAttention::ring;
  return divided_up(batch_of_rank(s), ring ? s.parallel.ring : 1);
}

std::vector<Operation> decode_attention_layer(Program& program, const Scenario& s) {
  const bool ring = s.parallel.ring > 1 && s.serving.decode == DecodeAttention::ring;
  if (ring && s.parallel.decode_context > 1) {
    throw Error("queries that go around a ring have no decode context parallelism inside it", "serving.decode",
                "split-kv, or decode_context: 1");
  }
  return DecodeLayer(program, s).run();
}

}  // namespace ringsim::sim
