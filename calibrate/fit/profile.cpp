#include "calibrate/fit/profile.hpp"

#include "calibrate/fit/attention.hpp"
#include "calibrate/fit/by_pass.hpp"
#include "calibrate/fit/collectives.hpp"
#include "calibrate/fit/gemm.hpp"
#include "calibrate/fit/gpu_reports.hpp"
#include "calibrate/fit/links.hpp"
#include "calibrate/fit/merge.hpp"
#include "calibrate/fit/sources.hpp"
#include "calibrate/paced_links.hpp"
#include "calibrate/statistics.hpp"
#include "models/cost.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::calibrate {
namespace {

class ProfileFit {
 public:
  ProfileFit(const Points& points, const FitOptions& options)
      : points_(points),
        options_(options),
        origin_(points.provenance.device == "host" || points.provenance.device == "cuda" ? Origin::measured
                                                                                         : Origin::published) {
    if (options.base) result_.profile = *options.base;
    Profile& p = result_.profile;
    p.name = options.name;
    p.calibrated = true;
    p.gpu = options.gpu;
    const Provenance& from = points.provenance;
    source_ = origin_ == Origin::measured ? fmt::format("measured on {}, {} {}, {}", from.machine, from.ranks,
                                                        from.ranks == 1 ? "rank" : "ranks", from.date)
                                          : fmt::format("{}, {}", from.device, from.machine);
    if (options.query_tile || !options.base) p.query_tile = options.query_tile.value_or(0);
    if (options.key_tile || !options.base) p.key_tile = options.key_tile.value_or(0);
    if (options.multiprocessors || !options.base) p.multiprocessors = options.multiprocessors;
    if (!options.multiprocessors && from.multiprocessors > 0) p.multiprocessors = from.multiprocessors;
    if (from.multiprocessors > 0 && !options.base && !options.query_tile && !options.key_tile) {
      // Without a tile a kernel's thread blocks cannot be counted, nor be spread over SMs.
      p.query_tile = p.key_tile = 128;
      p.backward.blocks = Blocks::keys;
      note_down(
          "tiles of 128 x 128 are assumed, and backward kernels that divide keys, as those of the FlashAttention "
          "family");
    }
    make_note_of_origin();
  }

  FitResult run() {
    require();
    launch_and_attention();
    merges();
    links();
    interference();
    products();
    collectives();
    rates();
    events();
    issue();
    return std::move(result_);
  }

 private:
  void note_down(const std::string& note) { result_.notes.push_back(note); }
  void take(const std::vector<std::string>& notes) {
    result_.notes.insert(result_.notes.end(), notes.begin(), notes.end());
  }
  void make_note_of_origin() {
    const Provenance& from = points_.provenance;
    auto& made = result_.profile.made;
    made.clear();
    const auto say = [&made](const char* key, const std::string& text) {
      if (!text.empty()) made[key] = text;
    };
    say("device", from.device);
    say("machine", from.machine);
    say("ranks", std::to_string(from.ranks));
    say("software", from.software);
    say("date", from.date);
    say("commit", from.commit);
    if (points_.attention.empty()) return;
    const Dtype dtype = points_.attention.front().dtype;
    const bool alike = std::all_of(points_.attention.begin(), points_.attention.end(),
                                   [dtype](const AttentionPoint& p) { return p.dtype == dtype; });
    if (alike) say("dtype", std::string(name_of(dtype)));
  }
  [[nodiscard]] bool base_gives(const std::string& key) const {
    return options_.base &&
           std::find(options_.base_lacks.begin(), options_.base_lacks.end(), key) == options_.base_lacks.end();
  }
  void from_base(const std::string& what) {
    note_down(what + ": not measured, taken from the base profile " + options_.base->name);
  }
  [[nodiscard]] bool has(Pass pass) const {
    return std::any_of(points_.attention.begin(), points_.attention.end(),
                       [pass](const AttentionPoint& p) { return p.pass == pass; });
  }

  void require() const {
    std::string missing;
    const auto need = [&](bool there, const char* what) {
      if (!there) missing += (missing.empty() ? "" : ", ") + std::string(what);
    };
    need(has(Pass::forward) || base_gives("forward"), "forward attention kernels");
    need(has(Pass::backward) || base_gives("backward"), "backward attention kernels");
    need(!points_.merge.empty() || (base_gives("merge_traffic") && base_gives("merge_bandwidth")), "merges");
    if (missing.empty()) return;
    throw Error("these measurements are missing for a profile: " + missing, {},
                "measure them, or name a base profile to take them from");
  }

  [[nodiscard]] std::optional<Calibrated<Duration>> known_launch() {
    if (points_.launch.empty()) {
      if (!base_gives("launch")) return std::nullopt;
      from_base("launch");
      return options_.base->launch;
    }
    std::vector<double> medians;
    for (const LaunchPoint& p : points_.launch) medians.push_back(p.time.median_s);
    const double tau_s = median(medians);
    double farthest = 0;
    for (const LaunchPoint& p : points_.launch) {
      farthest = std::max({farthest, std::abs(p.time.high_s / tau_s - 1), std::abs(p.time.low_s / tau_s - 1)});
    }
    FitReport report;
    report.name = "launch";
    farthest = stated_uncertainty(farthest, "launch", result_.notes);
    report.parameters = {{"launch", tau_s, "s", farthest, true}};
    for (const LaunchPoint& p : points_.launch) report.residuals.push_back({p.source, tau_s / p.time.median_s - 1});
    summarise(report);
    result_.reports.push_back(report);
    return Calibrated<Duration>{seconds(tau_s), farthest, origin_, source_of(points_.launch, source_)};
  }

  void launch_and_attention() {
    Profile& p = result_.profile;
    AttentionGiven given;
    given.launch = known_launch();
    given.query_tile = p.query_tile;
    given.key_tile = p.key_tile;
    given.multiprocessors = p.multiprocessors;
    // What is known and not fitted, of the base or as the constructor has set it.
    given.known_forward = p.forward;
    given.known_backward = p.backward;
    if (base_gives("forward")) given.base_forward = options_.base->forward;
    if (base_gives("backward")) given.base_backward = options_.base->backward;
    given.origin = origin_;
    given.source = source_;
    const AttentionFit fit = fit_attention(points_.attention, given);
    p.launch = fit.launch;
    if (fit.launch_fitted) note_down("launch: not measured on its own, fitted along with the attention kernels");
    for (const Pass pass : {Pass::forward, Pass::backward}) {
      const std::optional<AttentionCost>& cost = pass == Pass::forward ? fit.forward : fit.backward;
      if (cost) {
        (pass == Pass::forward ? p.forward : p.backward) = *cost;
      } else {
        from_base(fmt::format("attention of the {} pass", name_of(pass)));
      }
    }
    take(fit.notes);
    result_.reports.insert(result_.reports.end(), fit.reports.begin(), fit.reports.end());
    if (auto range = range_of(points_.attention)) {
      // So few points give a rate alone: the shape is the base's, and so is the range in which it holds.
      constexpr std::size_t few = 4;
      if (points_.attention.size() < few && options_.base && options_.base->measured) {
        const AttentionRange& known = *options_.base->measured;
        const auto join = [](Range& to, const Range& from) { to = hull(hull(to, from.low), from.high); };
        join(range->rows, known.rows);
        join(range->columns, known.columns);
        join(range->heads, known.heads);
        join(range->dims, known.dims);
      }
      p.measured = range;
    }
  }

  void merges() {
    if (points_.merge.empty()) return from_base("merge");
    const MergeFit fit =
        fit_merge(points_.merge, result_.profile.launch.value, origin_, source_of(points_.merge, source_));
    result_.profile.merge_traffic = fit.traffic;
    result_.profile.merge_bandwidth = fit.bandwidth;
    take(fit.notes);
    result_.reports.push_back(fit.report);
  }

  void links() {
    std::map<std::string, std::vector<TransferPoint>> by_class;
    for (const TransferPoint& p : points_.transfer) by_class[p.link_class].push_back(p);
    if (const auto own = by_class.find(std::string(nccl_to_itself)); own != by_class.end()) {
      to_itself(own->second);
      by_class.erase(own);
    }
    for (const auto& [link_class, list] : by_class) {
      std::optional<Bandwidth> nominal = paced_rate(link_class);
      if (const auto found = options_.nominal.find(link_class); found != options_.nominal.end())
        nominal = found->second;
      const LinkFit fit = fit_link(list, nominal, origin_, source_of(list, source_));
      LinkCost& cost = result_.profile.links[link_class];
      const auto single_flow = std::move(cost.single_flow);  // of the base: no point is of a single flow
      cost = fit.cost;
      cost.single_flow = single_flow;
      result_.nominal[link_class] = fit.nominal;
      take(fit.notes);
      result_.reports.push_back(fit.report);
    }
    for (const auto& [link_class, cost] : result_.profile.links) {
      if (by_class.contains(link_class)) continue;
      if (!base_gives("links." + link_class)) {
        throw Error(
            fmt::format("the base says something of the link {}, but not what it costs, nor do the points", link_class),
            "links." + link_class, "measure hops over it, or give its latency and efficiency");
      }
      from_base("link " + link_class);
    }
    if (result_.profile.links.empty()) {
      note_down("no link was measured: hops will run at nominal bandwidth and without latency");
    }
  }

  void to_itself(const std::vector<TransferPoint>& points) {
    FitReport report;
    report.name = "NCCL to itself, for comparison";
    double best = 0;
    for (const TransferPoint& p : points) best = std::max(best, p.bytes / p.time.median_s);
    report.parameters = {{"best rate", best, "B/s", 0, true}};
    result_.reports.push_back(report);
    note_down("NCCL sent to itself, within one GPU: no link of the profile");
  }

  void interference() {
    Profile& p = result_.profile;
    for (const TransferEngine engine : {TransferEngine::sm_kernel, TransferEngine::copy_engine}) {
      std::vector<InterferencePoint> list;
      for (const InterferencePoint& point : points_.interference) {
        if (point.engine == engine) list.push_back(point);
      }
      const InterferenceByPass fit = fit_interference_by_pass(list, origin_, source_);
      std::optional<Interference>& shares = engine == TransferEngine::sm_kernel ? p.sm_kernel : p.copy_engine;
      take(fit.notes);
      result_.reports.insert(result_.reports.end(), fit.reports.begin(), fit.reports.end());
      if (fit.shares) {
        shares = fit.shares;
        if (engine == TransferEngine::sm_kernel && p.contest_for_multiprocessors) {
          p.contest_for_multiprocessors = false;
          note_down(
              "the base's contest for SMs gives way to the shares that were measured: the two exclude each other");
        }
      } else if (shares) {
        from_base(fmt::format("interference {}", name_of(engine)));
      } else {
        note_down(fmt::format("interference {}: not measured, none is assumed", name_of(engine)));
      }
    }
  }

  // Rates of CPUs are printed and no part of a profile, whose products are those of accelerators in 16 and 8 bits.
  void products() {
    Profile& p = result_.profile;
    const bool usable = std::any_of(points_.gemm.begin(), points_.gemm.end(), [](const GemmPoint& g) {
      return g.dtype == Dtype::bf16 || g.dtype == Dtype::fp16 || g.dtype == Dtype::fp8;
    });
    if (usable) {
      const GemmFit fit = fit_gemm(points_.gemm, p.launch.value, origin_, source_);
      if (fit.gemm) p.gemm = fit.gemm;
      if (fit.gemm_fp8) p.gemm_fp8 = fit.gemm_fp8;
      if (fit.memory_bandwidth) p.memory_bandwidth = fit.memory_bandwidth;
      take(fit.notes);
      result_.reports.insert(result_.reports.end(), fit.reports.begin(), fit.reports.end());
    } else if (!points_.gemm.empty()) {
      FitReport report;
      report.name = "matrix products, for comparison";
      double best = 0;
      for (const GemmPoint& g : points_.gemm) {
        best = std::max(best, 2.0 * static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.k) /
                                  g.time.median_s);
      }
      report.parameters = {{"best rate", best, "FLOP/s", 0, true}};
      result_.reports.push_back(report);
    }
  }

  // Those of a kind that was measured take the place of the base's.
  void collectives() {
    if (points_.collective.empty()) return;
    std::vector<CollectiveCost>& all = result_.profile.collectives;
    CollectivesFit fit = fit_collectives(points_.collective, options_.nominal, origin_, source_);
    std::erase_if(all, [&](const CollectiveCost& old) {
      return std::any_of(fit.costs.begin(), fit.costs.end(), [&](const CollectiveCost& cost) {
        return cost.kind == old.kind && cost.link_class == old.link_class;
      });
    });
    all.insert(all.end(), fit.costs.begin(), fit.costs.end());
    take(fit.notes);
    result_.reports.insert(result_.reports.end(), fit.reports.begin(), fit.reports.end());
  }

  // What no cost is made of, but what the costs are to be compared with.
  void rates() {
    if (!points_.stream.empty()) {
      FitReport report;
      report.name = "copying memory, for comparison";
      double best = 0;
      for (const StreamPoint& s : points_.stream) best = std::max(best, s.bytes / s.time.median_s);
      report.parameters = {{"best rate", best, "B/s", 0, true}};
      result_.reports.push_back(report);
    }
    for (FitReport& report : attention_by_sms(points_.variants)) result_.reports.push_back(std::move(report));
    for (FitReport& report : variant_reports(points_.variants, points_.attention)) {
      result_.reports.push_back(std::move(report));
    }
    if (auto report = copy_report(points_.copy)) result_.reports.push_back(std::move(*report));
    for (const OverheadPoint& p : points_.overhead) {
      if (p.what != Overhead::eager && p.what != Overhead::graph) continue;
      FitReport report;
      report.name = fmt::format("{} launches, for comparison", p.what == Overhead::graph ? "a graph's" : "eager");
      report.parameters = {{"a kernel", p.time.median_s, "s", 0, true}};
      result_.reports.push_back(report);
    }
  }

  [[nodiscard]] const OverheadPoint* overhead(Overhead what) const {
    const auto found = std::find_if(points_.overhead.begin(), points_.overhead.end(),
                                    [what](const OverheadPoint& p) { return p.what == what; });
    return found == points_.overhead.end() ? nullptr : &*found;
  }
  [[nodiscard]] static double half_width(const Timing& time) { return (time.high_s - time.low_s) / 2; }

  // The host's own time for an operation.
  void issue() {
    const OverheadPoint* p = overhead(Overhead::issue);
    if (p == nullptr) return;
    const double uncertainty = stated_uncertainty(half_width(p->time) / p->time.median_s, "issue", result_.notes);
    result_.profile.issue = {seconds(p->time.median_s), uncertainty, origin_, source_};
  }

  // A kernel that waits for another stream, less what every kernel on the critical path costs.
  void events() {
    const OverheadPoint* p = overhead(Overhead::event);
    if (p != nullptr && !points_.launch.empty()) {
      const double launch_s = in_seconds(result_.profile.launch.value);
      const double latency_s = std::max(0.0, p->time.median_s - launch_s);
      const double uncertainty =
          latency_s > 0 ? stated_uncertainty(half_width(p->time) / latency_s, "event_latency", result_.notes) : 0.0;
      result_.profile.event_latency = {seconds(latency_s), uncertainty, origin_, source_};
      return;
    }
    if (base_gives("event_latency")) return from_base("event_latency");
    result_.profile.event_latency = {{}, 0, Origin::assumed, "part of the launch"};
  }

  const Points& points_;
  const FitOptions& options_;
  Origin origin_;
  std::string source_;
  FitResult result_;
};

}  // namespace

FitResult fit_profile(const Points& points, const FitOptions& options) { return ProfileFit(points, options).run(); }

}  // namespace ringsim::calibrate
