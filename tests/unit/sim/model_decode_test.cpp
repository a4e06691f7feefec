// Decode as programs: what a token reads, who exchanges what, and sums over a growing cache.
#include "models/decode_cost.hpp"
#include "models/error.hpp"
#include "sim/schedules/model_program.hpp"
#include "tests/unit/models/shapes.hpp"
#include "tests/unit/sim/program_clock.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

using programs::collected;

Scenario decode(std::int64_t tokens, std::int64_t ring, std::int64_t batch) {
  Scenario s = shapes::scenario(shapes::llama3_8b(), tokens, ring, Layout::contiguous);
  s.workload.phase = Phase::decode;
  s.workload.scope = Scope::model;
  s.workload.batch = batch;
  return s;
}

/// Bytes that attention reads from the cache on one rank.
double cache_read(const Program& program) {
  double total = 0;
  for_each_execution(program.body, [&](const Operation& operation, std::int64_t layer, std::int64_t) {
    const auto* dense = std::get_if<Dense>(&operation.what);
    if (dense == nullptr) return;
    const DenseWork& work = program.dense[of_kind(dense->work, program, layer)];
    if (work.name != "attention over the cache") return;
    const auto& pass = std::get<Elementwise>(work.parts.front());
    total += in_bytes(pass.per_row) * pass.rows.of(1, static_cast<double>(program.shape.heads.batch));
  });
  return total;
}

TEST(ModelDecode, AttentionTakesTheTimeOfReadingTheCache) {
  // Llama-3-8B: 8 heads, keys and values of 128, two bytes: 4,096 B a token and layer, 8,192 tokens of it at 3.35 TB/s. The
  // 32 query heads compute 16,384 FLOP a token meanwhile: 4 FLOP a byte, the GPU has 295.
  const DenseCosts costs(datasheet_profile(shapes::h100(), Dtype::bf16), shapes::h100());
  const Elementwise llama = decode_attention("attention", decode_heads(shapes::llama3_8b(), {}), bytes(4096), 8192);
  EXPECT_DOUBLE_EQ(in_seconds(costs.time(llama, 1, 1)), 8192 * 4096 / 3350e9);
  EXPECT_DOUBLE_EQ(in_flop(flop_of(DenseWork{"", {llama}}, 1, 1)), 8192 * 2.0 * 32 * 256);
  // DeepSeek-V3: 128 heads share a latent of 512 + 64 elements: 2 · 128 · (576 + 512) FLOP a token. In fp8 these are 576 B,
  // read in 172 ps, and computed in 282 ps: the products take the time.
  const Elementwise latent = decode_attention("attention", decode_heads(shapes::deepseek_v3(), {}), bytes(576), 8192);
  EXPECT_DOUBLE_EQ(in_seconds(costs.time(latent, 1, 1)), 8192 * 2.0 * 128 * 1088 / 989e12);
}

TEST(ModelDecode, ReadsTheCachesOfAllSequencesAndDividesThemOverTheRing) {
  // 4 sequences of 8,192 tokens: 131,072 B a token over 32 layers. Eight ranks hold an eighth of each cache.
  const double whole = 4 * 8192.0 * 131'072;
  EXPECT_DOUBLE_EQ(cache_read(decode_programs(decode(8192, 1, 4))[0].first), whole);
  const Program split = decode_programs(decode(8192, 8, 4))[0].first;
  EXPECT_DOUBLE_EQ(cache_read(split), whole / 8);
  // One exchange a layer: (m, l, O) in fp32 of 32 heads of four sequences.
  const programs::Collected exchanged = collected(split, CollectiveKind::all_reduce, Group::ring);
  EXPECT_EQ(exchanged.times, 32);
  EXPECT_DOUBLE_EQ(exchanged.bytes, 32.0 * 4 * 32 * (128 + 2) * 4);
}

TEST(ModelDecode, QueriesGoAroundTheRingOrCachesStay) {
  // Twelve sequences over eight ranks: the fullest holds the new tokens of two. Its queries make seven hops of 2 · 32 · 128
  // elements a layer, every rank reads its eighth of the two caches at each of eight steps: as much as for sixteen sequences.
  Scenario s = decode(8192, 8, 12);
  s.serving.decode = DecodeAttention::ring;
  const Program program = decode_programs(s)[0].first;
  EXPECT_EQ(program.shape.heads.batch, 2);
  EXPECT_DOUBLE_EQ(cache_read(program), 16 * 8192.0 * 131'072 / 8);
  EXPECT_DOUBLE_EQ(bytes_sent(program)[0], 32.0 * 7 * 2 * 32 * 128 * 2);
  const programs::Collected returned = collected(program, CollectiveKind::all_to_all, Group::ring);
  EXPECT_EQ(returned.times, 32);
  EXPECT_DOUBLE_EQ(returned.bytes, 32.0 * 8 * 2 * 32 * (128 * 2 + 4));
  s.parallel.decode_context = 2;
  s.parallel.tensor = 16;
  EXPECT_THROW((void)decode_programs(s), Error);
}

TEST(ModelDecode, DecodeContextParallelismDividesWhatTensorRanksHoldTwice) {
  // 16 tensor ranks, 8 K/V heads: each head is on two of them. Divided, each reads half of the tokens.
  Scenario s = decode(8192, 1, 4);
  s.parallel.tensor = 16;
  const double copies = cache_read(decode_programs(s)[0].first);
  s.parallel.decode_context = 2;
  const Program program = decode_programs(s)[0].first;
  EXPECT_DOUBLE_EQ(cache_read(program), copies / 2);
  // Queries of both ranks' two heads of four sequences are gathered, outputs scattered again; a LSE of four heads from either.
  const double queries = 4.0 * 2 * 2;
  EXPECT_DOUBLE_EQ(collected(program, CollectiveKind::all_gather, Group::decode_context).bytes,
                   32 * (queries * 128 * 2 + 2 * queries * 4));
  EXPECT_DOUBLE_EQ(collected(program, CollectiveKind::reduce_scatter, Group::decode_context).bytes,
                   32 * queries * 128 * 2);
}

TEST(ModelDecode, AWindowIsAllThatASlidingLayerReads) {
  Scenario s = decode(8192, 1, 1);
  s.model.sliding_window = 1024;
  s.model.sliding_layer.assign(32, true);
  s.model.sliding_layer[31] = false;
  // 31 layers read 1,024 tokens, one reads 8,192.
  EXPECT_DOUBLE_EQ(cache_read(decode_programs(s)[0].first), (31 * 1024.0 + 8192) * 4096);
}

TEST(ModelDecode, ThreeLengthsAddUpToAllOfThem) {
  // 100 tokens behind 1,000 cached ones read 1,000 + 1,001 + ... + 1,099 tokens' keys and values.
  Scenario s = decode(1000, 1, 1);
  for (const std::int64_t n : {1, 2, 3, 4, 100}) {
    s.workload.output_tokens = n;
    double all = 0;
    double times = 0;
    for (const auto& [program, weight] : decode_programs(s)) {
      all += weight * cache_read(program);
      times += weight;
    }
    const auto count = static_cast<double>(n);
    EXPECT_NEAR(times, count, 1e-9);
    EXPECT_NEAR(all, (1000 * count + count * (count - 1) / 2) * 131'072, 1e-3) << n;
  }
}

}  // namespace
}  // namespace ringsim::sim
