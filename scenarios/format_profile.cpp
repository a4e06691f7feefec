#include "scenarios/format_profile.hpp"

#include "models/error.hpp"
#include "models/plan.hpp"
#include "scenarios/reader.hpp"
#include "scenarios/units.hpp"
#include "scenarios/yaml_text.hpp"

#include <fmt/format.h>

namespace ringsim::scenarios {
namespace {

template <class T>
std::string calibrated(const Calibrated<T>& value, std::string (*format)(T)) {
  const std::string source = value.source.empty() ? "" : ", source: " + yaml_text(value.source);
  return fmt::format("{{value: {}, uncertainty: {}, origin: {}{}}}", format(value.value),
                     format_ratio(value.relative_uncertainty), name_of(value.origin), source);
}

std::string attention(std::string_view pass, const AttentionCost& cost) {
  std::string text =
      fmt::format("{}:\n  saturated: {}\n  half_depth: {}\n", pass, calibrated(cost.saturated, format_flop_rate),
                  calibrated(cost.half_depth, format_number));
  if (cost.half_rows != Calibrated<double>{})
    text += fmt::format("  half_rows: {}\n", calibrated(cost.half_rows, format_number));
  if (cost.sustained != Calibrated<double>{1.0})
    text += fmt::format("  sustained: {}\n", calibrated(cost.sustained, format_ratio));
  if (cost.blocks != Blocks::queries) text += fmt::format("  blocks: {}\n", name_of(cost.blocks));
  return text;
}

std::string knots(const std::vector<LinkKnot>& by_size) {
  std::string text = by_size.empty() ? "" : "    by_size:\n";
  for (const LinkKnot& knot : by_size) {
    text += fmt::format("      - {{size: {}, efficiency: {}}}\n", format_bytes_shortest(knot.size),
                        format_ratio(knot.efficiency));
  }
  return text;
}

std::string link(std::string_view link_class, const LinkCost& cost) {
  std::string text = fmt::format("  {}:\n    latency: {}\n    efficiency: {}\n", link_class,
                                 calibrated(cost.latency, format_duration), calibrated(cost.efficiency, format_ratio));
  text += knots(cost.by_size);
  if (cost.measured_bytes) {
    text += fmt::format("    measured_bytes: {{low: {}, high: {}}}\n",
                        format_bytes_shortest(bytes(cost.measured_bytes->low)),
                        format_bytes_shortest(bytes(cost.measured_bytes->high)));
  }
  if (cost.single_flow) text += fmt::format("    single_flow: {}\n", calibrated(*cost.single_flow, format_number));
  return text;
}

std::string shared_progress(TransferEngine engine, const std::optional<Interference>& shared) {
  if (!shared) return {};
  const auto shares = [](const auto& of, std::string_view indent) {
    return fmt::format("{0}compute_share: {1}\n{0}transfer_share: {2}\n", indent,
                       calibrated(of.compute_share, format_ratio), calibrated(of.transfer_share, format_ratio));
  };
  std::string text = fmt::format("  {}:\n{}", name_of(engine), shares(*shared, "    "));
  if (shared->forward) text += "    forward:\n" + shares(*shared->forward, "      ");
  if (shared->backward) text += "    backward:\n" + shares(*shared->backward, "      ");
  return text;
}

std::string gemm(std::string_view key, const std::optional<GemmCost>& cost) {
  if (!cost) return {};
  return fmt::format("{}:\n  saturated: {}\n  half_rows: {}\n", key, calibrated(cost->saturated, format_flop_rate),
                     calibrated(cost->half_rows, format_number));
}

std::string collectives(const std::vector<CollectiveCost>& all) {
  std::string text = all.empty() ? "" : "collectives:\n";
  for (const CollectiveCost& cost : all) {
    text += fmt::format("  - kind: {}\n    link_class: {}\n    ranks: {}\n    latency: {}\n    efficiency: {}\n",
                        cost.kind, yaml_text(cost.link_class), cost.ranks, calibrated(cost.latency, format_duration),
                        calibrated(cost.efficiency, format_ratio));
    text += knots(cost.by_size);
  }
  return text;
}

std::string range(std::string_view key, const Range& values) {
  return fmt::format("  {}: {{low: {}, high: {}}}\n", key, format_number(values.low), format_number(values.high));
}

}  // namespace

std::string format_profile(const Profile& p, std::string_view comment, std::string_view description) {
  if (!p.calibrated)
    throw Error(fmt::format("the profile {} is not calibrated: it holds a GPU's peaks and no costs", p.name), {},
                "profile: datasheet needs no file");
  std::string text = yaml_comment(comment);
  if (!description.empty()) text += fmt::format("description: {}\n", yaml_text(std::string(description)));
  text += fmt::format("name: {}\ngpu: {}\n", yaml_text(p.name), yaml_text(p.gpu));
  text += attention("forward", p.forward) + attention("backward", p.backward);
  text += fmt::format("query_tile: {}\nkey_tile: {}\n", p.query_tile, p.key_tile);
  if (p.multiprocessors) text += fmt::format("multiprocessors: {}\n", *p.multiprocessors);
  text += fmt::format("launch: {}\nmerge_traffic: {}\nmerge_bandwidth: {}\nevent_latency: {}\n",
                      calibrated(p.launch, format_duration), calibrated(p.merge_traffic, format_number),
                      calibrated(p.merge_bandwidth, format_bandwidth), calibrated(p.event_latency, format_duration));
  if (p.partial_merge_traffic)
    text += fmt::format("partial_merge_traffic: {}\n", calibrated(*p.partial_merge_traffic, format_number));
  if (p.issue != Calibrated<Duration>{}) text += fmt::format("issue: {}\n", calibrated(p.issue, format_duration));
  text += fmt::format("contest_for_multiprocessors: {}\n", p.contest_for_multiprocessors);
  text += p.links.empty() ? "links: {}\n" : "links:\n";
  for (const auto& [link_class, cost] : p.links) text += link(link_class, cost);
  if (p.sm_kernel || p.copy_engine) {
    text += "interference:\n" + shared_progress(TransferEngine::sm_kernel, p.sm_kernel) +
            shared_progress(TransferEngine::copy_engine, p.copy_engine);
  }
  text += gemm("gemm", p.gemm) + gemm("gemm_fp8", p.gemm_fp8);
  if (p.memory_bandwidth)
    text += fmt::format("memory_bandwidth: {}\n", calibrated(*p.memory_bandwidth, format_bandwidth));
  text += collectives(p.collectives);
  if (p.measured) {
    text += "measured:\n" + range("rows", p.measured->rows) + range("columns", p.measured->columns) +
            range("heads", p.measured->heads) + range("dims", p.measured->dims);
  }
  if (!p.made.empty()) text += "made:\n";
  for (const auto& [key, what] : p.made) text += fmt::format("  {}: {}\n", key, yaml_text(what));
  // A file that nobody could read, or that says something else, is not handed out.
  if (read_profile_text(text, p.name) != p)
    throw Error(fmt::format("the profile {} holds a value that is not a finite number", p.name), {}, {});
  return text;
}

}  // namespace ringsim::scenarios
