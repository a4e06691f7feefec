#include "bench/report/machine_text.hpp"

#include "bench/report/quantities.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ringsim::bench {
namespace {

std::string caches_of(const Machine& machine) {
  std::string text;
  for (const Cache& cache : machine.caches) {
    if (cache.type == "Instruction") continue;
    text += fmt::format("{}L{} {}", text.empty() ? "" : ", ", cache.level, bytes_text(cache.bytes));
    if (cache.sharing > 1) text += fmt::format(" (of {} cores)", cache.sharing);
  }
  return text;
}

}  // namespace

std::string description_of(const Machine& machine) {
  const std::string caches = caches_of(machine);
  return fmt::format("{} core{}, {:.0f} MHz, {}", machine.cpus, machine.cpus == 1 ? "" : "s", machine.mhz,
                     caches.empty() ? "caches not known" : caches);
}

std::vector<std::string> differences_of(const Machine& before, const Machine& after) {
  std::vector<std::string> all;
  const auto compare = [&](std::string_view what, const std::string& a, const std::string& b) {
    if (a != b)
      all.push_back(fmt::format("{} {} -> {}", what, a.empty() ? "not known" : a, b.empty() ? "not known" : b));
  };
  compare("cores", fmt::format("{}", before.cpus), fmt::format("{}", after.cpus));
  if (std::abs(before.mhz - after.mhz) > 0.05 * before.mhz) {
    compare("MHz", fmt::format("{:.0f}", before.mhz), fmt::format("{:.0f}", after.mhz));
  }
  compare("caches", caches_of(before), caches_of(after));
  compare("build", before.build, after.build);
  compare("build of Google Benchmark", before.library_build, after.library_build);
  // Its name is nobody's business; that it is another is.
  if (before.host != after.host && !before.host.empty() && !after.host.empty()) all.emplace_back("another host");
  return all;
}

}  // namespace ringsim::bench
