#include "kernels/host/mpi/check.hpp"

#include "kernels/host/check.hpp"

#include <vector>

namespace ringsim::host {

template <class T>
std::map<std::string, double> deviations(const Communicator& ranks, const RingPlan& plan, const Rank<T>& rank,
                                         std::uint64_t seed) {
  const auto itself = [](double x) { return x; };
  return deviations(plan, seed, itself, [&](std::int64_t layer) {
    const BlockView<const T> output = rank.output(layer);
    const BlockView<const T> gradient = rank.gradient(layer);
    std::vector<double> own;
    for (const HeadsView<const T>& tensor : {output.o, output.lse, gradient.q, gradient.k, gradient.v}) {
      own.insert(own.end(), tensor.data, tensor.data + tensor.elements());
    }
    return ranks.gather(own);
  });
}

template std::map<std::string, double> deviations(const Communicator&, const RingPlan&, const Rank<float>&,
                                                  std::uint64_t);
template std::map<std::string, double> deviations(const Communicator&, const RingPlan&, const Rank<double>&,
                                                  std::uint64_t);

}  // namespace ringsim::host
