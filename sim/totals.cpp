#include "sim/totals.hpp"

#include "sim/totals_passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>

namespace ringsim::sim {
namespace {

// Calls visit(hops, begin, n) for runs of the ranks [begin, end) whose hops lie one behind the other in their arrays: where those that
// come in are the ones of rank r - 1, rank 0, whose hop comes from the last rank, is a run of its own.
template <class Event, class Visit>
void for_each_run(const Event& event, std::int64_t begin, std::int64_t end, const Visit& visit) {
  const double* start = event.hop_start.data();
  const double* stop = event.hop_end.data();
  if (event.in_start != nullptr) {
    visit(HopArrays{start + begin, stop + begin, event.in_start + begin, event.in_end + begin}, begin, end - begin);
    return;
  }
  const std::int64_t last = event.hop_start.size() - 1;
  if (begin == 0) visit(HopArrays{start, stop, start + last, stop + last}, 0, 1);
  const std::int64_t rest = std::max<std::int64_t>(begin, 1);
  if (rest < end) visit(HopArrays{start + rest, stop + rest, start + rest - 1, stop + rest - 1}, rest, end - rest);
}

}  // namespace

TotalsObserver::TotalsObserver(std::int64_t ranks, std::size_t roles) : roles_(roles), ranks_(ranks) {}

void TotalsObserver::on_start(std::int64_t ranks) {
  if (ranks == ranks_) return;
  ranks_ = ranks;
  for (Eigen::ArrayXd* sum : sums()) sum->setZero(size());
}

namespace {
constexpr std::size_t own_sums = 8;  // beside those by name
}

std::vector<Eigen::ArrayXd*> TotalsObserver::sums() {
  std::vector<Eigen::ArrayXd*> all = {&attention_,  &merge_, &dense_,  &exposed_,
                                      &collective_, &late_,  &masked_, &in_flight_};
  for (auto& [name, seconds] : spent_) all.push_back(&seconds);
  for (Eigen::ArrayXd* sum : all) {
    if (sum->size() == 0) sum->setZero(size());
  }
  return all;
}

void TotalsObserver::on_mark(std::size_t level) { marked_.mark(level, sums()); }

void TotalsObserver::on_jump(std::size_t level, double times, const LoopStretch& /*over*/) {
  marked_.jump(level, times, sums());
}

void TotalsObserver::on_compute(const ComputeEvent& event) {
  Eigen::ArrayXd& kind = event.dense != nullptr ? dense_ : event.attention ? attention_ : merge_;
  add_spans(event.start.data(), event.end.data(), ranks_, of(kind, event.role).data());
}

void TotalsObserver::on_transfer(const TransferEvent& event) {
  double* sum = of(in_flight_, event.role).data();
  for_each_run(event, 0, ranks_,
               [&](const HopArrays& hops, std::int64_t begin, std::int64_t n) { add_in_flight(hops, n, sum + begin); });
}

void TotalsObserver::on_collective(const CollectiveEvent& event) {
  of(in_flight_, event.role) += event.end - event.start;
  if (event.computes) {
    of(exposed_, event.role) += event.end - event.start;
    of(collective_, event.role) += event.end - event.start;
    of(late_, event.role) += event.start - event.posted;
  }
  const std::string& name = event.traffic != nullptr ? event.traffic->name : event.send->name;
  auto known = std::find_if(spent_.begin(), spent_.end(), [&](const auto& one) { return one.first == name; });
  if (known == spent_.end()) {
    spent_.emplace_back(name, Eigen::ArrayXd::Zero(size()));
    known = std::prev(spent_.end());
  }
  of(known->second, event.role) += event.end - event.start;
}

std::vector<TotalsObserver::Spent> TotalsObserver::spent_in_collectives() const {
  std::vector<Spent> all;
  std::size_t number = own_sums;
  for (const auto& [name, seconds] : spent_) all.push_back({name, marked_.total(number++, seconds).maxCoeff()});
  return all;
}

void TotalsObserver::on_wait(const WaitEvent& event) {
  if ((event.until == event.from).all()) return;  // most waits of a ring whose hops hide: all that is added is 0
  double* exposed = of(exposed_, event.role).data();
  double* late = of(late_, event.role).data();
  double* masked = of(masked_, event.role).data();
  const double* from = event.from.data();
  const double* until = event.until.data();
  for (const SegmentCost& s : event.segments) {
    if (s.masked) {
      add_spans(from + s.begin, until + s.begin, s.end - s.begin, masked + s.begin);
      continue;
    }
    for_each_run(event, s.begin, s.end, [&](const HopArrays& hops, std::int64_t begin, std::int64_t n) {
      add_wait(from + begin, until + begin, hops, n, exposed + begin, late + begin);
    });
  }
}

std::vector<RankSummary> TotalsObserver::summaries(const RunResult& result) const {
  std::vector<RankSummary> all;
  all.reserve(result.end_s.size());
  std::size_t number = 0;
  const auto total = [&](const Eigen::ArrayXd& now) {
    const std::size_t i = number++;
    return now.size() == 0 ? Eigen::ArrayXd(Eigen::ArrayXd::Zero(size())) : marked_.total(i, now);
  };
  const Eigen::ArrayXd attention = total(attention_), merge = total(merge_), dense = total(dense_);
  const Eigen::ArrayXd exposed = total(exposed_), collective = total(collective_), late = total(late_);
  const Eigen::ArrayXd masked = total(masked_), in_flight = total(in_flight_);
  const std::size_t ring = result.end_s.size() / roles_;
  const auto told = static_cast<std::size_t>(ranks_);
  for (std::size_t r = 0; r < result.end_s.size(); ++r) {
    // A rank that another one stands for has that one's figures.
    if (r % ring >= told && result.end_s[r] == result.end_s[r - told] &&
        result.start_s[r] == result.start_s[r - told]) {
      all.push_back(all[r - told]);
      all.back().rank = static_cast<std::int64_t>(r);
      continue;
    }
    const auto i = static_cast<Eigen::Index>(r / ring * told + r % ring % told);
    RankSummary s;
    s.rank = static_cast<std::int64_t>(r);
    s.stage = static_cast<std::int64_t>(r / ring);
    s.attention_s = attention[i];
    s.merge_s = merge[i];
    s.dense_s = dense[i];
    s.compute_s = attention[i] + merge[i] + dense[i];
    s.collective_s = collective[i];
    s.exposed_communication_s = exposed[i];
    s.bubble_masked_s = masked[i];
    s.bubble_late_s = late[i] + result.start_s[r];
    s.end_s = result.end_s[r];
    s.bubble_end_s = result.makespan_s - s.end_s;
    s.bubble_s = s.bubble_masked_s + s.bubble_late_s + s.bubble_end_s;
    s.in_flight_s = in_flight[i];
    settle_rounding(s.compute_s, s.exposed_communication_s, s.bubble_s, result.makespan_s);
    all.push_back(s);
  }
  return all;
}

void settle_rounding(double& a, double& b, double& c, double total) {
  const double off = ((a + b) + c) - total;
  if (!std::isfinite(total)) return;  // nothing adds up to it; whoever asked refuses the result
  if (!(std::abs(off) <= 1e-9 * std::abs(total))) {
    throw std::logic_error(
        fmt::format("compute {} + exposed {} + bubble {} misses the makespan {} by {}", a, b, c, total, off));
  }
  // The largest part can take the rounding without changing its meaning; a part that is zero stays zero. A part may
  // have to give way to another: where c ends half-way between two values of the sum, a and b reach only every second
  // total.
  std::array<double*, 3> parts = {&a, &b, &c};
  std::sort(parts.begin(), parts.end(), [](const double* x, const double* y) { return *x > *y; });
  for (double* part : parts) {
    const double before = *part;
    if (before == 0) continue;
    for (const double direction : {1.0, -1.0}) {
      *part = before - off;
      for (int i = 0; i < 32; ++i) {
        if ((a + b) + c == total) return;
        *part = std::nextafter(*part, direction * std::numeric_limits<double>::infinity());
      }
    }
    *part = before;
  }
  if ((a + b) + c != total) throw std::logic_error(fmt::format("no rounding of {} + {} + {} gives {}", a, b, c, total));
}

}  // namespace ringsim::sim
