#include "calibrate/fit/isotonic.hpp"

#include <cmath>

namespace ringsim::calibrate {
namespace {

struct Pool {
  double log_mean = 0;
  double weight = 0;
  std::size_t count = 1;
};

}  // namespace

std::vector<double> isotonic(const std::vector<double>& values, const std::vector<double>& weights) {
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < values.size(); ++i) {
    pools.push_back({std::log(values[i]), weights[i], 1});
    while (pools.size() > 1 && pools[pools.size() - 2].log_mean > pools.back().log_mean) {
      const Pool last = pools.back();
      pools.pop_back();
      Pool& into = pools.back();
      const double weight = into.weight + last.weight;
      into = {(into.log_mean * into.weight + last.log_mean * last.weight) / weight, weight, into.count + last.count};
    }
  }
  std::vector<double> fitted;
  for (const Pool& pool : pools) {
    // A pool of one is its value, bit for bit.
    const double value = pool.count == 1 ? values[fitted.size()] : std::exp(pool.log_mean);
    fitted.insert(fitted.end(), pool.count, value);
  }
  return fitted;
}

}  // namespace ringsim::calibrate
