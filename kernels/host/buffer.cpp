#include "kernels/host/buffer.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <new>

namespace ringsim::host {
namespace {

constexpr std::size_t page_bytes = 4096;

// The tensors of a block of `rows` tokens, one behind the other.
template <class T>
BlockView<T> lay_out(const BlockShape& shape, T* memory, Eigen::Index rows) {
  const auto next = [&memory, rows](const TensorShape& tensor) {
    const HeadsView<T> view{memory, tensor.heads, rows, tensor.dim};
    memory += view.elements();
    return view;
  };
  // Braces evaluate from left to right.
  return {next(shape.q),     next(shape.k),   next(shape.v),    next(shape.o),
          next(shape.d_out), next(shape.lse), next(shape.delta)};
}

}  // namespace

Eigen::Index BlockShape::elements_per_token() const {
  Eigen::Index sum = 0;
  for (const TensorShape* tensor : {&q, &k, &v, &o, &d_out, &lse, &delta}) sum += tensor->heads * tensor->dim;
  return sum;
}

BlockShape key_block(const HeadShape& heads) {
  BlockShape shape;
  shape.k = {heads.batch * heads.kv_heads, heads.query_key_dim};
  shape.v = {heads.batch * heads.kv_heads, heads.value_dim};
  return shape;
}

BlockShape query_block(const HeadShape& heads) {
  BlockShape shape = query_gradient_block(heads);
  shape.d_out = {shape.q.heads, heads.value_dim};
  shape.lse = shape.delta = {shape.q.heads, 1};
  return shape;
}

BlockShape query_gradient_block(const HeadShape& heads) {
  BlockShape shape;
  shape.q = {heads.batch * heads.query_heads, heads.query_key_dim};
  return shape;
}

BlockShape output_block(const HeadShape& heads) {
  BlockShape shape;
  shape.o = {heads.batch * heads.query_heads, heads.value_dim};
  shape.lse = {shape.o.heads, 1};
  return shape;
}

template <class T>
Buffer<T>::Buffer(const BlockShape& shape, Eigen::Index rows)
    : shape_(shape), capacity_(rows * shape.elements_per_token()) {
  const std::size_t pages = (static_cast<std::size_t>(capacity_) * sizeof(T) + page_bytes - 1) / page_bytes;
  // Whole pages: a kernel of the operating system copies messages between processes, page by page.
  memory_.reset(static_cast<T*>(std::aligned_alloc(page_bytes, std::max<std::size_t>(pages, 1) * page_bytes)));
  if (memory_ == nullptr) throw std::bad_alloc();
  fill_nan();
}

template <class T>
void Buffer<T>::fill_nan() {
  std::fill_n(memory_.get(), capacity_, std::numeric_limits<T>::quiet_NaN());
}

template <class T>
BlockView<T> Buffer<T>::view(Eigen::Index rows) {
  assert(rows * shape_.elements_per_token() <= capacity_);
  return lay_out(shape_, memory_.get(), rows);
}
template <class T>
BlockView<const T> Buffer<T>::view(Eigen::Index rows) const {
  assert(rows * shape_.elements_per_token() <= capacity_);
  return lay_out<const T>(shape_, memory_.get(), rows);
}

template <class T>
std::span<T> Buffer<T>::elements(Eigen::Index rows) {
  return {memory_.get(), static_cast<std::size_t>(rows * shape_.elements_per_token())};
}
template <class T>
std::span<const T> Buffer<T>::elements(Eigen::Index rows) const {
  return {memory_.get(), static_cast<std::size_t>(rows * shape_.elements_per_token())};
}

template <class T>
void gather_rows(const Block<T>& from, const Positions& rows, BlockView<T> to) {
  const auto gather = [&rows](const Heads<T>& source, HeadsView<T> target) {
    for (Eigen::Index head = 0; head < std::min(std::ssize(source), target.heads); ++head) {
      target[head] = source[static_cast<std::size_t>(head)](rows, Eigen::all);
    }
  };
  gather(from.q, to.q);
  gather(from.k, to.k);
  gather(from.v, to.v);
  gather(from.d_out, to.d_out);
  gather(from.lse, to.lse);
  gather(from.delta, to.delta);
}

template <class T>
void scatter_rows(HeadsView<const T> from, const Positions& rows, std::int64_t tokens, Heads<T>& to) {
  to.resize(static_cast<std::size_t>(from.heads));
  for (Eigen::Index head = 0; head < from.heads; ++head) {
    Matrix<T>& target = to[static_cast<std::size_t>(head)];
    target.resize(tokens, from.dim);  // keeps what is there when the size is right
    target(rows, Eigen::all) = from[head];
  }
}

template class Buffer<float>;
template class Buffer<double>;
template void gather_rows(const Block<float>&, const Positions&, BlockView<float>);
template void gather_rows(const Block<double>&, const Positions&, BlockView<double>);
template void scatter_rows(HeadsView<const float>, const Positions&, std::int64_t, Heads<float>&);
template void scatter_rows(HeadsView<const double>, const Positions&, std::int64_t, Heads<double>&);

}  // namespace ringsim::host
