// What a ring and Ulysses need beside a layer's own tensors.
//
//   ring_buffers         one-way and both ways: 2 or 3 of the travelling block, the one in use being sent (both ways: halves of
//                        it in each direction); two levels: two more, for the ring of nodes; all-gather: K/V of all ranks
//   partial_outputs      pass-Q: N outputs and LSE that the rank computed for others, and N that come back
//   output_accumulator   fp32 output and LSE, where several partials are merged
//   ulysses_buffers      the other copy of Q, K, V in an all-to-all
//   travelling_gradient  two of what travels and the step's own; under all-gather dK/dV of all ranks, to be reduced
//   gradients            dO and the fp32 gradients that stay
//
// A prefix in the cache travels with the new tokens' K/V. Of a decode step: a query and a partial output a sequence.

#include "models/memory/rank.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::memory {
namespace {

std::string by_heads(const Scenario& s) { return divisors(s, {Axis::tensor, Axis::ulysses, Axis::ring, Axis::data}); }

void add_ring_buffers(const Rank& r, Terms& terms) {
  const Scenario& s = r.scenario;
  const bool backward_q = r.training && r.ring.backward == Rotation::q;
  const auto buffers = static_cast<double>(s.ring.buffers);
  const auto block = static_cast<double>(r.block);
  if (s.ring.exchange == Exchange::all_gather) {
    terms.add("ring_buffers", "K and V of one layer, of all ranks of the ring",
              divisors(s, {Axis::tensor, Axis::ulysses, Axis::data}),
              r.ring.kv_per_token() * static_cast<double>(r.total));
    return;
  }
  auto travelling = static_cast<double>(r.resident);
  if (s.ring.exchange == Exchange::both_ways && s.ring.halves == Halves::tokens && r.resident % 2 == 1) travelling += 1;
  const Bytes queries = bytes(r.query_width * r.sequences * r.element);
  Bytes size = r.ring.travels == Rotation::q ? queries * block * buffers : r.ring.kv_per_token() * travelling * buffers;
  if (backward_q) size = std::max(size, r.ring.q_bundle_per_token() * block * buffers);
  std::string what = fmt::format("{} buffers of one layer's travelling block", s.ring.buffers);
  if (s.ring.exchange == Exchange::two_level) {
    size += r.ring.kv_per_token() * travelling * 2.0;
    what += ", and two for the ring of nodes";
  }
  terms.add("ring_buffers", std::move(what), by_heads(s), size);
}

}  // namespace

void add_exchange(const Rank& r, Terms& terms) {
  const Scenario& s = r.scenario;
  const double partial = r.output_width * r.element + r.statistics;
  const double accumulator = r.output_width * 4.0 + r.statistics;
  if (s.parallel.ulysses > 1) {
    terms.add("ulysses_buffers", "the other copy of Q, K and V of the layer at work, in their all-to-all", by_heads(s),
              bytes(r.tokens * (r.query_width + r.kv_width) * r.element));
  }
  if (s.parallel.ring == 1) return;
  const auto ranks = static_cast<double>(s.parallel.ring);
  if (s.workload.phase == Phase::decode) {
    const bool ring = s.serving.decode == DecodeAttention::ring;
    const double each = r.query_width * r.element + accumulator;
    terms.add("ring_buffers",
              ring ? "two buffers of a query and its partial output, of the layer at work"
                   : "partial outputs of all ranks of the ring, of the layer at work",
              divisors(s, {Axis::tensor, Axis::ulysses, Axis::data}),
              bytes(r.tokens * (ring ? 2.0 * each : ranks * accumulator)));
    return;
  }
  add_ring_buffers(r, terms);
  if (r.ring.travels == Rotation::q && s.ring.exchange == Exchange::one_way) {
    terms.add("partial_outputs",
              fmt::format("{} partial outputs and LSE for other ranks, and as many that come back", s.parallel.ring),
              divisors(s, {Axis::tensor, Axis::ulysses, Axis::data}), bytes(2.0 * ranks * r.tokens * partial));
  }
  if (s.ring.exchange != Exchange::all_gather) {
    terms.add("output_accumulator", "fp32 output and LSE of the layer at work", by_heads(s),
              bytes(r.tokens * accumulator));
  }
}

void add_gradients(const Rank& r, Terms& terms) {
  const Scenario& s = r.scenario;
  if (!r.training) return;
  const bool queries_travel = r.ring.backward == Rotation::q;
  if (s.parallel.ring > 1) {
    if (s.ring.exchange == Exchange::all_gather) {
      terms.add("travelling_gradient", "dK and dV of all ranks of the ring, before they are reduced",
                divisors(s, {Axis::tensor, Axis::ulysses, Axis::data}),
                r.ring.kv_gradient_per_token() * static_cast<double>(r.total));
    } else {
      const Bytes travelling = queries_travel ? r.ring.q_gradient_per_token() : r.ring.kv_gradient_per_token();
      const double sets = s.ring.exchange == Exchange::two_level ? 5.0 : 3.0;
      terms.add("travelling_gradient",
                sets > 3 ? "two buffers of the travelling gradient for each level and the step's own"
                         : "two buffers of the travelling gradient and the step's own",
                by_heads(s), travelling * static_cast<double>(r.block) * sets);
    }
  }
  const double attention =
      r.tokens * (r.output_width * r.element + (queries_travel ? r.kv_width : r.query_width) * 4.0);
  if (!r.whole_model) {
    terms.add("gradients", "dO, and fp32 dQ or dK/dV that stay; of the layer at work", by_heads(s), bytes(attention));
    return;
  }
  // Attention's and the MLP's backward pass follow each other; the residual stream's gradient is there all along.
  const double residual = 2.0 * static_cast<double>(s.model.hidden) * r.norm_rows * r.dense_element;
  terms.add("gradients",
            "of the activations of the layer at work: the larger of attention's and the MLP's, and the residual's",
            by_heads(s), bytes(std::max(attention, widest_mlp(r)) + residual));
}

}  // namespace ringsim::memory
