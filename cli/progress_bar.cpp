#include "cli/progress_bar.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace ringsim::cli {
namespace {

constexpr std::size_t bar_columns = 24;
constexpr const char* wipe_line = "\r\x1b[K";

std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string progress_line(double done, std::string_view what, std::size_t columns) {
  constexpr std::array<const char*, 8> part = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  done = std::isfinite(done) ? std::clamp(done, 0.0, 1.0) : 0.0;
  const auto eighths = static_cast<std::size_t>(std::floor(done * static_cast<double>(8 * bar_columns)));
  std::string bar;
  for (std::size_t i = 0; i < eighths / 8; ++i) bar += "█";
  bar += part[eighths % 8];
  const std::size_t filled = eighths / 8 + (eighths % 8 != 0 ? 1 : 0);
  bar.append(bar_columns - filled, ' ');
  const std::string percent = fmt::format(" {:3.0f} %  ", std::floor(100 * done));
  const std::size_t taken = bar_columns + 2 + percent.size();
  const std::size_t left = columns > taken + 1 ? columns - taken - 1 : 0;
  return "│" + bar + "│" + percent + std::string(what.substr(0, left));
}

ProgressBar::ProgressBar() {
  const char* terminal = std::getenv("TERM");
  shown_ = ::isatty(STDERR_FILENO) != 0 && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

ProgressBar::~ProgressBar() {
  if (shown_) std::fputs(wipe_line, stderr);
}

void ProgressBar::show(double done, std::string_view what) {
  if (!shown_) return;
  const std::string line = wipe_line + progress_line(done, what, terminal_columns());
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace ringsim::cli
