#include "sim/engine_choice.hpp"

#include "models/error.hpp"
#include "sim/phrases.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::sim {

FlowNeeds flow_needs(const Scenario& s, const JobNetwork& network) {
  FlowNeeds needs;
  if (!network.contended.empty()) {
    // The link whose flows ask for most, compared with what it has.
    const auto excess = [&](const ContendedLink& c) { return c.demand / network.links.bandwidth(c.link); };
    const auto worst =
        std::max_element(network.contended.begin(), network.contended.end(),
                         [&](const ContendedLink& a, const ContendedLink& b) { return excess(a) < excess(b); });
    const std::size_t more = network.contended.size() - 1;
    needs.sharing = fmt::format(
        "{} flows meet on {}{}, with {} times what it can carry", worst->flows, network.links.name(worst->link),
        more == 0 ? "" : fmt::format(" ({} more link{} shared)", more, more == 1 ? " is" : "s are"),
        phrases::number(excess(*worst)));
  }
  const bool later = std::any_of(s.noise.slow_links.begin(), s.noise.slow_links.end(),
                                 [](const SlowLink& slow) { return slow.from > Duration{}; });
  if (later) needs.event = "noise.slow_links";
  if (!s.noise.failures.empty()) needs.event = "noise.failures";
  return needs;
}

namespace {

constexpr const char* fixed_shares = "each flow is given an equal share of a link all the time";

// Throws where interference and the flow engine meet: it has no rates that kernels slow down.
void refuse_interference(const Machine& machine) {
  if (!machine.sharing) return;
  throw Error("the flow engine does not know how kernels and transfers slow each other down, which this profile has",
              "profile.interference", "--engine recurrence, or a profile without interference");
}

EngineDecision by_recurrence(const FlowNeeds& needs, const std::string& exact, const std::string& inexact) {
  EngineDecision decision{EngineChoice::recurrence, exact, {}};
  if (needs.sharing.empty()) return decision;
  decision.note = fmt::format("{}, though not exact: {}", inexact, needs.sharing);
  decision.warning = fmt::format("{}; {}", needs.sharing, fixed_shares);
  return decision;
}

}  // namespace

EngineDecision choose_engine(EngineChoice asked, const Scenario& s, const JobNetwork& network, const Machine& machine,
                             bool flow_is_there) {
  const FlowNeeds needs = flow_needs(s, network);
  const auto refuse_event = [&](const char* engine) {
    if (needs.event.empty()) return;
    throw Error(
        fmt::format("{} cannot simulate what happens at a time of its own", engine), needs.event,
        flow_is_there ? "--engine flow" : "the flow engine, which needs SimGrid (Debian package libsimgrid-dev)");
  };
  switch (asked) {
    case EngineChoice::closed_form: {
      refuse_event("the closed form");
      if (s.noise.random()) {
        throw Error("a closed form has no random times",
                    s.noise.compute.distribution != Distribution::none ? "noise.compute" : "noise.links",
                    "--engine recurrence");
      }
      EngineDecision decision = by_recurrence(needs, "", "");
      decision.engine = EngineChoice::closed_form;
      return decision;
    }
    case EngineChoice::recurrence:
      refuse_event("the recurrence");
      return by_recurrence(needs, "as asked for; exact here, since no link has more flows than it can serve",
                           "as asked for");
    case EngineChoice::flow:
      refuse_interference(machine);
      return {EngineChoice::flow,
              needs.sharing.empty() ? "as asked for; the recurrence would give the same, faster"
                                    : "as asked for; " + needs.sharing,
              {}};
    case EngineChoice::automatic:
      break;
  }
  if (needs.sharing.empty() && needs.event.empty()) {
    return {EngineChoice::recurrence, "chosen because it is exact here: no link has more flows than it can serve", {}};
  }
  if (flow_is_there && !machine.sharing) {
    return {
        EngineChoice::flow,
        "chosen because " + (needs.sharing.empty() ? needs.event + " tells of a change during the run" : needs.sharing),
        {}};
  }
  refuse_event("the recurrence");
  return by_recurrence(needs, "",
                       machine.sharing ? "chosen because the flow engine knows no interference"
                                       : "chosen because SimGrid, which the flow engine needs, is not built in");
}

}  // namespace ringsim::sim
