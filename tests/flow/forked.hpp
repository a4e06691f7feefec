#pragma once
// Flow-level runs for tests. A process can run one, so each has a child of its own, which says over a pipe what came of it.

#include "models/error.hpp"
#include "sim/flow/engine.hpp"
#include "sim/totals.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ringsim::sim::flow_test {

using Json = nlohmann::json;

struct Outcome {
  std::string kind;  // "fine", "error" (ringsim::Error), "broke off", "exception", "signal"
  std::string what, where, hint;
  std::vector<RunResult> rings;
  std::vector<std::vector<RankSummary>> ranks;  // of every ring
  std::int64_t messages = 0;
};

inline Json json_of(const RankSummary& s) {
  return {s.compute_s,   s.attention_s,     s.merge_s,       s.exposed_communication_s,
          s.bubble_s,    s.bubble_masked_s, s.bubble_late_s, s.bubble_end_s,
          s.in_flight_s, s.end_s,           s.dense_s,       s.collective_s};
}

inline RankSummary summary_of(const Json& j, std::int64_t rank) {
  return {rank,    j.at(0), j.at(1), j.at(2), j.at(3),  j.at(4), j.at(5),
          j.at(6), j.at(7), j.at(8), j.at(9), j.at(10), j.at(11)};
}

inline Json run_here(FlowSetup setup) {
  try {
    std::vector<std::unique_ptr<TotalsObserver>> totals;
    for (FlowRing& ring : setup.rings) {
      totals.push_back(std::make_unique<TotalsObserver>(*setup.program));
      ring.observer = totals.back().get();
    }
    const FlowResult result = run_flow(setup);
    Json rings = Json::array();
    for (std::size_t i = 0; i < result.rings.size(); ++i) {
      Json ranks = Json::array();
      for (const RankSummary& s : totals[i]->summaries(result.rings[i])) ranks.push_back(json_of(s));
      rings.push_back({{"start", result.rings[i].start_s},
                       {"end", result.rings[i].end_s},
                       {"makespan", result.rings[i].makespan_s},
                       {"ranks", ranks}});
    }
    return {{"kind", "fine"}, {"rings", rings}, {"messages", result.messages}};
  } catch (const Error& error) {
    return {{"kind", "error"}, {"what", error.message()}, {"where", error.where()}, {"hint", error.hint()}};
  } catch (const FlowBrokeOff& error) {
    return {{"kind", "broke off"}, {"what", error.what()}};
  } catch (const std::exception& error) {
    return {{"kind", "exception"}, {"what", error.what()}};
  }
}

/// What `action` returns in a child of its own; the signal that ended it where it did not end well. One that takes over a minute
/// is ended: it hangs.
template <class Action>
Json in_child(const Action& action) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    ::alarm(60);
    const std::string text = action().dump();
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t count = ::write(ends[1], text.data() + sent, text.size() - sent);
      if (count <= 0) ::_exit(3);
      sent += static_cast<std::size_t>(count);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[65536];
  for (ssize_t count = 0; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) throw std::runtime_error("no child");
  if (WIFSIGNALED(status)) return {{"kind", "signal"}, {"what", ::strsignal(WTERMSIG(status))}};
  return Json::parse(text);
}

/// Runs with a totals observer for every ring.
inline Outcome run_forked(const FlowSetup& setup) {
  const Json json = in_child([&] { return run_here(setup); });
  Outcome outcome;
  outcome.kind = json.at("kind");
  outcome.what = json.value("what", "");
  outcome.where = json.value("where", "");
  outcome.hint = json.value("hint", "");
  outcome.messages = json.value("messages", std::int64_t{0});
  for (const Json& ring : json.value("rings", Json::array())) {
    outcome.rings.push_back({ring.at("start"), ring.at("end"), ring.at("makespan")});
    auto& ranks = outcome.ranks.emplace_back();
    for (const Json& rank : ring.at("ranks")) ranks.push_back(summary_of(rank, std::ssize(ranks)));
  }
  return outcome;
}

/// Links of one bandwidth for hand-made rings: hop r of ring i over link i · ranks + r alone.
struct OwnLinks {
  std::vector<NetworkLink> links;
  std::vector<std::vector<LinkIndex>> add(std::int64_t hops, double bytes_per_s) {
    std::vector<std::vector<LinkIndex>> routes;
    for (std::int64_t r = 0; r < hops; ++r) {
      routes.push_back({links.size()});
      links.push_back({"link" + std::to_string(links.size()), bytes_per_second(bytes_per_s)});
    }
    return routes;
  }
};

/// The recurrence's result and totals, and the flow engine's, of one ring on links of its own.
struct Pair {
  Outcome recurrence, flow;
};

inline Pair both(const Program& program, const Machine& machine, double bytes_per_s, const JitterStream& compute = {},
                 const JitterStream& hops = {}) {
  Pair pair;
  TotalsObserver totals(program.ring());
  pair.recurrence.rings.push_back(RecurrenceEngine(program, {Lane{&machine, compute, hops}}).run(&totals));
  pair.recurrence.ranks.push_back(totals.summaries(pair.recurrence.rings.front()));
  OwnLinks own;
  FlowSetup setup;
  setup.program = &program;
  FlowRing ring;
  ring.machine = &machine;
  ring.routes = own.add(program.ring() > 1 ? program.ring() : 0, bytes_per_s);
  ring.compute = compute;
  ring.links = hops;
  setup.rings.push_back(ring);
  setup.links = own.links;
  pair.flow = run_forked(setup);
  return pair;
}

/// The largest difference between the two, over the makespan, of all figures of all ranks.
inline double difference(const Outcome& a, const Outcome& b) {
  if (a.ranks.empty() || b.ranks.empty() || a.ranks[0].size() != b.ranks[0].size()) return 1;
  double most = std::abs(a.rings[0].makespan_s - b.rings[0].makespan_s);
  for (std::size_t r = 0; r < a.ranks[0].size(); ++r) {
    const Json x = json_of(a.ranks[0][r]);
    const Json y = json_of(b.ranks[0][r]);
    for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i].get<double>() - y[i].get<double>()));
    most = std::max(most, std::abs(a.rings[0].end_s[r] - b.rings[0].end_s[r]));
    most = std::max(most, std::abs(a.rings[0].start_s[r] - b.rings[0].start_s[r]));
  }
  return most / a.rings[0].makespan_s;
}

}  // namespace ringsim::sim::flow_test
