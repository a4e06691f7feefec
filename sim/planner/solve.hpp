#pragma once
// Inverse questions to a scenario's own plan: which value of one quantity meets a condition.
//
//   bandwidth   least bandwidth of a NIC, one way, at which the exposed communication of the slowest rank is at most a share of the
//               makespan, and the time at most a limit
//   tokens      longest context that fits in memory and meets the limit; shortest one at which communication is hidden
//   ring        largest ring at which communication is hidden; smallest one that fits and meets the limit
//   break-even  lengths at which one of two plans becomes the faster one
//
// Answers are values that were predicted: `answer` holds, `fails` (the next value tried on the other side) does not. Conditions need
// not be monotone (a contest for SMs is not): threshold.hpp says what was looked at.

#include "models/scenario.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::sim {

struct SolveOptions {
  std::optional<double> most_exposed;  // share of the makespan
  std::optional<double> most_time_s;
  std::int64_t most_gpus = 0;  // ring: 0: those of the cluster
  std::size_t threads = 0;
  std::uint64_t seed = 0;
};

/// A predicted point.
struct SolvePoint {
  double x = 0;  // bandwidth [B/s], tokens, or ranks of a ring
  double time_s = 0;
  double exposed_share = 0;
  bool fits = true;    // in memory
  bool holds = false;  // what is asked for
  std::int64_t gpus = 0;
  std::string why_not;  // not predicted: a rule forbids it
};

struct BandwidthAnswer {
  std::string link_class;
  double now_bytes_per_s = 0;
  SolvePoint now;
  std::optional<double> answer_bytes_per_s;  // holds; absent: not even the largest bandwidth tried does
  std::optional<double> fails_bytes_per_s;   // does not; absent: the smallest tried holds
  SolvePoint at_answer;
  bool monotone = true;
  std::vector<SolvePoint> points;  // the grid, ascending
};
/// Throws Error where no message crosses nodes.
[[nodiscard]] BandwidthAnswer solve_bandwidth(const Scenario& scenario, const SolveOptions& options);

struct ContextAnswer {
  std::int64_t unit = 1;                // lengths are multiples of it
  std::optional<std::int64_t> fits;     // longest that fits; absent: none
  std::optional<std::int64_t> longest;  // that fits and meets the limit
  std::string limited_by;               // "memory", "time", "the scenario language"
  std::optional<std::int64_t> fails;    // the next length
  SolvePoint at_longest;
  std::optional<std::int64_t> hidden_from;  // shortest with communication hidden, where that was asked for
  std::optional<std::int64_t> exposed_at;   // the length below it, at which it is not
  SolvePoint at_hidden;
  bool monotone = true;  // of either condition
  std::vector<SolvePoint> points;
};
[[nodiscard]] ContextAnswer solve_tokens(const Scenario& scenario, const SolveOptions& options);

struct RingAnswer {
  std::vector<SolvePoint> points;                // all ring sizes that were tried, ascending
  std::optional<std::int64_t> largest_hidden;    // all smaller legal ones that were tried are hidden as well
  bool hidden_again = false;                     // a larger one is hidden again: not monotone
  std::optional<std::int64_t> smallest_meeting;  // fits and meets the limit, where there is one
  std::optional<std::int64_t> fastest;           // of those that fit
};
[[nodiscard]] RingAnswer solve_ring(const Scenario& scenario, const SolveOptions& options);

struct BreakEven {
  struct Crossing {
    std::int64_t before = 0;           // the last length tried at which the other plan is the faster one
    std::int64_t from = 0;             // the first at which it no longer is
    bool first_is_faster = false;      // from there on the first plan is the faster one
    double first_s = 0, second_s = 0;  // at `from`
  };
  struct Point {
    std::int64_t tokens = 0;
    double first_s = 0, second_s = 0;
  };
  std::int64_t unit = 1;
  std::int64_t shortest = 0, longest = 0;  // range that was looked at: both plans are legal and fit
  std::vector<Point> points;
  std::vector<Crossing> crossings;
};
[[nodiscard]] BreakEven break_even(const Scenario& first, const Scenario& second, const SolveOptions& options);

/// A scenario as it is, predicted. Throws Error.
[[nodiscard]] SolvePoint predict_point(const Scenario& scenario, double x, std::uint64_t seed);

}  // namespace ringsim::sim
