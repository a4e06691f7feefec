#pragma once
// What the emulated runtime consists of; for runtime_*.cpp alone.

#include "tests/emulated/include/emulated_cuda/types.hpp"
#include "tests/emulated/runtime.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace ringsim::emulated {

/// A failure of a call: its code, and a sentence.
struct Failure : std::runtime_error {
  Failure(cudaError_t code_, const std::string& sentence) : std::runtime_error(sentence), code(code_) {}
  cudaError_t code;
};

struct EventState;

/// What an operation does. The function runs on the CPU when its turn comes.
struct Work {
  enum class Kind { kernel, copy, fill, host_function, record, wait, nothing };
  Kind kind = Kind::nothing;
  std::function<void()> run;
  double duration_s = 0;        // modelled; a kernel's own waiting comes on top
  EventState* event = nullptr;  // of a record and of a wait in a graph
};

struct Operation {
  Work work;
  int device = 0;
  int priority = 0;  // as streams': lower is more urgent
  std::vector<std::shared_ptr<Operation>> after;
  double not_before_s = 0;  // host
  bool done = false;
  double begin_s = 0;
  double end_s = 0;
};
using OperationPointer = std::shared_ptr<Operation>;

/// A captured operation and those before it, by their numbers in the graph.
struct Node {
  Work work;
  int device = 0;
  int priority = 0;
  std::vector<std::size_t> after;
};

struct Capture;

struct StreamState {
  int device = 0;
  bool blocking = true;
  int priority = 0;
  bool destroyed = false;
  OperationPointer last;
  std::shared_ptr<Capture> capture;  // while capturing
  std::set<std::size_t> tail;        // nodes that the next captured operation comes after
};

struct EventState {
  int device = 0;
  bool timing = true;
  bool destroyed = false;
  OperationPointer record;           // the latest
  std::shared_ptr<Capture> capture;  // of the latest record, if it was captured
  std::set<std::size_t> nodes;
};

struct Capture {
  std::vector<Node> nodes;
  StreamState* origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::string broken;  // why it has been invalidated
};

struct GraphState {
  std::vector<Node> nodes;
  OperationPointer last_launch;  // a graph never runs beside itself
  bool destroyed = false;
};

struct Allocation {
  std::size_t bytes = 0;
  int device = -1;                         // -1: host
  std::unique_ptr<unsigned char[]> block;  // guard, alignment, data, guard
  unsigned char* data = nullptr;
};

/// All of it. Calls hold the mutex; operations are executed under it, in the thread that synchronises.
struct Machine {
  Settings settings;
  std::uint64_t random = 0;
  std::recursive_mutex mutex;

  std::map<const unsigned char*, Allocation> allocations;  // by their first byte
  std::vector<std::size_t> used_bytes;                     // by device
  // Kept after they are destroyed, so that handles stay different.
  std::vector<std::unique_ptr<StreamState>> streams;
  std::vector<std::unique_ptr<EventState>> events;
  std::vector<std::unique_ptr<GraphState>> graphs;
  std::vector<std::unique_ptr<StreamState>> default_streams;  // by device
  std::set<std::pair<int, int>> peers;                        // device, peer
  std::map<const void*, std::size_t> dynamic_shared_bytes;    // allowed, by kernel

  std::vector<OperationPointer> pending;  // in the order in which they were enqueued
  std::vector<double> device_end_s;       // of all that has been executed, by device
  bool executing = false;
  double host_s = 0;

  std::optional<Failure> failed;  // an operation: stays until reset
  cudaError_t last_error = cudaSuccess;
  std::string problem;
};
Machine& machine();
/// Of the calling thread, as cudaSetDevice says.
int& current_device();

/// Runs a call's body under the mutex, a host call later; a Failure becomes its return value and the last error.
cudaError_t call(const char* name, const std::function<void()>& body);

/// The state behind a handle. Throws Failure where there is none, or none any more.
StreamState& stream_of(cudaStream_t stream);
EventState& event_of(cudaEvent_t event);

/// Puts work on a stream, or into the graph that the stream is being captured into.
void enqueue(StreamState& stream, Work work, std::optional<int> priority = std::nullopt);
/// Puts an operation on the list; `after` may hold nulls.
OperationPointer append(Work work, int device, int priority, std::vector<OperationPointer> after);
/// What the stream's next operation has to wait for.
std::vector<OperationPointer> before_next(const StreamState& stream);
/// Executes operations until this one is done, and lets the host wait for it. Null: nothing to wait for.
void wait_for(const OperationPointer& operation);
/// Until nothing is left on the device; -1: on any.
void wait_for_device(int device);
/// At most one operation, so that a host that polls gets on.
void one_more();
/// What the call does not allow while capturing: breaks the capture.
void refuse_in_capture(StreamState& stream, const char* what);
void refuse_while_capturing(const char* what);

/// Throws Failure unless all of it lies in one allocation, or in none (memory of the host that we do not know).
/// Device of the allocation, -1 for the host's.
int device_of(const void* data, std::size_t bytes, const char* what);
[[nodiscard]] const Allocation* allocation_of(const void* data);

/// Clocks of the kernel that is being executed: runtime_timer.cpp.
void begin_kernel(double begin_s, double sm_clock_hz, double look_s);
void begin_block();
/// What its blocks have waited at most [s].
double end_kernel();

std::uint64_t next_random(std::uint64_t& state);

}  // namespace ringsim::emulated
