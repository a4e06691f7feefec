#include "calibrate/fit/collectives.hpp"

#include "calibrate/fit/links.hpp"
#include "calibrate/fit/sources.hpp"
#include "models/collective.hpp"

#include <fmt/format.h>

#include <optional>
#include <tuple>

namespace ringsim::calibrate {
namespace {

constexpr KnotLimits collective_knots{0.05, 6};

}  // namespace

CollectivesFit fit_collectives(const std::vector<CollectivePoint>& points,
                               const std::map<std::string, Bandwidth>& nominal, Origin origin,
                               const std::string& source) {
  using Key = std::tuple<CollectiveKind, std::string, std::int64_t>;
  std::map<Key, std::vector<CollectivePoint>> groups;
  for (const CollectivePoint& p : points) groups[{p.kind, p.link_class, p.ranks}].push_back(p);
  CollectivesFit result;
  for (const auto& [key, list] : groups) {
    const auto& [kind, link_class, ranks] = key;
    std::vector<TransferPoint> sent;
    for (const CollectivePoint& p : list) {
      sent.push_back(
          {link_class, in_bytes(traffic_of(kind, ranks, bytes(p.bytes))), ranks, p.time, p.source, p.origin});
    }
    std::optional<Bandwidth> known;
    if (const auto found = nominal.find(link_class); found != nominal.end()) known = found->second;
    LinkFit fit = fit_link(sent, known, origin, source_of(list, source), collective_knots);
    fit.report.name = fmt::format("{} of {} over {}", name_of(kind), ranks, link_class);
    result.costs.push_back({std::string(name_of(kind)), link_class, ranks, std::move(fit.cost.latency),
                            std::move(fit.cost.efficiency), std::move(fit.cost.by_size)});
    result.reports.push_back(std::move(fit.report));
    for (const std::string& note : fit.notes) result.notes.push_back(result.reports.back().name + ": " + note);
  }
  return result;
}

}  // namespace ringsim::calibrate
