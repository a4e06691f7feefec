#include "models/plan.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim {

std::string_view name_of(Axis axis) {
  switch (axis) {
    case Axis::tensor:
      return "tensor";
    case Axis::ulysses:
      return "ulysses";
    case Axis::ring:
      return "ring";
    case Axis::pipeline:
      return "pipeline";
    case Axis::data:
      break;
  }
  return "data";
}

std::int64_t Parallel::degree(Axis axis) const {
  switch (axis) {
    case Axis::tensor:
      return tensor;
    case Axis::ulysses:
      return ulysses;
    case Axis::ring:
      return ring;
    case Axis::pipeline:
      return pipeline;
    case Axis::data:
      break;
  }
  return data;
}

std::array<Axis, 5> parse_order(std::string_view text) {
  const Error wrong(fmt::format("\"{}\" is not an order of the five degrees", text), "parallel.order",
                    "each of tensor, ulysses, ring, pipeline, data once, joined by '-', innermost first");
  std::array<Axis, 5> order{};
  std::size_t found = 0;
  std::string_view rest = text;
  while (true) {
    const std::size_t dash = rest.find('-');
    const std::string_view word = rest.substr(0, dash);
    const auto* axis = std::find_if(all_axes.begin(), all_axes.end(), [&](Axis a) { return name_of(a) == word; });
    if (axis == all_axes.end() || found == order.size()) throw wrong;
    if (std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(found), *axis) !=
        order.begin() + static_cast<std::ptrdiff_t>(found)) {
      throw wrong;
    }
    order[found++] = *axis;
    if (dash == std::string_view::npos) break;
    rest.remove_prefix(dash + 1);
  }
  if (found != order.size()) throw wrong;
  return order;
}

std::string format_order(const std::array<Axis, 5>& order) {
  std::string text;
  for (const Axis axis : order) text += fmt::format("{}{}", text.empty() ? "" : "-", name_of(axis));
  return text;
}

std::int64_t gpu_of(const Parallel& p, std::int64_t tensor, std::int64_t ulysses, std::int64_t ring,
                    std::int64_t pipeline, std::int64_t data) {
  std::int64_t index = 0;
  std::int64_t stride = 1;
  for (const Axis axis : p.order) {
    const std::int64_t coordinate = axis == Axis::tensor     ? tensor
                                    : axis == Axis::ulysses  ? ulysses
                                    : axis == Axis::ring     ? ring
                                    : axis == Axis::pipeline ? pipeline
                                                             : data;
    index += coordinate * stride;
    stride *= p.degree(axis);
  }
  return p.gpus.empty() ? index : p.gpus[static_cast<std::size_t>(index)];
}

}  // namespace ringsim
