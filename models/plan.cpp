#include "models/plan.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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

namespace {

// An axis by its name here, or by the short name of Megatron-LM and its kin; what is neither is none.
std::optional<Axis> axis_named(std::string_view word) {
  for (const Axis axis : all_axes) {
    if (name_of(axis) == word || short_name_of(axis) == word) return axis;
  }
  return std::nullopt;
}

}  // namespace

std::string_view short_name_of(Axis axis) {
  switch (axis) {
    case Axis::tensor:
      return "tp";
    case Axis::ulysses:
      return "up";
    case Axis::ring:
      return "cp";
    case Axis::pipeline:
      return "pp";
    case Axis::data:
      break;
  }
  return "dp";
}

std::array<Axis, 5> parse_order(std::string_view text) {
  const Error wrong(fmt::format("\"{}\" is not an order of the five degrees", text), "parallel.order",
                    "each of tensor, ulysses, ring, pipeline, data once, joined by '-', innermost first; or "
                    "tp-cp-ep-dp-pp and the like");
  std::vector<Axis> order;
  bool short_names = false;
  std::string_view rest = text;
  while (true) {
    const std::size_t dash = rest.find('-');
    const std::string_view word = rest.substr(0, dash);
    const std::optional<Axis> axis = axis_named(word);
    const bool expert = word == "ep";  // no degree of its own here, so it has no place to take
    if (!axis && !expert) throw wrong;
    short_names = short_names || expert || (axis && word != name_of(*axis));
    if (axis) {
      if (std::find(order.begin(), order.end(), *axis) != order.end()) throw wrong;
      order.push_back(*axis);
    }
    if (dash == std::string_view::npos) break;
    rest.remove_prefix(dash + 1);
  }
  // "cp" stands for both ways of dividing tokens: Ulysses inside, the ring around it.
  const auto ring = std::find(order.begin(), order.end(), Axis::ring);
  if (short_names && ring != order.end() && std::find(order.begin(), order.end(), Axis::ulysses) == order.end()) {
    order.insert(ring, Axis::ulysses);
  }
  std::array<Axis, 5> result{};
  if (order.size() != result.size()) throw wrong;
  std::copy(order.begin(), order.end(), result.begin());
  return result;
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
