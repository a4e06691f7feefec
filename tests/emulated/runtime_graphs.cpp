// Capturing streams into graphs, and launching them.
//
// A capture begins on one stream; a stream that waits for an event which was recorded in it joins. Captured operations are
// nodes; a stream's tail is what its next node comes after. The capture ends on the stream where it began, which by then
// must have waited for all others.

#include "tests/emulated/include/cuda_runtime.h"
#include "tests/emulated/runtime_state.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::emulated {
namespace {

GraphState& graph_of(const void* handle) {
  for (const auto& graph : machine().graphs) {
    if (static_cast<const void*>(graph.get()) != handle) continue;
    if (graph->destroyed) throw Failure(cudaErrorInvalidResourceHandle, "this graph has been destroyed");
    return *graph;
  }
  throw Failure(cudaErrorInvalidResourceHandle, "there never was this graph");
}

GraphState& add_graph(std::vector<Node> nodes) {
  machine().graphs.push_back(std::make_unique<GraphState>());
  machine().graphs.back()->nodes = std::move(nodes);
  return *machine().graphs.back();
}

// Nodes that some other node, or the tail, does not wait for in the end, have not been joined. Nodes come after earlier ones
// only, so that one pass backwards finds all that the tail waits for.
bool all_joined(const Capture& capture, const std::set<std::size_t>& tail) {
  std::vector<bool> reached(capture.nodes.size());
  for (const std::size_t node : tail) reached[node] = true;
  for (std::size_t node = capture.nodes.size(); node-- > 0;) {
    if (!reached[node]) return false;
    for (const std::size_t before : capture.nodes[node].after) reached[before] = true;
  }
  return true;
}

void end_capture(StreamState& stream, cudaGraph_t* graph) {
  *graph = nullptr;
  const std::shared_ptr<Capture> capture = stream.capture;
  if (capture == nullptr || capture->origin != &stream) {
    throw Failure(cudaErrorStreamCaptureUnmatched, "no capture began on this stream");
  }
  const std::set<std::size_t> tail = stream.tail;
  for (const auto& member : machine().streams) {
    if (member->capture != capture) continue;
    member->capture = nullptr;
    member->tail.clear();
  }
  capture->origin = nullptr;
  if (!capture->broken.empty()) {
    throw Failure(cudaErrorStreamCaptureInvalidated, "the capture was broken by " + capture->broken);
  }
  if (!all_joined(*capture, tail)) {
    throw Failure(cudaErrorStreamCaptureUnjoined, "a stream of the capture has not been waited for");
  }
  *graph = reinterpret_cast<cudaGraph_t>(&add_graph(capture->nodes));
}

void launch_graph(GraphState& graph, StreamState& stream) {
  std::vector<OperationPointer> before = before_next(stream);
  before.push_back(graph.last_launch);
  std::vector<OperationPointer> operations;
  std::vector<bool> leaf(graph.nodes.size(), true);
  for (const Node& node : graph.nodes) {
    std::vector<OperationPointer> after;
    for (const std::size_t earlier : node.after) {
      after.push_back(operations[earlier]);
      leaf[earlier] = false;
    }
    if (node.after.empty()) after = before;
    if (node.work.kind == Work::Kind::wait) after.push_back(node.work.event->record);
    operations.push_back(append(node.work, node.device, node.priority, std::move(after)));
    if (node.work.kind == Work::Kind::record) {
      node.work.event->record = operations.back();
      node.work.event->capture = nullptr;
    }
  }
  std::vector<OperationPointer> ends;
  for (std::size_t node = 0; node < operations.size(); ++node) {
    if (leaf[node]) ends.push_back(operations[node]);
  }
  if (ends.empty()) ends = before;
  stream.last = append({}, stream.device, stream.priority, std::move(ends));
  graph.last_launch = stream.last;
}

}  // namespace

void refuse_in_capture(StreamState& stream, const char* what) {
  if (stream.capture == nullptr) return;
  stream.capture->broken = what;
  throw Failure(cudaErrorStreamCaptureUnsupported, std::string("not while capturing: ") + what);
}

void refuse_while_capturing(const char* what) {
  for (const auto& stream : machine().streams) {
    if (stream->capture != nullptr && stream->capture->mode != cudaStreamCaptureModeRelaxed) {
      refuse_in_capture(*stream, what);
    }
  }
}

}  // namespace ringsim::emulated

namespace emulated = ringsim::emulated;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return emulated::call("cudaStreamBeginCapture", [&] {
    if (stream == nullptr) {
      throw emulated::Failure(cudaErrorStreamCaptureUnsupported, "the default stream cannot be captured");
    }
    emulated::StreamState& state = emulated::stream_of(stream);
    if (state.capture != nullptr)
      throw emulated::Failure(cudaErrorInvalidValue, "the stream is being captured already");
    state.capture = std::make_shared<emulated::Capture>();
    state.capture->origin = &state;
    state.capture->mode = mode;
  });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return emulated::call("cudaStreamEndCapture", [&] { emulated::end_capture(emulated::stream_of(stream), graph); });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return emulated::call("cudaStreamIsCapturing", [&] {
    *status = cudaStreamCaptureStatusNone;
    if (stream == nullptr) return;
    const auto& capture = emulated::stream_of(stream).capture;
    if (capture == nullptr) return;
    *status = capture->broken.empty() ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusInvalidated;
  });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  return emulated::call("cudaGraphInstantiate", [&] {
    *executable = reinterpret_cast<cudaGraphExec_t>(&emulated::add_graph(emulated::graph_of(graph).nodes));
  });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return emulated::call("cudaGraphUpload", [&] {
    static_cast<void>(emulated::graph_of(executable));
    static_cast<void>(emulated::stream_of(stream));
  });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return emulated::call("cudaGraphLaunch", [&] {
    emulated::StreamState& state = emulated::stream_of(stream);
    emulated::refuse_in_capture(state, "launching a graph (not emulated)");
    emulated::launch_graph(emulated::graph_of(executable), state);
  });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return emulated::call("cudaGraphGetNodes", [&] {
    if (nodes != nullptr) throw emulated::Failure(cudaErrorNotSupported, "only the number of nodes is emulated");
    *count = emulated::graph_of(graph).nodes.size();
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return emulated::call("cudaGraphDestroy", [&] { emulated::graph_of(graph).destroyed = true; });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return emulated::call("cudaGraphExecDestroy", [&] { emulated::graph_of(executable).destroyed = true; });
}
