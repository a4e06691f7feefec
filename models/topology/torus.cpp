// Ways on a torus: dimension by dimension, each the shorter way round; of two equal ones upwards.
//
// GPU g has the coordinates g mod d0, (g / d0) mod d1, ... The link "gpu12.x+" leaves GPU 12 towards the next coordinate of
// the first dimension, "gpu12.x-" towards the one before; of a dimension of two both lead to the same neighbour. Dimensions
// are called x, y, z, w; of more than four d0, d1, ...

#include "models/topology/torus.hpp"

#include "models/topology/route_builder.hpp"

#include <fmt/format.h>

namespace ringsim {

std::string dimension_name(const Torus& torus, std::size_t dimension) {
  static constexpr std::string_view letters = "xyzw";
  return torus.dimensions.size() <= letters.size() ? std::string(1, letters[dimension]) : fmt::format("d{}", dimension);
}

void over_torus(RouteBuilder& route, const Cluster& cluster, const Torus& torus, std::int64_t from, std::int64_t to) {
  route.reaches(Reach::torus);
  std::int64_t at = from;
  std::int64_t stride = 1;  // between neighbours of the dimension
  for (std::size_t d = 0; d < torus.dimensions.size(); ++d) {
    const std::int64_t size = torus.dimensions[d];
    const std::int64_t target = to / stride % size;
    std::int64_t coordinate = from / stride % size;
    const std::int64_t upwards = (target - coordinate + size) % size;
    const bool up = 2 * upwards <= size;
    if (coordinate == target) {
      stride *= size;
      continue;
    }
    const std::string family = fmt::format("gpu#.{}{}", dimension_name(torus, d), up ? '+' : '-');
    while (coordinate != target) {
      route.over(family, {at}, cluster.intra_node.bandwidth);
      const std::int64_t next = (coordinate + (up ? 1 : size - 1)) % size;
      at += (next - coordinate) * stride;
      coordinate = next;
    }
    stride *= size;
  }
}

}  // namespace ringsim
