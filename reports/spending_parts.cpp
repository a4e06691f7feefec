#include "reports/spending_parts.hpp"

#include "reports/beyond_ring.hpp"
#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <string>

namespace ringsim::reports {
namespace {

using Printed = std::string (*)(double);

std::string amount_text(double amount, Printed printed, const std::optional<double>& for_a_million) {
  return printed(amount) + (for_a_million ? fmt::format(", {} a million tokens", printed(*for_a_million)) : "");
}

}  // namespace

std::optional<double> per_million_tokens(const sim::Prediction& p, double amount) {
  const double tokens = tokens_of_run(p);
  return tokens > 0.0 ? std::optional(amount * 1e6 / tokens) : std::nullopt;
}

Fields spending_fields(const sim::Prediction& p, const Scenario& s) {
  const std::string at_least = p.makespan_is_bound ? "at least " : "";
  Fields fields;
  const auto add = [&](const char* label, double amount, Printed printed, const std::string& note) {
    fields.emplace_back(label, at_least + amount_text(amount, printed, per_million_tokens(p, amount)) + note);
  };
  add("GPU-hours", p.gpu_hours, human_number,
      p.idle_gpus > 0
          ? fmt::format("; {} idle GPU{} not counted", human_count(p.idle_gpus), p.idle_gpus == 1 ? "" : "s")
          : "");
  if (p.cost && s.price_per_gpu_hour) {
    add("price", *p.cost, human_money, fmt::format("; at {} a GPU-hour", human_money(*s.price_per_gpu_hour)));
  }
  if (p.energy_joules) {
    add("energy", *p.energy_joules, human_energy, p.energy_source.empty() ? "" : "; " + p.energy_source);
  }
  if (p.energy_cost && s.price_per_kilowatt_hour) {
    add("price of energy", *p.energy_cost, human_money,
        fmt::format("; at {} a kWh", human_money(*s.price_per_kilowatt_hour)));
  }
  return fields;
}

}  // namespace ringsim::reports
