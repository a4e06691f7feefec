#include "bench/report/table.hpp"

#include "bench/report/machine_text.hpp"
#include "bench/report/quantities.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace ringsim::bench {
namespace {

constexpr std::string_view begin_mark = "<!-- ringsim-bench-report: the table begins -->";
constexpr std::string_view end_mark = "<!-- ringsim-bench-report: the table ends -->";

// Who is compared with, in a column of his own.
struct Peer {
  std::string_view column;
  std::string_view ratio;  // a counter
  std::string_view rate;   // the peer's own, a counter
  bool of_costs;           // our costs : his, so that the least is best: turned over
};
constexpr std::array peers = {Peer{"plain loop", "engine:plain", "plain/s", false},
                              Peer{"memory bound", "engine:memory", "memory/s", false},
                              Peer{"plain SimGrid program", "cpu_ratio", "plain/s", true}};

// What a benchmark does in a second, the first of these that it counts.
struct Work {
  std::string_view rate;  // a counter
  std::string_view unit;
};
constexpr std::array works = {Work{"rank_steps/s", "rank-steps"}, Work{"messages/s", "messages"},
                              Work{"points/s", "points"}};

// Arguments of benchmarks that do not name them themselves.
struct Family {
  std::string_view name;
  std::array<std::string_view, 3> arguments;
};
constexpr std::array families = {Family{"recurrence", {"ranks"}}, Family{"heterogeneous", {"ranks", "layers"}},
                                 Family{"lanes", {"ranks", "lanes", "jitter"}},
                                 Family{"replicas", {"ranks", "lanes", "distribution"}},
                                 Family{"thousand_replicas", {"causal", "profile"}}};

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t slash = name.find('/');
    parts.push_back(name.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    name.remove_prefix(slash + 1);
  }
}

// How it was run, not what.
bool of_the_library(std::string_view part) {
  constexpr std::array words = {"manual_time", "real_time", "process_time"};
  constexpr std::array starts = {"iterations:", "repeats:", "min_time:", "min_warmup_time:"};
  return std::find(words.begin(), words.end(), part) != words.end() ||
         std::any_of(starts.begin(), starts.end(), [&](std::string_view s) { return part.starts_with(s); });
}

// "heterogeneous/1024/126/iterations:5/manual_time": "`heterogeneous`, ranks 1024, layers 126". A label of words says more.
std::string title_of(const Measured& m) {
  const std::vector<std::string_view> parts = parts_of(m.name);
  const auto family =
      std::find_if(families.begin(), families.end(), [&](const Family& f) { return f.name == parts.front(); });
  std::string arguments;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (of_the_library(parts[i])) continue;
    const std::size_t colon = parts[i].find(':');
    std::string_view argument;
    std::string_view value = parts[i];
    if (colon != std::string_view::npos) {
      argument = value.substr(0, colon);
      value.remove_prefix(colon + 1);
    } else if (family != families.end() && i <= family->arguments.size()) {
      argument = family->arguments[i - 1];
    }
    arguments += fmt::format(", {}{}{}", argument, argument.empty() ? "" : " ", value);
  }
  std::replace(arguments.begin(), arguments.end(), '_', ' ');
  return fmt::format("`{}`{}{}", parts.front(), arguments, m.label.empty() ? "" : fmt::format(" ({})", m.label));
}

const double* counter(const Measured& m, std::string_view name) {
  const auto found = m.counters.find(std::string(name));
  return found == m.counters.end() ? nullptr : &found->second;
}

const Work* work_of(const Measured& m) {
  const auto found =
      std::find_if(works.begin(), works.end(), [&](const Work& w) { return counter(m, w.rate) != nullptr; });
  return found == works.end() ? nullptr : &*found;
}

bool of_interest(const Measured& m) {
  return m.failure.empty() &&
         std::any_of(m.counters.begin(), m.counters.end(), [](const auto& c) { return is_ratio(c.first); });
}

// "6.81 × (309 M)": times the peer, and the peer's own rate.
std::string peer_cell(const Measured& m, const Peer& peer) {
  const double* ratio = counter(m, peer.ratio);
  if (ratio == nullptr) return {};
  std::string text = ratio_text(peer.of_costs ? 1 / *ratio : *ratio) + " ×";
  if (const double* rate = counter(m, peer.rate)) text += fmt::format(" ({})", count_text(*rate));
  return text;
}

// Ratios and rates that have no column: "two:one 1.93", "observed 310 M/s".
std::string besides(const Measured& m) {
  const Work* work = work_of(m);
  const auto is_shown = [&](std::string_view name) {
    return (work != nullptr && name == work->rate) || std::any_of(peers.begin(), peers.end(), [&](const Peer& p) {
             return counter(m, p.ratio) != nullptr && (name == p.ratio || name == p.rate);
           });
  };
  std::vector<std::string> all;
  for (const auto& [name, value] : m.counters) {
    if (is_shown(name)) continue;
    if (is_ratio(name)) all.push_back(fmt::format("{} {}", name, ratio_text(value)));
    if (is_rate(name)) all.push_back(fmt::format("{} {}/s", name.substr(0, name.size() - 2), count_text(value)));
  }
  std::string text = fmt::format("{}", fmt::join(all, ", "));
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string row_of(const std::vector<std::string>& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

std::string last_line(const Machine& machine) {
  std::string text = fmt::format("Measured on {}; {}", machine.date.empty() ? "a day not known" : machine.date,
                                 description_of(machine));
  if (!machine.build.empty()) text += fmt::format("; build {}", machine.build);
  if (!machine.commit.empty()) text += fmt::format(", commit {}", machine.commit);
  if (machine.load >= 0) text += fmt::format("; load before the run {:.1f}", machine.load);
  return text + ".\n";
}

}  // namespace

std::string table_of(const Run& run, const std::string& path) {
  if (std::none_of(run.measured.begin(), run.measured.end(), of_interest)) {
    throw Error("no benchmark of this run has counted a ratio", path, "./dev bench --json FILE runs those that do");
  }
  std::vector<Peer> columns;
  for (const Peer& peer : peers) {
    const bool met = std::any_of(run.measured.begin(), run.measured.end(), [&](const Measured& m) {
      return of_interest(m) && counter(m, peer.ratio) != nullptr;
    });
    if (met) columns.push_back(peer);
  }
  std::vector<std::string> heads = {"benchmark", "a second"};
  std::vector<std::string> rules = {"---", "---:"};
  for (const Peer& peer : columns) {
    heads.emplace_back(peer.column);
    rules.emplace_back("---:");
  }
  heads.emplace_back("besides");
  rules.emplace_back("---");
  std::string text = row_of(heads) + row_of(rules);
  std::string failures;
  for (const Measured& m : run.measured) {
    if (!m.failure.empty()) failures += fmt::format("Failed: `{}`, {}.\n\n", m.name, m.failure);
    if (!of_interest(m)) continue;
    const Work* work = work_of(m);
    std::vector<std::string> cells = {
        title_of(m), work == nullptr ? time_text(m.time_s) + " a run"
                                     : fmt::format("{} {}", count_text(*counter(m, work->rate)), work->unit)};
    for (const Peer& peer : columns) cells.push_back(peer_cell(m, peer));
    cells.push_back(besides(m));
    text += row_of(cells);
  }
  return text + "\n" + failures + last_line(run.machine);
}

std::string with_table(std::string_view page, std::string_view table, const std::string& path) {
  const std::size_t begin = page.find(begin_mark);
  const std::size_t end = page.find(end_mark);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin ||
      page.find(begin_mark, begin + 1) != std::string_view::npos ||
      page.find(end_mark, end + 1) != std::string_view::npos) {
    throw Error("the two comments between which the table goes are not there, once and in order", path,
                fmt::format("they are {} and {}", begin_mark, end_mark));
  }
  return fmt::format("{}{}\n{}{}", page.substr(0, begin), begin_mark, table, page.substr(end));
}

}  // namespace ringsim::bench
