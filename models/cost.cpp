#include "models/cost.hpp"

#include <algorithm>

namespace ringsim {

std::uint32_t HopCosts::kind_like(const HopCost& hop) {
  const auto known = std::find(kinds_.begin(), kinds_.end(), hop);
  const auto kind = static_cast<std::uint32_t>(known - kinds_.begin());
  if (known == kinds_.end()) kinds_.push_back(hop);
  return kind;
}

std::size_t HopCosts::first_of(std::size_t kind) const {
  return static_cast<std::size_t>(std::find(kind_of_.begin(), kind_of_.end(), kind) - kind_of_.begin());
}

std::vector<HopCost> HopCosts::of_ranks() const {
  std::vector<HopCost> all;
  all.reserve(size());
  for (const std::uint32_t kind : kind_of_) all.push_back(kinds_[kind]);
  return all;
}

AttendShape shape_of(const AttendWork& work) {
  return {static_cast<double>(work.rows),
          static_cast<double>(work.columns),
          static_cast<double>(work.entries),
          work.edges,
          work.heads,
          work.leaves_rows_out()};
}

Flop attention_flop(const HeadShape& heads, Pass pass, double entries) {
  const auto qk = static_cast<double>(heads.query_key_dim);
  const auto v = static_cast<double>(heads.value_dim);
  const double per_pair = pass == Pass::forward ? 2.0 * (qk + v) : 6.0 * qk + 4.0 * v;
  return flop(static_cast<double>(heads.batch) * static_cast<double>(heads.query_heads) * per_pair * entries);
}

Bytes RingShape::kv_per_token() const {
  return bytes(static_cast<double>(heads.batch * heads.kv_heads * (heads.query_key_dim + heads.value_dim)) *
               bytes_per_element(dtype));
}

Bytes RingShape::kv_gradient_per_token() const {
  return bytes(static_cast<double>(heads.batch * heads.kv_heads * (heads.query_key_dim + heads.value_dim)) *
               bytes_per_element(gradient));
}

Bytes RingShape::q_bundle_per_token() const {
  const double statistics = 2 * accumulator_bytes(dtype);  // LSE and delta = rowsum(dO · O)
  return bytes(static_cast<double>(heads.batch * heads.query_heads) *
               (static_cast<double>(heads.query_key_dim + heads.value_dim) * bytes_per_element(dtype) + statistics));
}

Bytes RingShape::q_gradient_per_token() const {
  return bytes(static_cast<double>(heads.batch * heads.query_heads * heads.query_key_dim) *
               bytes_per_element(gradient));
}

Bytes RingShape::q_per_token() const {
  return bytes(static_cast<double>(heads.batch * heads.query_heads * heads.query_key_dim) * bytes_per_element(dtype));
}

Bytes RingShape::output_per_token() const {
  return bytes(static_cast<double>(heads.batch * heads.query_heads * heads.value_dim) * bytes_per_element(dtype));
}

Bytes RingShape::partial_per_token() const {
  return output_per_token() + bytes(static_cast<double>(heads.batch * heads.query_heads) * accumulator_bytes(dtype));
}

Bytes merge_bytes(const RingShape& shape, Accumulator what, bool travelling, double tokens) {
  const HeadShape& h = shape.heads;
  const double accumulator = travelling ? bytes_per_element(shape.gradient) : accumulator_bytes(shape.dtype);
  const double partial = bytes_per_element(shape.dtype);
  double elements = 0;
  double statistics = 0;
  switch (what) {
    case Accumulator::output:
      elements = static_cast<double>(h.query_heads * h.value_dim);
      statistics = static_cast<double>(h.query_heads) * 3 * accumulator_bytes(shape.dtype);  // LSE: read two, write one
      break;
    case Accumulator::q_gradient:
      elements = static_cast<double>(h.query_heads * h.query_key_dim);
      break;
    case Accumulator::kv_gradient:
      elements = static_cast<double>(h.kv_heads * (h.query_key_dim + h.value_dim));
      break;
  }
  return bytes(static_cast<double>(h.batch) * tokens * (elements * (2 * accumulator + partial) + statistics));
}

double CostModel::thread_blocks(const AttentionCost& cost, const AttendShape& kernel) const {
  const double heads = static_cast<double>(shape_.heads.batch * shape_.heads.query_heads) * kernel.heads;
  const double tiles = cost.blocks == Blocks::keys ? kernel.columns / static_cast<double>(profile_->key_tile)
                                                   : kernel.rows / static_cast<double>(profile_->query_tile);
  return heads * std::max(1.0, tiles);
}

bool CostModel::fills(Pass pass, const AttendShape& kernel) const {
  if (!profile_->multiprocessors || profile_->query_tile <= 0 || profile_->key_tile <= 0) return true;
  const AttentionCost& cost = pass == Pass::forward ? profile_->forward : profile_->backward;
  return thread_blocks(cost, kernel) >= static_cast<double>(*profile_->multiprocessors);
}

Duration CostModel::attention(Pass pass, const AttendShape& kernel) const {
  if (kernel.entries <= 0) return {};
  const AttentionCost& cost = pass == Pass::forward ? profile_->forward : profile_->backward;
  const double waste = kernel.edges * kernel.rows * static_cast<double>(profile_->key_tile) / 2.0;
  const double tiled = std::min(kernel.entries + waste, std::max(kernel.rows * kernel.columns, kernel.entries));
  const double counted =
      tiled + kernel.rows * cost.half_depth.value + (kernel.columns + cost.half_depth.value) * cost.half_rows.value;
  double idle = 1.0;
  if (profile_->multiprocessors && profile_->query_tile > 0) {
    const bool split = cost.blocks == Blocks::split;
    if (!split) idle = std::max(1.0, static_cast<double>(*profile_->multiprocessors) / thread_blocks(cost, kernel));
  }
  return profile_->launch.value + attention_flop(shape_.heads, pass, counted) * kernel.heads /
                                      (cost.saturated.value * cost.sustained.value) * idle;
}

Duration CostModel::merge(Accumulator what, bool travelling, double tokens, bool partial) const {
  if (tokens <= 0 || profile_->merge_traffic.value <= 0) return {};
  const bool copies = partial && what == Accumulator::output && profile_->partial_merge_traffic;
  const double traffic = copies ? profile_->partial_merge_traffic->value : profile_->merge_traffic.value;
  return profile_->launch.value +
         merge_bytes(shape_, what, travelling, tokens) * traffic / profile_->merge_bandwidth.value;
}

namespace {

// A hop without its latency.
Duration flight(const HopCost& hop, Bytes size) {
  if (hop.by_size.empty()) return size / hop.bandwidth;
  const auto above =
      std::find_if(hop.by_size.begin(), hop.by_size.end(), [size](const auto& knot) { return knot.first >= size; });
  // Outside of the knots time and size keep the proportion of the nearest one.
  if (above == hop.by_size.begin()) return above->second * (size / above->first);
  const auto below = above - 1;
  if (above == hop.by_size.end()) return below->second * (size / below->first);
  const double part = (size - below->first) / (above->first - below->first);
  return below->second + part * (above->second - below->second);
}

}  // namespace

Duration CostModel::hop(const HopCost& hop, Bytes size) { return hop.latency + flight(hop, size); }

Bandwidth CostModel::reached_bandwidth(const HopCost& hop, Bytes size) {
  return hop.by_size.empty() ? hop.bandwidth : size / flight(hop, size);
}

FlopRate CostModel::block_rate(Pass pass, double block) const {
  const AttendShape full{block, block, block * block, 0};
  return attention_flop(shape_.heads, pass, full.entries) / attention(pass, full);
}

HopCost hop_cost(const RingHop& hop, const Cluster& cluster, const Profile& profile, LinkShares shares) {
  const Link& link = hop.inter_node && cluster.inter_node ? *cluster.inter_node : cluster.intra_node;
  HopCost cost;
  cost.inter_node = hop.inter_node;
  cost.link_class = link.link_class;
  cost.nominal = cost.bandwidth = shares == LinkShares::alone ? hop.alone : hop.shared;
  if (const auto known = profile.links.find(link.link_class); known != profile.links.end()) {
    cost.calibrated = true;
    for (const LinkKnot& knot : known->second.by_size) {
      cost.by_size.emplace_back(knot.size, knot.size / (cost.bandwidth * knot.efficiency));
    }
    cost.bandwidth = cost.bandwidth * known->second.efficiency.value;
    cost.latency = known->second.latency.value;
  }
  if (link.latency) cost.latency = *link.latency;
  if (hop.only_leaving && cost.calibrated) {
    if (const auto& single = profile.links.at(link.link_class).single_flow) {
      cost.bandwidth = cost.bandwidth * single->value;
      for (auto& knot : cost.by_size) knot.second = knot.second / single->value;
    }
  }
  return cost;
}

}  // namespace ringsim
