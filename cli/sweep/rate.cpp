#include "cli/sweep/rate.hpp"

#include "reports/humanise.hpp"

#include <fmt/format.h>

namespace ringsim::cli {

SweepRate::SweepRate(std::int64_t first, std::int64_t points) : points_(points), samples_{{Clock::now(), first}} {}

std::optional<std::pair<double, std::string>> SweepRate::line(std::int64_t done) {
  constexpr auto often = std::chrono::milliseconds(100);
  constexpr std::size_t kept = 100;  // ten seconds
  const auto now = Clock::now();
  if (now - samples_.back().at < often) return std::nullopt;
  samples_.push_back({now, done});
  if (samples_.size() > kept) samples_.pop_front();
  const double seconds = std::chrono::duration<double>(now - samples_.front().at).count();
  const double rate = static_cast<double>(done - samples_.front().done) / seconds;
  return std::pair(static_cast<double>(done) / static_cast<double>(points_), rate_text(done, points_, rate));
}

std::string rate_text(std::int64_t done, std::int64_t points, double points_per_s) {
  std::string text = fmt::format("{} of {} points", reports::human_count(done), reports::human_count(points));
  if (!(points_per_s > 0)) return text;
  text += fmt::format(", {} points/s", reports::human_number(points_per_s));
  if (done < points) {
    text += fmt::format(", {} left", reports::human_time(static_cast<double>(points - done) / points_per_s));
  }
  return text;
}

}  // namespace ringsim::cli
