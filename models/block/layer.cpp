#include "models/block/layer.hpp"

#include "models/block/attention_projections.hpp"
#include "models/block/mlp.hpp"
#include "models/error.hpp"

#include <iterator>
#include <utility>

namespace ringsim {
namespace {

using Parts = std::vector<TwoWay>;

void append(Parts& to, Parts parts) {
  to.insert(to.end(), std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end()));
}

double hidden_of(const BlockShape& shape) { return static_cast<double>(shape.model.hidden); }

TwoWay norm_part(const BlockShape& shape, const std::string& name) {
  const Elementwise forward = norm(shape, name, shape.divided_rows, hidden_of(shape));
  return {
      .forward = DenseWork{name, {forward}},
      .backward = DenseWork{name + ", backward", {norm_backward(shape, name, shape.divided_rows, hidden_of(shape))}},
      .again = DenseWork{name + ", again", {forward}}};
}

TwoWay residual(const BlockShape& shape, const std::string& name) {
  return {.forward = DenseWork{name, {pass(shape, name, shape.divided_rows, 3 * hidden_of(shape))}},
          .backward = DenseWork{name + ", backward",
                                {pass(shape, name + ", backward", shape.divided_rows, 3 * hidden_of(shape))}}};
}

Parts before_attention(const BlockShape& shape) {
  Parts parts{norm_part(shape, "norm before attention")};
  append(parts, enter_tensor_parallel(shape, "attention"));
  append(parts, attention_input(shape));
  return parts;
}

Parts after_attention(const BlockShape& shape, std::int64_t layer) {
  if (!shape.model.feed_forward) {
    throw Error("the feed-forward part of the model is not known", "model.feed_forward",
                "its sizes, as in {intermediate: 14336}, or workload.scope: attention");
  }
  Parts parts = attention_output(shape);
  append(parts, leave_tensor_parallel(shape, "attention"));
  if (shape.model.post_norms) parts.push_back(norm_part(shape, "norm after attention"));
  parts.push_back(residual(shape, "residual of attention"));
  parts.push_back(norm_part(shape, "norm before the MLP"));
  append(parts, enter_tensor_parallel(shape, "the MLP"));
  append(parts, shape.model.is_mixture(layer) ? mixture(shape) : dense_mlp(shape));
  append(parts, leave_tensor_parallel(shape, "the MLP"));
  if (shape.model.post_norms) parts.push_back(norm_part(shape, "norm after the MLP"));
  parts.push_back(residual(shape, "residual of the MLP"));
  return parts;
}

// Dense work that follows dense work becomes one piece, since nothing comes between: "norm to MLP".
void push(std::vector<BlockStep>& steps, const BlockStep& step) {
  const auto* work = std::get_if<DenseWork>(&step);
  if (work != nullptr && work->parts.empty()) return;
  if (work != nullptr && !steps.empty()) {
    if (auto* last = std::get_if<DenseWork>(&steps.back())) {
      last->name = last->name.substr(0, last->name.find(" to ")) + " to " + work->name;
      last->parts.insert(last->parts.end(), work->parts.begin(), work->parts.end());
      return;
    }
  }
  steps.push_back(step);
}

std::vector<BlockStep> forward_of(const Parts& parts) {
  std::vector<BlockStep> steps;
  for (const TwoWay& part : parts) {
    if (part.forward) push(steps, *part.forward);
  }
  return steps;
}

std::vector<BlockStep> backward_of_parts(const Parts& parts) {
  std::vector<BlockStep> steps;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (part->backward) push(steps, *part->backward);
  }
  return steps;
}

std::vector<BlockStep> again_of(const Parts& parts) {
  std::vector<BlockStep> steps;
  for (const TwoWay& part : parts) push(steps, part.again);
  return steps;
}

}  // namespace

LayerSteps layer_forward(const BlockShape& shape, std::int64_t layer) {
  return {forward_of(before_attention(shape)), forward_of(after_attention(shape, layer))};
}

LayerSteps layer_backward(const BlockShape& shape, std::int64_t layer) {
  return {backward_of_parts(after_attention(shape, layer)), backward_of_parts(before_attention(shape))};
}

Recomputation layer_recomputation(const BlockShape& shape, std::int64_t layer, Recompute recompute) {
  if (recompute == Recompute::none) return {};
  if (recompute == Recompute::full) return {layer_forward(shape, layer), true};
  return {{again_of(before_attention(shape)), again_of(after_attention(shape, layer))}, false};
}

}  // namespace ringsim
