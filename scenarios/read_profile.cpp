// `profile` to Profile.

#include "models/error.hpp"
#include "scenarios/read_parts.hpp"
#include "scenarios/spec.hpp"
#include "scenarios/units.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

namespace ringsim::scenarios {
namespace {

template <class T>
Calibrated<T> read_calibrated(const Value& value, T (*parse)(std::string_view)) {
  Calibrated<T> result;
  result.value = parse(text_at(value, "value"));
  result.relative_uncertainty = parse_ratio(text_at(value, "uncertainty"));
  for (const Origin origin : {Origin::measured, Origin::published, Origin::vendor, Origin::assumed}) {
    if (name_of(origin) == text_at(value, "origin")) result.origin = origin;
  }
  if (const Value* source = value.find("source"); source != nullptr) result.source = source->text;
  return result;
}

AttentionCost read_attention(const Value& value) {
  AttentionCost result;
  result.saturated = read_calibrated(part(value, "saturated"), parse_flop_rate);
  result.half_depth = read_calibrated(part(value, "half_depth"), parse_number);
  if (const Value* rows = value.find("half_rows"); rows != nullptr)
    result.half_rows = read_calibrated(*rows, parse_number);
  if (const Value* sustained = value.find("sustained"); sustained != nullptr)
    result.sustained = read_calibrated(*sustained, parse_ratio);
  for (const Blocks blocks : {Blocks::queries, Blocks::keys, Blocks::split}) {
    if (name_of(blocks) == text_at(value, "blocks")) result.blocks = blocks;
  }
  return result;
}

/// `path` is the range's, for messages.
Range read_range(const Value& value, double (*parse)(std::string_view), const std::string& path) {
  const Range range{parse(text_at(value, "low")), parse(text_at(value, "high"))};
  if (range.low > range.high) {
    throw Error(fmt::format("{}: low {} is above high {}", path, text_at(value, "low"), text_at(value, "high")),
                part(value, "high").origin, "low: the smallest, high: the largest");
  }
  return range;
}

// Two sizes that take the same time may differ by what rounding makes of their shares.
constexpr double equal_times = 1e-9;

/// Refuses a knot that does not fit behind the one before it.
void check_order(const LinkKnot& before, const LinkKnot& knot, const Value& written, const std::string& path) {
  const std::string size_before = format_bytes_shortest(before.size);
  if (!(knot.size > before.size)) {
    throw Error(fmt::format("{}: {} after {}", path, format_bytes_shortest(knot.size), size_before),
                part(written, "size").origin, "ascending sizes, each once");
  }
  const double most = before.efficiency * (knot.size / before.size);
  if (knot.efficiency > most * (1 + equal_times)) {
    throw Error(fmt::format("{}: {} at {} would take less time than {} at {}", path, format_bytes_shortest(knot.size),
                            format_ratio(knot.efficiency), size_before, format_ratio(before.efficiency)),
                part(written, "efficiency").origin,
                fmt::format("at most {} here", format_ratio(std::floor(most * 1e4) / 1e4)));
  }
}

std::vector<LinkKnot> read_knots(const Value& value, const std::string& path) {
  std::vector<LinkKnot> result;
  const Value* knots = value.find("by_size");
  if (knots == nullptr) return result;
  for (const Value& item : knots->items) {
    const LinkKnot knot{parse_bytes(text_at(item, "size")), parse_ratio(text_at(item, "efficiency"))};
    if (!result.empty()) check_order(result.back(), knot, item, fmt::format("{}.by_size.{}", path, result.size()));
    result.push_back(knot);
  }
  return result;
}

LinkCost read_link_cost(const Value& value, const std::string& path) {
  LinkCost result;
  result.latency = read_calibrated(part(value, "latency"), parse_duration);
  result.efficiency = read_calibrated(part(value, "efficiency"), parse_ratio);
  result.by_size = read_knots(value, path);
  if (const Value* measured = value.find("measured_bytes"); measured != nullptr) {
    const auto parse = [](std::string_view text) { return in_bytes(parse_bytes(text)); };
    result.measured_bytes = read_range(*measured, parse, path_to(path, "measured_bytes"));
  }
  if (const Value* single = value.find("single_flow"); single != nullptr)
    result.single_flow = read_calibrated(*single, parse_number);
  return result;
}

std::optional<ProgressShares> read_progress_shares(const Value& of, std::string_view pass) {
  const Value* value = of.find(pass);
  if (value == nullptr) return std::nullopt;
  return ProgressShares{read_calibrated(part(*value, "compute_share"), parse_ratio),
                        read_calibrated(part(*value, "transfer_share"), parse_ratio)};
}

std::optional<Interference> read_interference(const Value& interference, std::string_view engine) {
  const Value* value = interference.find(engine);
  if (value == nullptr) return std::nullopt;
  return Interference{read_calibrated(part(*value, "compute_share"), parse_ratio),
                      read_calibrated(part(*value, "transfer_share"), parse_ratio),
                      read_progress_shares(*value, "forward"), read_progress_shares(*value, "backward")};
}

GemmCost read_gemm(const Value& value) {
  return {read_calibrated(part(value, "saturated"), parse_flop_rate),
          read_calibrated(part(value, "half_rows"), parse_number)};
}

std::vector<CollectiveCost> read_collectives(const Value& list) {
  std::vector<CollectiveCost> result;
  for (const Value& item : list.items) {
    CollectiveCost cost;
    cost.kind = text_at(item, "kind");
    cost.link_class = text_at(item, "link_class");
    cost.ranks = count_at(item, "ranks");
    cost.latency = read_calibrated(part(item, "latency"), parse_duration);
    cost.efficiency = read_calibrated(part(item, "efficiency"), parse_ratio);
    cost.by_size = read_knots(item, fmt::format("profile.collectives.{}", result.size()));
    for (const CollectiveCost& other : result) {
      if (other.kind == cost.kind && other.link_class == cost.link_class && other.ranks == cost.ranks) {
        throw Error(fmt::format("the {} of {} ranks over {} stands twice in profile.collectives", cost.kind, cost.ranks,
                                cost.link_class),
                    item.origin, "keep one of the two");
      }
    }
    result.push_back(std::move(cost));
  }
  return result;
}

AttentionRange read_attention_range(const Value& value) {
  const auto range = [&value](std::string_view key) {
    return read_range(part(value, key), parse_number, path_to("profile.measured", key));
  };
  return {range("rows"), range("columns"), range("heads"), range("dims")};
}

}  // namespace

Profile read_profile(const Value& profile) {
  Profile result;
  result.name = text_at(profile, "name");
  result.calibrated = true;
  result.gpu = text_at(profile, "gpu");
  result.forward = read_attention(part(profile, "forward"));
  result.backward = read_attention(part(profile, "backward"));
  result.query_tile = count_at(profile, "query_tile");
  result.key_tile = count_at(profile, "key_tile");
  result.multiprocessors = optional_count_at(profile, "multiprocessors");
  result.launch = read_calibrated(part(profile, "launch"), parse_duration);
  result.merge_traffic = read_calibrated(part(profile, "merge_traffic"), parse_number);
  result.merge_bandwidth = read_calibrated(part(profile, "merge_bandwidth"), parse_bandwidth);
  if (const Value* traffic = profile.find("partial_merge_traffic"); traffic != nullptr)
    result.partial_merge_traffic = read_calibrated(*traffic, parse_number);
  if (const Value* issue = profile.find("issue"); issue != nullptr)
    result.issue = read_calibrated(*issue, parse_duration);
  result.event_latency = read_calibrated(part(profile, "event_latency"), parse_duration);
  result.contest_for_multiprocessors = flag_at(profile, "contest_for_multiprocessors");
  for (const Value::Entry& entry : part(profile, "links").entries)
    result.links[entry.key] = read_link_cost(entry.value, path_to("profile.links", entry.key));
  if (const Value* interference = profile.find("interference"); interference != nullptr) {
    result.sm_kernel = read_interference(*interference, name_of(TransferEngine::sm_kernel));
    result.copy_engine = read_interference(*interference, name_of(TransferEngine::copy_engine));
  }
  if (const Value* gemm = profile.find("gemm"); gemm != nullptr) result.gemm = read_gemm(*gemm);
  if (const Value* gemm = profile.find("gemm_fp8"); gemm != nullptr) result.gemm_fp8 = read_gemm(*gemm);
  if (const Value* rate = profile.find("memory_bandwidth"); rate != nullptr)
    result.memory_bandwidth = read_calibrated(*rate, parse_bandwidth);
  if (const Value* list = profile.find("collectives"); list != nullptr) result.collectives = read_collectives(*list);
  if (const Value* measured = profile.find("measured"); measured != nullptr)
    result.measured = read_attention_range(*measured);
  if (const Value* made = profile.find("made"); made != nullptr) {
    for (const Value::Entry& entry : made->entries) result.made[entry.key] = entry.value.text;
  }
  return result;
}

}  // namespace ringsim::scenarios
