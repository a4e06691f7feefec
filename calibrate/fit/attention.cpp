#include "calibrate/fit/attention.hpp"

#include "calibrate/fit/least_squares.hpp"
#include "calibrate/fit/sources.hpp"
#include "models/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::calibrate {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

enum class Unknown { log_rate, half_depth, half_rows, launch };

const char* name_of(Unknown what) {
  return what == Unknown::half_depth  ? "half_depth"
         : what == Unknown::half_rows ? "half_rows"
         : what == Unknown::launch    ? "launch"
                                      : "saturated";
}

// A parameter of the fit; `pass` means nothing for the launch.
struct Entry {
  Unknown what = Unknown::log_rate;
  Pass pass = Pass::forward;
  Parameter parameter;
};

Calibrated<double>& tokens_of(AttentionCost& cost, Unknown what) {
  return what == Unknown::half_depth ? cost.half_depth : cost.half_rows;
}

AttentionCost& cost_of(Profile& profile, Pass pass) {
  return pass == Pass::forward ? profile.forward : profile.backward;
}

double span(double low, double high) { return low > 0 ? high / low : 1; }

class Fit {
 public:
  Fit(const std::vector<AttentionPoint>& points, const AttentionGiven& given) : given_(given) {
    profile_.query_tile = given.query_tile;
    profile_.key_tile = given.key_tile;
    profile_.multiprocessors = given.multiprocessors;
    if (given.launch) profile_.launch = *given.launch;
    for (const Pass pass : {Pass::forward, Pass::backward}) {
      for (const AttentionPoint& point : points) {
        if (point.pass == pass) points_.push_back(point);
      }
    }
    for (const Pass pass : {Pass::forward, Pass::backward}) begin(pass);
    if (!given.launch) want_launch();
  }

  AttentionFit run() {
    while (true) {
      solution_ = solve();
      if (!drop_undetermined()) break;
    }
    return finish();
  }

 private:
  [[nodiscard]] std::vector<AttentionPoint> of(Pass pass) const {
    std::vector<AttentionPoint> list;
    for (const AttentionPoint& point : points_) {
      if (point.pass == pass) list.push_back(point);
    }
    return list;
  }
  [[nodiscard]] const std::optional<AttentionCost>& base(Pass pass) const {
    return pass == Pass::forward ? given_.base_forward : given_.base_backward;
  }

  [[nodiscard]] const AttentionCost& known(Pass pass) const {
    return pass == Pass::forward ? given_.known_forward : given_.known_backward;
  }

  // Decides by the shapes which parameters of a pass can be told apart at all.
  void begin(Pass pass) {
    const std::vector<AttentionPoint> list = of(pass);
    AttentionCost& cost = cost_of(profile_, pass);
    cost.blocks = known(pass).blocks;
    cost.half_depth = base(pass) ? base(pass)->half_depth : Calibrated<double>{0, 0, Origin::assumed, "not determined"};
    cost.half_rows = base(pass) ? base(pass)->half_rows : Calibrated<double>{0, 0, Origin::assumed, "not determined"};
    if (list.empty()) return;
    double fastest = 0;
    Range columns{list[0].shape.columns, list[0].shape.columns};
    Range ratio{list[0].shape.rows / list[0].shape.columns, list[0].shape.rows / list[0].shape.columns};
    for (const AttentionPoint& p : list) {
      fastest = std::max(fastest, in_flop(attention_flop(p.heads, pass, p.shape.entries)) / p.time.median_s);
      columns = hull(columns, p.shape.columns);
      ratio = hull(ratio, p.shape.rows / p.shape.columns);
    }
    entries_.push_back({Unknown::log_rate, pass, {std::log(fastest), 1, -1e3}});
    const bool depths = list.size() >= 3 && span(columns.low, columns.high) >= 1.5;
    const bool shapes = list.size() >= 4 && span(ratio.low, ratio.high) >= 1.5;
    if (depths) {
      entries_.push_back({Unknown::half_depth, pass, {100, 100, 0}});
    } else {
      keep(pass, Unknown::half_depth, "it needs 3 points of different columns");
    }
    if (depths && shapes) {
      entries_.push_back({Unknown::half_rows, pass, {10, 10, 0}});
    } else {
      keep(pass, Unknown::half_rows, "it needs 4 points in which rows and columns are not always in the same ratio");
    }
  }

  void want_launch() {
    if (points_.empty()) return;
    double shortest = points_[0].time.median_s;
    double longest = shortest;
    for (const AttentionPoint& p : points_) {
      shortest = std::min(shortest, p.time.median_s);
      longest = std::max(longest, p.time.median_s);
    }
    if (points_.size() > entries_.size() + 1 && longest > 2 * shortest) {
      entries_.push_back({Unknown::launch, Pass::forward, {shortest / 4, shortest, 0}});
    } else {
      notes_.push_back("launch: not determined by these attention kernels, 0 is taken");
    }
  }

  void keep(Pass pass, Unknown what, const std::string& why) {
    Calibrated<double>& value = tokens_of(cost_of(profile_, pass), what);
    notes_.push_back(fmt::format("{} of the {} pass: not determined ({}); {} is {}", name_of(what),
                                 ringsim::name_of(pass), why, fmt::format("{:g} tokens", value.value),
                                 base(pass) ? "kept from the base profile" : "taken"));
  }

  void apply(const VectorXd& x) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Entry& e = entries_[i];
      const double value = x(static_cast<Index>(i));
      if (e.what == Unknown::launch) {
        profile_.launch.value = seconds(value);
      } else if (e.what == Unknown::log_rate) {
        cost_of(profile_, e.pass).saturated.value = flop_per_second(std::exp(value));
      } else {
        tokens_of(cost_of(profile_, e.pass), e.what).value = value;
      }
    }
  }

  [[nodiscard]] double predicted_s(const AttentionPoint& p) const {
    const RingShape shape{p.heads, p.dtype};
    return in_seconds(CostModel(profile_, shape).attention(p.pass, p.shape));
  }

  Solution solve() {
    std::vector<Parameter> parameters;
    for (const Entry& e : entries_) parameters.push_back(e.parameter);
    const auto residuals = [this](const VectorXd& x) {
      apply(x);
      VectorXd r(static_cast<Index>(points_.size()));
      for (std::size_t i = 0; i < points_.size(); ++i) {
        r(static_cast<Index>(i)) = std::log(predicted_s(points_[i]) / points_[i].time.median_s);
      }
      return r;
    };
    Solution solution = least_squares(residuals, parameters);
    apply(solution.values);
    return solution;
  }

  [[nodiscard]] double half_interval(std::size_t i) const {
    const auto freedom = static_cast<Index>(points_.size()) - static_cast<Index>(entries_.size());
    return freedom < 1 ? 0 : student_95(freedom) * solution_.standard_error(static_cast<Index>(i));
  }

  // One at a time, the least certain first, since what is left may be well determined without it.
  bool drop_undetermined() {
    std::optional<std::size_t> worst;
    double worst_ratio = 1;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].what == Unknown::log_rate) continue;
      if (solution_.at_bound[i]) continue;
      const double ratio = half_interval(i) / solution_.values(static_cast<Index>(i));
      if (!(ratio < worst_ratio)) {
        worst_ratio = ratio;
        worst = i;
      }
    }
    if (!worst) return false;
    const Entry dropped = entries_[*worst];
    const double value = solution_.values(static_cast<Index>(*worst));
    const double half = half_interval(*worst);
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(*worst));
    if (dropped.what == Unknown::launch) {
      profile_.launch.value = {};
      notes_.push_back("launch: not told apart from 0 by these attention kernels");
      return true;
    }
    Calibrated<double>& held = tokens_of(cost_of(profile_, dropped.pass), dropped.what);
    held = {0, 0, Origin::assumed, "not determined"};
    const std::optional<AttentionCost>& from = base(dropped.pass);
    if (from) {
      const Calibrated<double> known = dropped.what == Unknown::half_depth ? from->half_depth : from->half_rows;
      if (std::isinf(half) || std::abs(known.value - value) <= half) held = known;
    }
    keep(dropped.pass, dropped.what, fmt::format("{:.3g} ± {:.3g} tokens by these points", value, half));
    return true;
  }

  FitReport report(Pass pass, const std::vector<AttentionPoint>& list) {
    FitReport r;
    r.name = std::string("attention ") + ringsim::name_of(pass);
    for (const AttentionPoint& p : list) r.residuals.push_back({p.source, predicted_s(p) / p.time.median_s - 1});
    summarise(r);
    const AttentionRange range = *range_of(list);
    r.range = fmt::format("rows {}, columns {}, heads {}, head dimension {}", text_of(range.rows),
                          text_of(range.columns), text_of(range.heads), text_of(range.dims));
    return r;
  }

  // Of the kernels that reach half of the rate or more: what small ones miss belongs to half_depth and half_rows. Of all
  // where hardly one does.
  [[nodiscard]] double scatter_of_rate(Pass pass, const FitReport& report, const std::vector<AttentionPoint>& list) {
    const double rate = in_flop_per_second(cost_of(profile_, pass).saturated.value);
    FitReport fast;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const AttentionPoint& p = list[i];
      const double counted = in_flop(attention_flop(p.heads, pass, p.shape.entries));
      if (counted / p.time.median_s >= rate / 2) fast.residuals.push_back(report.residuals[i]);
    }
    return scatter_95(fast.residuals.size() < 3 ? report : fast);
  }

  void put_uncertainty(Pass pass, FitReport& report, const std::vector<AttentionPoint>& list) {
    AttentionCost& cost = cost_of(profile_, pass);
    const std::string source = source_of(list, given_.source);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Entry& e = entries_[i];
      if (e.pass != pass || e.what == Unknown::launch) continue;
      const double half = half_interval(i);
      if (e.what == Unknown::log_rate) {
        double scatter = scatter_of_rate(pass, report, list);
        // As many points as parameters show no scatter: that of the base, whose other parameters these are, stands for it.
        if (list.size() < 2 && base(pass)) scatter = base(pass)->saturated.relative_uncertainty;
        for (const AttentionPoint& p : list) {
          scatter = std::max(scatter, (p.time.high_s - p.time.low_s) / (2 * p.time.median_s) /
                                          std::sqrt(static_cast<double>(list.size())));
        }
        cost.saturated = {cost.saturated.value,
                          stated_uncertainty(std::hypot(half, scatter), report.name + ", saturated", notes_),
                          given_.origin, source};
      } else {
        Calibrated<double>& value = tokens_of(cost, e.what);
        value = {
            value.value,
            value.value > 0 ? stated_uncertainty(half / value.value, report.name + ", " + name_of(e.what), notes_) : 0,
            given_.origin, source};
      }
    }
    const auto fitted = [&](Unknown what) {
      return std::any_of(entries_.begin(), entries_.end(),
                         [&](const Entry& e) { return e.pass == pass && e.what == what; });
    };
    report.parameters = {
        {"saturated", in_flop_per_second(cost.saturated.value), "FLOP/s", cost.saturated.relative_uncertainty, true},
        {"half_depth", cost.half_depth.value, "tokens", cost.half_depth.relative_uncertainty,
         fitted(Unknown::half_depth)},
        {"half_rows", cost.half_rows.value, "tokens", cost.half_rows.relative_uncertainty, fitted(Unknown::half_rows)}};
  }

  AttentionFit finish() {
    AttentionFit result;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].what != Unknown::launch) continue;
      const double value = solution_.values(static_cast<Index>(i));
      profile_.launch = {seconds(value), value > 0 ? stated_uncertainty(half_interval(i) / value, "launch", notes_) : 0,
                         given_.origin, source_of(points_, given_.source)};
      result.launch_fitted = true;
    }
    result.launch = profile_.launch;
    if (!given_.launch && !result.launch_fitted) result.launch = {{}, 0, Origin::assumed, "not determined"};
    for (const Pass pass : {Pass::forward, Pass::backward}) {
      const std::vector<AttentionPoint> list = of(pass);
      if (list.empty()) continue;
      FitReport r = report(pass, list);
      put_uncertainty(pass, r, list);
      AttentionCost cost = cost_of(profile_, pass);
      cost.sustained = known(pass).sustained;
      (pass == Pass::forward ? result.forward : result.backward) = std::move(cost);
      result.reports.push_back(std::move(r));
    }
    result.notes = notes_;
    if (!solution_.converged) result.notes.emplace_back("attention: the fit has not converged");
    return result;
  }

  const AttentionGiven& given_;
  std::vector<AttentionPoint> points_;  // forward ones first
  std::vector<Entry> entries_;
  Profile profile_;
  Solution solution_;
  std::vector<std::string> notes_;
};

}  // namespace

AttentionFit fit_attention(const std::vector<AttentionPoint>& points, const AttentionGiven& given) {
  // With the launch known the passes have nothing in common: each has a scatter of its own.
  if (!given.launch) return Fit(points, given).run();
  AttentionFit both;
  both.launch = *given.launch;
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    std::vector<AttentionPoint> list;
    for (const AttentionPoint& p : points) {
      if (p.pass == pass) list.push_back(p);
    }
    if (list.empty()) continue;
    AttentionFit one = Fit(list, given).run();
    (pass == Pass::forward ? both.forward : both.backward) = pass == Pass::forward ? one.forward : one.backward;
    both.reports.insert(both.reports.end(), one.reports.begin(), one.reports.end());
    both.notes.insert(both.notes.end(), one.notes.begin(), one.notes.end());
  }
  return both;
}

std::optional<AttentionRange> range_of(const std::vector<AttentionPoint>& points) {
  std::optional<AttentionRange> range;
  for (const AttentionPoint& p : points) {
    const auto heads = static_cast<double>(p.heads.batch * p.heads.query_heads);
    const auto dim = static_cast<double>(p.heads.query_key_dim);
    if (!range) {
      range = {{p.shape.rows, p.shape.rows}, {p.shape.columns, p.shape.columns}, {heads, heads}, {dim, dim}};
    }
    range->rows = hull(range->rows, p.shape.rows);
    range->columns = hull(range->columns, p.shape.columns);
    range->heads = hull(range->heads, heads);
    range->dims = hull(range->dims, dim);
  }
  return range;
}

}  // namespace ringsim::calibrate
