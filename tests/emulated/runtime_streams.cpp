// Streams and events.

#include "tests/emulated/include/cuda_runtime.h"
#include "tests/emulated/runtime_state.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::emulated {
namespace {

constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

// The handle is the state's address; whether there is such a state is looked up, as the handle may be anything.
template <class State, class Handle>
State& find(const std::vector<std::unique_ptr<State>>& states, Handle handle, const char* what) {
  const auto found = std::find_if(states.begin(), states.end(), [&](const auto& state) {
    return static_cast<const void*>(state.get()) == static_cast<const void*>(handle);
  });
  if (found == states.end()) throw Failure(cudaErrorInvalidResourceHandle, std::string("there never was this ") + what);
  if ((*found)->destroyed) {
    throw Failure(cudaErrorInvalidResourceHandle, std::string("this ") + what + " has been destroyed");
  }
  return **found;
}

void create_stream(cudaStream_t* stream, unsigned flags, int priority) {
  Machine& m = machine();
  auto state = std::make_unique<StreamState>();
  state->device = current_device();
  state->blocking = (flags & cudaStreamNonBlocking) == 0;
  state->priority = std::clamp(priority, greatest_priority, least_priority);
  *stream = reinterpret_cast<cudaStream_t>(state.get());
  m.streams.push_back(std::move(state));
}

bool is_default(const StreamState& stream) {
  return machine().default_streams[static_cast<std::size_t>(stream.device)].get() == &stream;
}

void record(EventState& event, StreamState& stream, unsigned flags) {
  if (event.device != stream.device) {
    throw Failure(cudaErrorInvalidResourceHandle, "event and stream are of different devices");
  }
  if (stream.capture == nullptr) {
    enqueue(stream, {Work::Kind::record, nullptr, 0, nullptr});
    event.record = stream.last;
    event.capture = nullptr;
    return;
  }
  if ((flags & cudaEventRecordExternal) != 0) {
    enqueue(stream, {Work::Kind::record, nullptr, 0, &event});
    return;
  }
  event.capture = stream.capture;
  event.nodes = stream.tail;
}

void wait(StreamState& stream, EventState& event, unsigned flags) {
  if (stream.capture != nullptr && (flags & cudaEventWaitExternal) != 0) {
    enqueue(stream, {Work::Kind::wait, nullptr, 0, &event});
    return;
  }
  if (event.capture != nullptr) {
    if (event.capture->origin == nullptr) {
      throw Failure(cudaErrorCapturedEvent, "the event was recorded in a capture that has ended");
    }
    if (is_default(stream)) throw Failure(cudaErrorStreamCaptureImplicit, "the default stream cannot be captured");
    if (stream.capture != nullptr && stream.capture != event.capture) {
      throw Failure(cudaErrorStreamCaptureMerge, "stream and event belong to different captures");
    }
    stream.capture = event.capture;
    stream.tail.insert(event.nodes.begin(), event.nodes.end());
    return;
  }
  if (stream.capture != nullptr) {
    stream.capture->broken = "a wait for an event that was recorded outside";
    throw Failure(cudaErrorStreamCaptureIsolation, "a captured stream waits for an event that was recorded outside");
  }
  if (event.record == nullptr) return;
  std::vector<OperationPointer> after = before_next(stream);
  after.push_back(event.record);
  stream.last = append({Work::Kind::wait, nullptr, 0, nullptr}, stream.device, stream.priority, std::move(after));
}

const OperationPointer& recorded(const EventState& event) {
  if (event.capture != nullptr) throw Failure(cudaErrorCapturedEvent, "the event was recorded in a capture");
  return event.record;
}

}  // namespace

StreamState& stream_of(cudaStream_t stream) {
  Machine& m = machine();
  if (stream != nullptr) return find(m.streams, stream, "stream");
  for (const auto& other : m.streams) {
    if (other->capture != nullptr && other->blocking) {
      other->capture->broken = "work on the default stream";
      throw Failure(cudaErrorStreamCaptureImplicit, "the default stream waits for a stream that is being captured");
    }
  }
  return *m.default_streams[static_cast<std::size_t>(current_device())];
}

EventState& event_of(cudaEvent_t event) { return find(machine().events, event, "event"); }

std::vector<OperationPointer> before_next(const StreamState& stream) {
  const Machine& m = machine();
  std::vector<OperationPointer> after{stream.last};
  if (is_default(stream)) {
    for (const auto& other : m.streams) {
      if (other->blocking && other->device == stream.device) after.push_back(other->last);
    }
  } else if (stream.blocking) {
    after.push_back(m.default_streams[static_cast<std::size_t>(stream.device)]->last);
  }
  return after;
}

void enqueue(StreamState& stream, Work work, std::optional<int> priority) {
  const int urgency = priority.value_or(stream.priority);
  if (stream.capture != nullptr) {
    stream.capture->nodes.push_back(
        {std::move(work), stream.device, urgency, {stream.tail.begin(), stream.tail.end()}});
    stream.tail = {stream.capture->nodes.size() - 1};
    return;
  }
  stream.last = append(std::move(work), stream.device, urgency, before_next(stream));
}

}  // namespace ringsim::emulated

namespace emulated = ringsim::emulated;

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return emulated::call("cudaDeviceGetStreamPriorityRange", [&] {
    *least = emulated::least_priority;
    *greatest = emulated::greatest_priority;
  });
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return emulated::call("cudaStreamCreateWithPriority", [&] { emulated::create_stream(stream, flags, priority); });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return emulated::call("cudaStreamGetPriority", [&] { *priority = emulated::stream_of(stream).priority; });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return emulated::call("cudaStreamDestroy", [&] {
    emulated::StreamState& state = emulated::stream_of(stream);
    emulated::refuse_in_capture(state, "destroying its stream");
    // What has been enqueued is still executed.
    state.destroyed = true;
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return emulated::call("cudaStreamSynchronize", [&] {
    emulated::StreamState& state = emulated::stream_of(stream);
    emulated::refuse_in_capture(state, "waiting for its stream");
    for (const emulated::OperationPointer& operation : emulated::before_next(state)) emulated::wait_for(operation);
  });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  bool done = false;
  const cudaError_t status = emulated::call("cudaStreamQuery", [&] {
    emulated::StreamState& state = emulated::stream_of(stream);
    emulated::refuse_in_capture(state, "asking about its stream");
    emulated::one_more();
    done = state.last == nullptr || state.last->done;
  });
  return status == cudaSuccess && !done ? cudaErrorNotReady : status;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return emulated::call("cudaStreamWaitEvent",
                        [&] { emulated::wait(emulated::stream_of(stream), emulated::event_of(event), flags); });
}
cudaError_t cudaDeviceSynchronize() {
  return emulated::call("cudaDeviceSynchronize", [] {
    emulated::refuse_while_capturing("waiting for the device");
    emulated::wait_for_device(emulated::current_device());
  });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return emulated::call("cudaLaunchHostFunc", [&] {
    emulated::enqueue(emulated::stream_of(stream),
                      {emulated::Work::Kind::host_function, [=] { function(data); }, 0, nullptr});
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return emulated::call("cudaEventCreateWithFlags", [&] {
    emulated::Machine& m = emulated::machine();
    auto state = std::make_unique<emulated::EventState>();
    state->device = emulated::current_device();
    state->timing = (flags & cudaEventDisableTiming) == 0;
    *event = reinterpret_cast<cudaEvent_t>(state.get());
    m.events.push_back(std::move(state));
  });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return emulated::call("cudaEventDestroy", [&] { emulated::event_of(event).destroyed = true; });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return emulated::call("cudaEventRecord",
                        [&] { emulated::record(emulated::event_of(event), emulated::stream_of(stream), flags); });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return emulated::call("cudaEventSynchronize",
                        [&] { emulated::wait_for(emulated::recorded(emulated::event_of(event))); });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  bool done = false;
  const cudaError_t status = emulated::call("cudaEventQuery", [&] {
    const emulated::OperationPointer record = emulated::recorded(emulated::event_of(event));
    emulated::one_more();
    done = record == nullptr || record->done;
  });
  return status == cudaSuccess && !done ? cudaErrorNotReady : status;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t first, cudaEvent_t second) {
  return emulated::call("cudaEventElapsedTime", [&] {
    const emulated::EventState& a = emulated::event_of(first);
    const emulated::EventState& b = emulated::event_of(second);
    if (!a.timing || !b.timing || a.record == nullptr || b.record == nullptr || a.device != b.device) {
      throw emulated::Failure(cudaErrorInvalidResourceHandle,
                              "times are between two recorded timing events of one device");
    }
    const emulated::OperationPointer& begin = emulated::recorded(a);
    const emulated::OperationPointer& end = emulated::recorded(b);
    if (!begin->done || !end->done) throw emulated::Failure(cudaErrorNotReady, "an event has not happened yet");
    *milliseconds = static_cast<float>(1e3 * (end->end_s - begin->end_s));
  });
}
