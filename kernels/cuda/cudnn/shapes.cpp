#include "kernels/cuda/cudnn/shapes.hpp"

#include "models/error.hpp"

#include <cstdint>
#include <string>

namespace ringsim::cuda::cudnn {

namespace {

template <class T>
std::string in_words(const char* name, const View<T>& view) {
  return std::string(name) + " [" + std::to_string(view.heads) + "][" + std::to_string(view.rows) + "][" +
         std::to_string(view.dim) + "]";
}

template <class T, class U>
void require_equal(const char* name, const View<T>& view, const char* other_name, const View<U>& other) {
  if (view.heads == other.heads && view.rows == other.rows && view.dim == other.dim) return;
  throw Error("attention of cuDNN: " + in_words(name, view) + " should be as " + in_words(other_name, other));
}

template <class T>
Layout layout_of(const char* name, const View<T>& view) {
  if (view.elements() <= 0) throw Error("attention of cuDNN: " + in_words(name, view) + " is empty");
  // As the graphs declare it (operation_graph.cpp): vectors of 16 bytes, but one number a row, LSE, begins at any query.
  const std::size_t alignment = view.dim == 1 ? sizeof(T) : 16;
  if (reinterpret_cast<std::uintptr_t>(view.data) % alignment != 0) {
    throw Error("attention of cuDNN: the address of " + in_words(name, view) + " is no multiple of " +
                    std::to_string(alignment),
                {}, "Let heads have a multiple of 8 elements.");
  }
  return {view.head_stride, view.dim};
}

/// What both passes have.
template <class Call>
AttentionShape common_shape(const Call& call) {
  require_equal("lse", call.lse, "one number a row of q", View<const float>{nullptr, call.q.heads, call.q.rows, 1, 0});
  if (call.o.heads != call.q.heads || call.o.rows != call.q.rows || call.v.heads != call.k.heads ||
      call.v.rows != call.k.rows || call.k.dim != call.q.dim || call.o.dim != call.v.dim || call.k.heads <= 0 ||
      call.q.heads % call.k.heads != 0) {
    throw Error("attention of cuDNN: shapes do not fit together: " + in_words("q", call.q) + ", " +
                in_words("k", call.k) + ", " + in_words("v", call.v) + ", " + in_words("o", call.o));
  }
  AttentionShape shape;
  shape.heads = call.q.heads;
  shape.kv_heads = call.k.heads;
  shape.queries = call.q.rows;
  shape.keys = call.k.rows;
  shape.dim = call.q.dim;
  shape.v_dim = call.v.dim;
  shape.causal = call.causal;
  shape.q = layout_of("q", call.q);
  shape.k = layout_of("k", call.k);
  shape.v = layout_of("v", call.v);
  shape.o = layout_of("o", call.o);
  shape.lse = layout_of("lse", call.lse);
  return shape;
}

}  // namespace

AttentionShape shape_of(const ForwardCall& call) { return common_shape(call); }

AttentionShape shape_of(const BackwardCall& call) {
  AttentionShape shape = common_shape(call);
  require_equal("d_out", call.d_out, "o", call.o);
  require_equal("dq", call.dq, "q", call.q);
  require_equal("dk", call.dk, "k", call.k);
  require_equal("dv", call.dv, "v", call.v);
  shape.d_out = layout_of("d_out", call.d_out);
  shape.dq = layout_of("dq", call.dq);
  shape.dk = layout_of("dk", call.dk);
  shape.dv = layout_of("dv", call.dv);
  return shape;
}

}  // namespace ringsim::cuda::cudnn
