#include "models/block/ends.hpp"

#include "models/error.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace ringsim {
namespace {

double hidden_of(const BlockShape& shape) { return static_cast<double>(shape.model.hidden); }

// Words of a tensor rank.
double words_of(const BlockShape& shape) {
  if (!shape.model.vocabulary)
    throw Error("the size of the vocabulary is not known", "model.vocabulary", "vocabulary: 128256");
  return static_cast<double>(*shape.model.vocabulary) / static_cast<double>(shape.parallel.tensor);
}

void collective(const BlockShape& shape, std::vector<BlockStep>& steps, const std::string& what, CollectiveKind kind,
                const Rows& rows, double per_row) {
  if (shape.parallel.tensor == 1) return;
  steps.emplace_back(traffic(shape, std::string(name_of(kind)) + " of " + what, kind, Group::tensor, rows, per_row));
}

Gemm logits(const BlockShape& shape, const Rows& rows) {
  Gemm gemm = product(shape, "logits", rows, words_of(shape), hidden_of(shape));
  // Recipes keep the head in bf16, whatever the layers compute with and are stored in.
  if (gemm.dtype == Dtype::fp8) gemm.dtype = Dtype::bf16;
  gemm.matrix_bytes = std::max(shape.weight, shape.element);
  return gemm;
}

// Elements of the workload's format to fp32, or the other way round, for every word.
Elementwise loss_pass(const BlockShape& shape, const std::string& name) {
  return {name, shape.rows, bytes(words_of(shape) * (shape.element + 4)), {}};
}

constexpr double loss_statistics = 12;  // bytes a token: maximum, sum, the target's logit

}  // namespace

std::vector<BlockStep> embedding_forward(const BlockShape& shape) {
  static_cast<void>(words_of(shape));
  std::vector<BlockStep> steps{DenseWork{"embedding", {pass(shape, "embedding", shape.rows, 2 * hidden_of(shape))}}};
  collective(shape, steps, "embeddings",
             shape.divides_tokens() ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce, shape.rows,
             hidden_of(shape) * shape.element);
  return steps;
}

std::vector<BlockStep> embedding_backward(const BlockShape& shape) {
  static_cast<void>(words_of(shape));
  std::vector<BlockStep> steps;
  if (shape.divides_tokens()) {
    collective(shape, steps, "gradients of embeddings", CollectiveKind::all_gather, shape.rows,
               hidden_of(shape) * shape.element);
  }
  const Elementwise add{
      "embedding, backward", shape.rows, bytes(hidden_of(shape) * (shape.element + 2 * shape.gradient)), {}};
  steps.emplace_back(DenseWork{"embedding, backward", {add}});
  return steps;
}

std::vector<BlockStep> last_logits(const BlockShape& shape) {
  const Rows last{0, 1};
  std::vector<BlockStep> steps{
      DenseWork{"logits", {norm(shape, "last norm", last, hidden_of(shape)), logits(shape, last)}}};
  collective(shape, steps, "logits", CollectiveKind::all_gather, last,
             words_of(shape) * static_cast<double>(shape.parallel.tensor) * shape.element);
  return steps;
}

std::vector<BlockStep> loss_forward(const BlockShape& shape) {
  const double hidden = hidden_of(shape);
  DenseWork normed{"last norm", {norm(shape, "last norm", shape.divided_rows, hidden)}};
  DenseWork work{"logits and loss", {logits(shape, shape.rows), loss_pass(shape, "softmax and cross entropy")}};
  std::vector<BlockStep> steps{std::move(normed)};
  if (shape.divides_tokens())
    collective(shape, steps, "the input of the head", CollectiveKind::all_gather, shape.rows, hidden * shape.element);
  steps.emplace_back(std::move(work));
  collective(shape, steps, "the loss", CollectiveKind::all_reduce, shape.rows, loss_statistics);
  return steps;
}

std::vector<BlockStep> loss_backward(const BlockShape& shape) {
  const double hidden = hidden_of(shape);
  DenseWork work{"logits and loss, backward", {loss_pass(shape, "softmax and cross entropy, backward")}};
  for (auto& part : backward_of(shape, logits(shape, shape.rows))) work.parts.push_back(std::move(part));
  std::vector<BlockStep> steps{std::move(work)};
  collective(shape, steps, "the gradient at the head",
             shape.divides_tokens() ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce, shape.rows,
             hidden * shape.element);
  steps.emplace_back(DenseWork{"last norm, backward", {norm_backward(shape, "last norm", shape.divided_rows, hidden)}});
  return steps;
}

}  // namespace ringsim
