#pragma once
// A graph of operations: captured once, launched as one.

#include "kernels/cuda/error.hpp"

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>

namespace ringsim::cuda {

class Graph {
 public:
  /// Captures what `enqueue()` puts on `stream` and on streams that wait for an event recorded in it; `stream` must have waited
  /// for those at the end. Nothing is executed. An exception of enqueue() ends the capture and goes on.
  template <class Enqueue>
  Graph(cudaStream_t stream, const Enqueue& enqueue) {
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    cudaGraph_t graph = nullptr;
    try {
      enqueue();
    } catch (...) {
      if (cudaStreamEndCapture(stream, &graph) == cudaSuccess) static_cast<void>(cudaGraphDestroy(graph));
      static_cast<void>(cudaGetLastError());
      throw;
    }
    check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    cudaError_t status = cudaGraphGetNodes(graph, nullptr, &nodes_);
    if (status == cudaSuccess) status = cudaGraphInstantiate(&executable_, graph, 0);
    static_cast<void>(cudaGraphDestroy(graph));
    check(status, "cudaGraphInstantiate");
  }
  Graph(Graph&& other) noexcept : executable_(std::exchange(other.executable_, nullptr)), nodes_(other.nodes_) {}
  Graph& operator=(Graph&& other) noexcept {
    std::swap(executable_, other.executable_);
    std::swap(nodes_, other.nodes_);
    return *this;
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() {
    if (executable_ != nullptr) static_cast<void>(cudaGraphExecDestroy(executable_));
  }
  void launch(cudaStream_t stream) const { check(cudaGraphLaunch(executable_, stream), "cudaGraphLaunch"); }
  [[nodiscard]] std::size_t nodes() const { return nodes_; }

 private:
  cudaGraphExec_t executable_ = nullptr;
  std::size_t nodes_ = 0;
};

}  // namespace ringsim::cuda
