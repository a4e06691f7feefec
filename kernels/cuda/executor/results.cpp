#include "kernels/cuda/executor/results.hpp"

#include <type_traits>

namespace ringsim::cuda {
namespace {

template <class T>
void append(View<T> view, std::vector<double>& all) {
  using Element = std::remove_const_t<T>;
  std::vector<Element> copy(static_cast<std::size_t>(view.elements()));
  check(cudaMemcpy(copy.data(), view.data, copy.size() * sizeof(Element), cudaMemcpyDeviceToHost), "cudaMemcpy");
  for (const Element& x : copy) all.push_back(static_cast<double>(to_float(x)));
}

}  // namespace

std::vector<double> results_of(const DeviceRank& rank, std::int64_t layer) {
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  std::vector<double> all;
  append(rank.output(layer).o, all);
  append(rank.output(layer).lse, all);
  if (!rank.trains()) return all;
  append(rank.q_gradient(layer), all);
  append(rank.key_gradient(layer).k, all);
  append(rank.key_gradient(layer).v, all);
  return all;
}

}  // namespace ringsim::cuda
