#include "models/spending.hpp"

#include <fmt/format.h>

namespace ringsim {
namespace {

std::string source_of(const Gpu& gpu, const char* key) {
  const auto found = gpu.sources.find(key);
  return found == gpu.sources.end() || found->second.empty() ? "source not given" : found->second;
}

}  // namespace

Spending spending_of(const Scenario& s, Duration time, double busy) {
  const auto used = static_cast<double>(s.parallel.product());
  const double idle = static_cast<double>(s.cluster.gpus()) - used;
  const double hours = in_seconds(time) / 3600.0;
  const Gpu& gpu = s.cluster.gpu;
  Spending spent;
  spent.gpu_hours = used * hours;
  spent.idle_gpu_hours = idle * hours;
  if (s.price_per_gpu_hour) {
    spent.cost = spent.gpu_hours * *s.price_per_gpu_hour;
    spent.idle_cost = spent.idle_gpu_hours * *s.price_per_gpu_hour;
  }
  if (!gpu.power) return spent;
  const Power floor = gpu.idle_power.value_or(*gpu.power);
  spent.energy = used * (floor + (*gpu.power - floor) * busy) * time;
  spent.energy_source = fmt::format("{:.4g} W at full load ({})", in_watts(*gpu.power), source_of(gpu, "power"));
  if (gpu.idle_power) {
    spent.energy_source +=
        fmt::format(", {:.4g} W idle ({}), between them by the share of time that computes ({:.1f} %)",
                    in_watts(*gpu.idle_power), source_of(gpu, "idle_power"), 100 * busy);
    if (idle > 0) spent.idle_energy = idle * *gpu.idle_power * time;
  } else {
    spent.energy_source += ", all the time, since the power of a GPU that waits is not known: an upper bound";
  }
  if (s.price_per_kilowatt_hour) spent.energy_cost = in_kilowatt_hours(*spent.energy) * *s.price_per_kilowatt_hour;
  return spent;
}

}  // namespace ringsim
