#include "cli/compared_mixes.hpp"

#include "models/error.hpp"
#include "reports/compare_figures.hpp"

#include <fmt/format.h>

#include <utility>

namespace ringsim::cli {

ComparedMixes::ComparedMixes(const scenarios::Difference& difference, sim::PredictOptions how, const sim::Prediction& a,
                             const sim::Prediction& b)
    : difference_(difference), how_(std::move(how)), key_(reports::headline_of(a).key) {
  how_.interval = false;  // many runs, of which nothing is shown
  known_[0] = outcome_of(a);
  known_[(sim::Mix{1} << difference.inputs().size()) - 1] = outcome_of(b);
}

ComparedMixes::Outcome ComparedMixes::outcome_of(const sim::Prediction& p) const {
  const reports::Headline headline = reports::headline_of(p);
  Outcome outcome{headline.seconds, in_bytes(p.memory.total)};
  if (headline.key != key_) outcome.obstacle = fmt::format("its time would be a {}", headline.name);
  return outcome;
}

ComparedMixes::Outcome ComparedMixes::run(sim::Mix of_b) const {
  try {
    return outcome_of(sim::predict(difference_.mixed(of_b), how_).prediction);
  } catch (const Error& error) {
    std::string why = error.message();
    if (!error.hint().empty()) why += fmt::format(" ({})", error.hint());
    return {0, 0, why};
  }
}

const ComparedMixes::Outcome& ComparedMixes::outcome(sim::Mix of_b) {
  const auto found = known_.find(of_b);
  return found != known_.end() ? found->second : known_.emplace(of_b, run(of_b)).first->second;
}

std::string ComparedMixes::obstacle(sim::Mix of_b) { return outcome(of_b).obstacle; }

}  // namespace ringsim::cli
