#include "calibrate/fit/by_pass.hpp"

#include "calibrate/statistics.hpp"
#include "models/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace ringsim::calibrate {
namespace {

using List = std::vector<InterferencePoint>;

template <class Wanted>
List those(const List& points, const Wanted& wanted) {
  List some;
  std::copy_if(points.begin(), points.end(), std::back_inserter(some), wanted);
  return some;
}

// Links and number of blocks.
using Setting = std::pair<std::string, std::int64_t>;

std::string name_of(const Setting& setting) {
  return setting.second > 0 ? fmt::format("{}, {} blocks", setting.first, setting.second) : setting.first;
}

class Fit {
 public:
  Fit(Origin origin, const std::string& source) : origin_(origin), source_(source) {}

  InterferenceByPass run(const List& points) {
    const List hop_first = those(points, [](const InterferencePoint& p) { return !p.kernel_first; });
    std::map<Setting, List> settings;
    for (const InterferencePoint& p : hop_first) settings[{p.link_class, p.blocks}].push_back(p);
    const auto chosen = std::max_element(settings.begin(), settings.end(), [](const auto& a, const auto& b) {
      return a.second.size() < b.second.size();
    });
    for (auto setting = settings.begin(); setting != settings.end(); ++setting) {
      if (setting == chosen) {
        choose(setting->second, settings.size() > 1 ? name_of(setting->first) : "");
      } else {
        report_only(setting->second, name_of(setting->first));
      }
    }
    waiting(those(points, [](const InterferencePoint& p) { return p.kernel_first; }));
    return std::move(result_);
  }

 private:
  InterferenceFit fit(const List& points, const std::string& of) {
    InterferenceFit fit = fit_interference(points, origin_, source_);
    if (!of.empty()) fit.report.name += ", " + of;
    result_.notes.insert(result_.notes.end(), fit.notes.begin(), fit.notes.end());
    return fit;
  }

  void choose(const List& points, const std::string& setting) {
    Interference shares;
    bool any = false;
    const auto say = [&](const std::string& what) {
      return setting.empty() ? what : what.empty() ? setting : what + ", " + setting;
    };
    const List others = those(points, [](const InterferencePoint& p) { return !p.pass; });
    const InterferenceFit general = fit(others, say(""));
    if (general.shares) {
      shares = *general.shares;
      result_.reports.push_back(general.report);
      any = true;
    } else {
      shares.compute_share = shares.transfer_share = {1, 0, Origin::assumed, "beside merges: not measured"};
    }
    for (const Pass pass : {Pass::forward, Pass::backward}) {
      const List of_pass = those(points, [pass](const InterferencePoint& p) { return p.pass == pass; });
      const InterferenceFit fitted = fit(of_pass, say(ringsim::name_of(pass)));
      if (!fitted.shares) continue;
      any = true;
      (pass == Pass::forward ? shares.forward : shares.backward) =
          ProgressShares{fitted.shares->compute_share, fitted.shares->transfer_share};
      result_.reports.push_back(fitted.report);
    }
    if (!any) return;
    result_.shares = shares;
    if (setting.empty()) return;
    result_.notes.push_back(fmt::format("interference {}: the profile's shares are of {}",
                                        ringsim::name_of(points.front().engine), setting));
  }

  void report_only(const List& points, const std::string& setting) {
    InterferenceFit fitted = fit(points, setting + ", for comparison");
    if (!fitted.shares) return;
    result_.reports.push_back(std::move(fitted.report));
  }

  void waiting(const List& points) {
    if (points.empty()) return;
    std::map<Setting, std::vector<double>> waited;
    for (const InterferencePoint& p : points) {
      waited[{p.link_class, p.blocks}].push_back((p.transfer_beside.median_s - p.transfer_alone.median_s) /
                                                 p.kernel_alone.median_s);
    }
    FitReport report;
    const std::string engine(ringsim::name_of(points.front().engine));
    report.name = fmt::format("interference {}, the kernel ready first, for comparison", engine);
    for (const auto& [setting, parts] : waited) {
      report.parameters.push_back({name_of(setting) + ": hop waits, of the kernel", median(parts), "", 0, true});
      result_.notes.push_back(fmt::format(
          "interference {}: a hop ({}) that became ready after the kernel took longer by {:.0f} % of the kernel; the "
          "profile's shares are of hops that were ready first",
          engine, name_of(setting), 100 * median(parts)));
    }
    result_.reports.push_back(std::move(report));
  }

  Origin origin_;
  const std::string& source_;
  InterferenceByPass result_;
};

}  // namespace

InterferenceByPass fit_interference_by_pass(const std::vector<InterferencePoint>& points, Origin origin,
                                            const std::string& source) {
  return Fit(origin, source).run(points);
}

}  // namespace ringsim::calibrate
