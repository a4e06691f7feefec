#include "calibrate/fit/gpu_reports.hpp"

#include "calibrate/statistics.hpp"
#include "models/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace ringsim::calibrate {
namespace {

// Kernels of the same work.
using Work = std::tuple<Pass, double, double, double, std::int64_t>;
Work work_of(const AttentionPoint& p) {
  return {p.pass, p.shape.rows, p.shape.columns, p.shape.entries, p.heads.query_heads};
}

double rate_of(const AttentionPoint& p) {
  return in_flop(attention_flop(p.heads, p.pass, p.shape.entries)) / p.time.median_s;
}

// Of one implementation.
FitReport by_sms(const std::string& kernel, const std::vector<const AttentionVariantPoint*>& points) {
  std::map<Work, std::vector<const AttentionVariantPoint*>> by_work;
  for (const AttentionVariantPoint* p : points) by_work[work_of(*p)].push_back(p);
  struct Pair {
    const AttentionVariantPoint* point;
    double all_s;  // T(N)
    double x, y;
  };
  std::vector<Pair> pairs;
  std::int64_t most_sms = 0;
  for (const auto& [work, list] : by_work) {
    const auto* all = *std::max_element(
        list.begin(), list.end(), [](const auto* a, const auto* b) { return a->multiprocessors < b->multiprocessors; });
    most_sms = std::max(most_sms, all->multiprocessors);
    for (const AttentionVariantPoint* p : list) {
      if (p->multiprocessors == all->multiprocessors) continue;
      pairs.push_back({p, all->time.median_s,
                       static_cast<double>(all->multiprocessors) / static_cast<double>(p->multiprocessors) - 1,
                       p->time.median_s / all->time.median_s - 1});
    }
  }
  FitReport report;
  report.name = fmt::format("attention by {} by SMs, for comparison", kernel);
  if (pairs.empty()) return report;
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (const Pair& pair : pairs) {
    xx += pair.x * pair.x;
    xy += pair.x * pair.y;
    yy += pair.y * pair.y;
  }
  const double part = xy / xx;
  const auto freedom = static_cast<double>(pairs.size()) - 1;
  const double error = freedom > 0 ? std::sqrt(std::max(0.0, yy - part * xy) / freedom / xx) : 0.0;
  report.parameters.push_back({"part of the time that SMs divide", part, "", 1.96 * error / part, true});
  constexpr std::int64_t taken = 8;
  if (most_sms > taken) {
    const double fewer = static_cast<double>(most_sms) / static_cast<double>(most_sms - taken);
    report.parameters.push_back(
        {fmt::format("speed kept on {} SMs less", taken), 1 / (1 - part + part * fewer), "", 0, false});
  }
  for (const Pair& pair : pairs) {
    const double predicted_s = pair.all_s * (1 + part * pair.x);
    report.residuals.push_back({pair.point->source, predicted_s / pair.point->time.median_s - 1});
  }
  summarise(report);
  return report;
}

}  // namespace

std::vector<FitReport> attention_by_sms(const std::vector<AttentionVariantPoint>& points) {
  std::map<std::string, std::vector<const AttentionVariantPoint*>> by_kernel;
  for (const AttentionVariantPoint& p : points) {
    if (p.multiprocessors > 0 && !p.merging && !p.warm) by_kernel[p.kernel].push_back(&p);
  }
  std::vector<FitReport> reports;
  for (const auto& [kernel, list] : by_kernel) {
    FitReport report = by_sms(kernel, list);
    if (!report.parameters.empty()) reports.push_back(std::move(report));
  }
  return reports;
}

std::vector<FitReport> variant_reports(const std::vector<AttentionVariantPoint>& variants,
                                       const std::vector<AttentionPoint>& profiles) {
  std::vector<FitReport> reports;
  std::map<Work, double> profile_s;
  for (const AttentionPoint& p : profiles) profile_s[work_of(p)] = p.time.median_s;
  std::map<Work, double> plain_s;
  std::map<std::string, double> best;
  std::map<std::string, std::vector<double>> against;
  for (const AttentionVariantPoint& p : variants) {
    if (p.multiprocessors > 0 || p.merging) continue;
    const std::string name = p.kernel + (p.warm ? " with warm caches" : "");
    best[name] = std::max(best[name], rate_of(p));
    if (!p.warm) plain_s[work_of(p)] = p.time.median_s;
    if (const auto found = profile_s.find(work_of(p)); found != profile_s.end()) {
      against[name].push_back(p.time.median_s / found->second);
    }
  }
  for (const auto& [name, rate] : best) {
    FitReport report;
    report.name = fmt::format("attention by {}, for comparison", name);
    report.parameters.push_back({"best rate", rate, "FLOP/s", 0, true});
    if (against.contains(name)) {
      report.parameters.push_back({"time / that of the profile's kernel", median(against.at(name)), "", 0, true});
    }
    reports.push_back(std::move(report));
  }
  std::vector<double> more;
  for (const AttentionVariantPoint& p : variants) {
    const auto plain = plain_s.find(work_of(p));
    if (p.merging && plain != plain_s.end()) more.push_back(p.time.median_s / plain->second - 1);
  }
  if (!more.empty()) {
    FitReport report;
    report.name = "merging in the kernel, for comparison";
    report.parameters.push_back({"more time than without", median(more), "", 0, true});
    reports.push_back(std::move(report));
  }
  return reports;
}

std::optional<FitReport> copy_report(const std::vector<CopyPoint>& points) {
  if (points.empty()) return std::nullopt;
  std::map<std::string, double> best;     // by what copies
  std::map<double, std::int64_t> fewest;  // by rate
  for (const CopyPoint& p : points) {
    const double rate = p.bytes / p.time.median_s;
    if (p.rate_bytes_per_s > 0) {
      if (p.blocks == 0 || rate < 0.98 * p.rate_bytes_per_s) continue;
      const auto found = fewest.try_emplace(p.rate_bytes_per_s, p.blocks).first;
      found->second = std::min(found->second, p.blocks);
    } else {
      const std::string name = p.blocks == 0   ? "copy engine"
                               : p.cluster > 1 ? fmt::format("{:2} blocks, clusters of {}", p.blocks, p.cluster)
                                               : fmt::format("{:2} blocks", p.blocks);
      best[name] = std::max(best[name], rate);
    }
  }
  FitReport report;
  report.name = "copies within the GPU, for comparison";
  for (const auto& [name, rate] : best) report.parameters.push_back({name, rate, "B/s", 0, true});
  for (const auto& [rate, blocks] : fewest) {
    report.parameters.push_back(
        {fmt::format("fewest blocks for {:g} GB/s", rate / 1e9), static_cast<double>(blocks), "", 0, true});
  }
  return report;
}

}  // namespace ringsim::calibrate
