#include "calibrate/paced_links.hpp"

#include <fmt/format.h>

#include <charconv>

namespace ringsim::calibrate {
namespace {

constexpr std::string_view beginning = "paced-";
constexpr std::string_view unit = "-gb";
constexpr std::string_view by_copy_engine = "-copy-engine";

}  // namespace

std::string paced_link_class(double bytes_per_s, TransferEngine engine) {
  return fmt::format("{}{:g}{}{}", beginning, bytes_per_s / 1e9, unit,
                     engine == TransferEngine::copy_engine ? by_copy_engine : std::string_view());
}

std::optional<Bandwidth> paced_rate(std::string_view link_class) {
  if (link_class.ends_with(by_copy_engine)) link_class.remove_suffix(by_copy_engine.size());
  if (!link_class.starts_with(beginning) || !link_class.ends_with(unit)) return std::nullopt;
  link_class.remove_prefix(beginning.size());
  link_class.remove_suffix(unit.size());
  double gigabytes = 0;
  const char* end = link_class.data() + link_class.size();
  const auto [stop, failure] = std::from_chars(link_class.data(), end, gigabytes);
  if (failure != std::errc() || stop != end || !(gigabytes > 0)) return std::nullopt;
  return bytes_per_second(1e9 * gigabytes);
}

}  // namespace ringsim::calibrate
