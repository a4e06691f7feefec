#include "bench/report/comparison.hpp"

#include "bench/report/machine_text.hpp"
#include "bench/report/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace ringsim::bench {
namespace {

std::string about_machines(const Machine& before, const Machine& after) {
  const std::vector<std::string> differences = differences_of(before, after);
  if (differences.empty()) {
    return fmt::format("The machines are alike: {}.\n", description_of(before)) +
           "Times may be compared as far as both were as quiet; ratios were taken within a run.\n";
  }
  return fmt::format("The machines differ: {}.\n", fmt::join(differences, "; ")) +
         "Only ratios, which were taken within a run, may be compared; times may not.\n";
}

std::string line_of(const Measured& before, const Measured& after, std::size_t width) {
  std::string text = fmt::format("{:{}}  {:>9}  {:>9}  {:>7}\n", before.name, width, time_text(before.time_s),
                                 time_text(after.time_s), ratio_text(after.time_s / before.time_s));
  for (const auto& [name, value] : before.counters) {
    const auto now = after.counters.find(name);
    if (!is_ratio(name) || now == after.counters.end()) continue;
    text += fmt::format("  {:{}}  {:>9}  {:>9}\n", name, width - 2, ratio_text(value), ratio_text(now->second));
  }
  return text;
}

std::string names_of(std::string_view title, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  return fmt::format("\n{}:\n  {}\n", title, fmt::join(names, "\n  "));
}

}  // namespace

std::string comparison_of(const Run& before, const Run& after) {
  std::vector<std::string> old_alone;
  std::vector<std::string> new_alone;
  std::vector<std::string> failed;
  std::vector<const Measured*> both;
  std::size_t width = 9;
  for (const Measured& m : before.measured) {
    const Measured* now = after.find(m.name);
    if (now == nullptr) {
      old_alone.push_back(m.name);
    } else if (!m.failure.empty() || !now->failure.empty()) {
      const bool old = !m.failure.empty();
      failed.push_back(fmt::format("{} ({}): {}", m.name, old ? "old" : "new", old ? m.failure : now->failure));
    } else {
      both.push_back(&m);
      width = std::max(width, m.name.size());
      for (const auto& [name, value] : m.counters) width = std::max(width, is_ratio(name) ? name.size() + 2 : 0);
    }
  }
  for (const Measured& m : after.measured) {
    if (before.find(m.name) == nullptr) new_alone.push_back(m.name);
  }
  std::string text = about_machines(before.machine, after.machine);
  if (!both.empty()) {
    text += fmt::format("\n{:{}}  {:>9}  {:>9}  {:>7}\n", "benchmark", width, "old", "new", "new/old");
  }
  for (const Measured* m : both) text += line_of(*m, *after.find(m->name), width);
  return text + names_of("Only in the old run", old_alone) + names_of("Only in the new run", new_alone) +
         names_of("Failed", failed);
}

}  // namespace ringsim::bench
