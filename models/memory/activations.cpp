// Activations: saved for the backward pass, or of the layer at work.
//
// Bytes that a layer saves a token of a rank, e bytes an element (of Q, K, V, O; bf16 for the others where those are fp8), d hidden, t tensor, i inner width of the MLP over t; norms and
// residuals over t under sequence parallelism (Korthikanti et al., arXiv 2205.05198 §4, without dropout; flash attention saves
// LSE instead of scores, and the statistics of norms are left out):
//
//                               none                                   selective      full
//   inputs of the two norms     2·d·e                                  2·d·e          d·e (the layer's input)
//   outputs of the two norms    2·d·e                                  again
//   Q, K, V, O and LSE          (q + kv + o)·e + 4·heads               the same
//   latents (MLA)               (2·(q_lora + kv_lora) + rope)·e        without the norms' outputs
//   gate and up (or up)         2·i·e (i·e)                            the same
//   activation                  i·e                                    again
//   mixture                     tokens sent to and from experts:       the same
//                               2·k·d·e; router 4·experts
//   norms behind (Gemma)        2·d·e, inputs of the norms behind attention and MLP
//   norms of Q and K            (q + k)·e, their inputs
//   O before its projection     o·e more under Ulysses, whose all-to-all moves it
//
// For multi-head attention and i = 4·d without gate that is 32·d bytes: their 34·s·b·h less the two dropout masks.
// They count once for every piece and micro-batch in flight (models/stages.hpp). Full recomputation holds one layer's none
// beside its inputs. Logits are fp32, V/t a token, one copy (the gradient takes its place).

#include "models/memory/rank.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::memory {
namespace {

double saved_of_layer(const Rank& r, std::int64_t layer, Recompute recompute) {
  const Scenario& s = r.scenario;
  const Transformer& m = s.model;
  const auto hidden = static_cast<double>(m.hidden);
  const double input = hidden * r.norm_rows * r.dense_element;
  if (recompute == Recompute::full) return input;
  const double outputs = recompute == Recompute::none ? 1.0 : 0.0;  // of norms and activation functions
  double saved = (2.0 + 2.0 * outputs) * input;
  saved += r.tokens * ((r.query_width + r.output_width + r.kv_width) * r.element + r.statistics);
  if (m.post_norms) saved += 2.0 * input;
  if (m.qk_norm) {
    const auto keys = static_cast<double>(r.ring.heads.kv_heads * r.ring.heads.query_key_dim);
    saved += r.tokens * (r.query_width + keys) * r.element;
  }
  if (s.parallel.ulysses > 1) saved += r.tokens * r.output_width * r.element;
  if (m.latent) {
    const auto lora = static_cast<double>(m.latent->kv_lora_rank + m.latent->q_lora_rank.value_or(0));
    saved += r.rows * ((1.0 + outputs) * lora + static_cast<double>(m.latent->qk_rope_head_dim)) * r.dense_element;
  }
  if (!m.feed_forward) return saved;
  const double projected = m.feed_forward->gated ? 2.0 : 1.0;
  saved += r.rows * (projected + outputs) * inner_width(r, layer) * r.dense_element;
  if (m.is_mixture(layer)) {
    saved += r.rows *
             (2.0 * expert_visits(r) * hidden * r.dense_element + 4.0 * static_cast<double>(m.feed_forward->experts));
  }
  return saved;
}

void add_saved(const Rank& r, Terms& terms) {
  const Scenario& s = r.scenario;
  const Training& t = s.training;
  double stage = 0;
  double widest = 0;
  for (const LayerRun& piece : r.pieces) {
    for (std::int64_t layer = piece.first; layer < piece.first + piece.count; ++layer) {
      stage += saved_of_layer(r, layer, t.recompute);
      widest = std::max(widest, saved_of_layer(r, layer, Recompute::none));
    }
  }
  const std::int64_t in_flight =
      pieces_in_flight(s.parallel.pipeline, t.interleave, batch_of_rank(s) / t.micro_batch, r.stage);
  double saved = stage * static_cast<double>(in_flight) / static_cast<double>(t.interleave);
  if (r.last_stage()) saved += 2.0 * static_cast<double>(s.model.hidden) * r.norm_rows * r.dense_element;
  std::string what = fmt::format("for the backward pass, recompute {}", name_of(t.recompute));
  if (s.parallel.pipeline > 1) {
    what += fmt::format("; {} {} in flight on stage {}", in_flight,
                        t.interleave > 1 ? "pieces of micro-batches" : "micro-batches", r.stage);
  }
  const std::string divided =
      divisors(s, {Axis::tensor, Axis::ulysses, Axis::ring}) +
      (s.parallel.tensor > 1 && !s.parallel.sequence_parallel ? ", norms and residuals not by tensor" : "");
  terms.add("saved_activations", std::move(what), divided, bytes(saved));
  if (t.recompute == Recompute::full) {
    terms.add("recomputed_layer", "activations of the layer that is computed again", divided, bytes(widest));
  }
}

void add_at_work(const Rank& r, Terms& terms) {
  const Scenario& s = r.scenario;
  const double attention = r.tokens * (r.query_width + r.output_width + r.kv_width) * r.element;
  const std::string divided = divisors(s, {Axis::tensor, Axis::ulysses, Axis::ring, Axis::data});
  if (!r.whole_model) {
    terms.add("activations", "Q, K, V and O of the layer at work; / (ring x tensor)", divided, bytes(attention));
    return;
  }
  terms.add("activations", "of the layer at work: the larger of attention's Q, K, V, O and the MLP's inner part",
            divided, bytes(std::max(attention, widest_mlp(r))));
  terms.add("residual_stream", "hidden states and their norm", divisors(s, {Axis::ulysses, Axis::ring, Axis::data}),
            bytes(2.0 * static_cast<double>(s.model.hidden) * r.norm_rows * r.dense_element));
}

void add_logits(const Rank& r, Terms& terms) {
  const Scenario& s = r.scenario;
  if (!r.last_stage() || !s.model.vocabulary) return;
  const double of_token = 4.0 * static_cast<double>(*s.model.vocabulary) / static_cast<double>(s.parallel.tensor);
  if (!r.training) {
    terms.add("logits", "fp32, of the last token of every sequence", divisors(s, {Axis::tensor, Axis::data}),
              bytes(of_token * r.sequences));
    return;
  }
  const bool chunked = s.training.logits_chunk > 0 && static_cast<double>(s.training.logits_chunk) < r.rows;
  terms.add("logits",
            chunked ? fmt::format("fp32, {} tokens at a time", s.training.logits_chunk)
                    : std::string("fp32, of all tokens of a micro-batch"),
            divisors(s, chunked ? std::initializer_list<Axis>{Axis::tensor}
                                : std::initializer_list<Axis>{Axis::tensor, Axis::ulysses, Axis::ring}),
            bytes(of_token * (chunked ? static_cast<double>(s.training.logits_chunk) : r.rows)));
}

}  // namespace

void add_activations(const Rank& r, Terms& terms) {
  const Scenario& s = r.scenario;
  if (!r.training) {
    add_at_work(r, terms);
  } else if (!r.whole_model) {
    terms.add("saved_activations", "Q, K, V, O and LSE of every layer, kept for the backward pass; / (ring x tensor)",
              divisors(s, {Axis::tensor, Axis::ulysses, Axis::ring, Axis::data}),
              bytes(static_cast<double>(s.model.layers) * r.tokens *
                    ((r.query_width + r.output_width + r.kv_width) * r.element + r.statistics)));
  } else {
    add_saved(r, terms);
  }
  if (!r.whole_model) return;
  if (s.parallel.sequence_parallel && s.parallel.tensor > 1 && s.workload.phase != Phase::decode) {
    terms.add("gathered_activations", "input of a layer's products, gathered from the tensor ranks",
              divisors(s, {Axis::ulysses, Axis::ring}),
              bytes(static_cast<double>(s.model.hidden) * r.rows * r.dense_element));
  }
  add_logits(r, terms);
}

}  // namespace ringsim::memory
