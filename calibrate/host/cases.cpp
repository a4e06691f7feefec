#include "calibrate/host/cases.hpp"

#include "models/layout.hpp"

#include <fmt/format.h>

namespace ringsim::calibrate {
namespace {

std::vector<std::int64_t> places(const std::vector<TokenRun>& runs) {
  std::vector<std::int64_t> list;
  for (const TokenRun& run : runs) {
    for (std::int64_t i = 0; i < run.count; ++i) list.push_back(run.first + i * run.stride);
  }
  return list;
}

// The kernel of `query_rank`'s queries and `key_rank`'s keys.
AttentionCase block_case(const std::string& name, const Shards& shards, std::int64_t query_rank, std::int64_t key_rank,
                         const Mask& mask) {
  return {name, places(shards.runs(query_rank)), places(shards.runs(key_rank)), mask,
          shape_of(shards.work(query_rank, key_rank, mask))};
}

AttentionCase causal_case(std::int64_t tokens) {
  return block_case(fmt::format("{} causal", tokens), Shards(Layout::contiguous, tokens, 1), 0, 0, Mask{true, {}});
}

// In a ring of two, rank 0 owns chunks 0 and 3, rank 1 chunks 1 and 2.
std::vector<AttentionCase> zigzag_cases(std::int64_t tokens) {
  const Shards ring(Layout::zigzag, 2 * tokens, 2);
  const Mask causal{true, {}};
  return {block_case(fmt::format("{} zigzag diagonal", tokens), ring, 0, 0, causal),
          block_case(fmt::format("{} zigzag early keys", tokens), ring, 1, 0, causal),
          block_case(fmt::format("{} zigzag late queries", tokens), ring, 0, 1, causal)};
}

}  // namespace

AttentionCase full_case(std::int64_t rows, std::int64_t columns) {
  AttentionCase one;
  one.name = fmt::format("{}x{}", rows, columns);
  one.queries = places({{0, rows, 1}});
  one.keys = places({{0, columns, 1}});
  one.mask = Mask{false, {}};
  one.shape = {static_cast<double>(rows), static_cast<double>(columns), static_cast<double>(rows * columns), 0};
  return one;
}

std::vector<AttentionCase> many_cases(bool large) {
  std::vector<AttentionCase> list;
  for (const std::int64_t tokens : {32, 64, 128, 256, 512, 1024, 2048}) list.push_back(full_case(tokens, tokens));
  if (large) list.push_back(full_case(4096, 4096));
  for (const std::int64_t tokens : {64, 256}) {
    list.push_back(full_case(tokens, 1024));
    list.push_back(full_case(1024, tokens));
  }
  for (const std::int64_t tokens : {128, 512, 2048}) list.push_back(causal_case(tokens));
  for (AttentionCase& one : zigzag_cases(1024)) list.push_back(std::move(one));
  list.push_back(block_case("2048 window 512", Shards(Layout::contiguous, 2048, 1), 0, 0, Mask{true, 512}));
  return list;
}

std::vector<AttentionCase> few_cases() {
  return {full_case(64, 64),   full_case(256, 256), full_case(1024, 1024),
          full_case(64, 1024), full_case(1024, 64), causal_case(512)};
}

}  // namespace ringsim::calibrate
