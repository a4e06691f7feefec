#pragma once
// What a run costs: GPU-hours, money and energy; of the GPUs that work, and of those that the cluster holds beside them.
//
//   GPU-hours = GPUs · time        cost = GPU-hours · price an hour        energy cost = energy · price a kilowatt-hour
//   energy = Σ GPUs · (P_idle + (P_full - P_idle) · busy) · time
//
// busy: share of the time in which a GPU computes, on average over the used ones; idle GPUs have 0. Assumed: power is linear in
// it, a transfer alone takes no more than waiting, and a kernel draws the board's limit. That is an upper bound for kernels that
// are bound by memory. Where no idle power is known, used GPUs count with P_full all the time (an upper bound, said in the
// source) and idle ones are not counted. Hosts, switches and cooling are not modelled.

#include "models/scenario.hpp"

#include <optional>
#include <string>

namespace ringsim {

struct Spending {
  double gpu_hours = 0;               // of the used GPUs
  double idle_gpu_hours = 0;          // of the cluster's other GPUs
  std::optional<double> cost;         // of `gpu_hours`; absent: no price
  std::optional<double> idle_cost;    // of `idle_gpu_hours`
  std::optional<Energy> energy;       // of the used GPUs; absent: no power is known
  std::optional<Energy> idle_energy;  // of the others; absent: no idle power is known, or all are used
  std::string energy_source;          // where the powers come from, and what was assumed
  std::optional<double> energy_cost;  // of `energy`; absent: no price of a kilowatt-hour
};

[[nodiscard]] Spending spending_of(const Scenario& scenario, Duration time, double busy);

}  // namespace ringsim
