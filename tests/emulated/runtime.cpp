// The machine as a whole: calls, settings, what is alive.

#include "tests/emulated/runtime.hpp"

#include "tests/emulated/runtime_state.hpp"

#include <algorithm>

namespace ringsim::emulated {
namespace {

void prepare(Machine& m) {
  m.random = m.settings.seed;
  const auto devices = static_cast<std::size_t>(std::max(m.settings.devices, 0));
  m.used_bytes.assign(devices, 0);
  m.device_end_s.assign(devices, 0);
  m.default_streams.clear();
  for (std::size_t device = 0; device < devices; ++device) {
    m.default_streams.push_back(std::make_unique<StreamState>());
    m.default_streams.back()->device = static_cast<int>(device);
  }
}

template <class States>
std::size_t count_alive(const States& states) {
  return static_cast<std::size_t>(
      std::count_if(states.begin(), states.end(), [](const auto& state) { return !state->destroyed; }));
}

}  // namespace

Machine& machine() {
  static Machine& m = []() -> Machine& {
    static Machine made;
    prepare(made);
    return made;
  }();
  return m;
}

int& current_device() {
  thread_local int device = 0;
  return device;
}

cudaError_t call(const char* name, const std::function<void()>& body) {
  Machine& m = machine();
  const std::scoped_lock lock(m.mutex);
  m.host_s += m.settings.host_call_s;
  try {
    if (m.failed) throw *m.failed;
    if (m.executing) throw Failure(cudaErrorNotPermitted, "a host function may not call CUDA");
    if (!m.settings.driver) throw Failure(cudaErrorInsufficientDriver, "no driver is emulated");
    if (m.settings.devices == 0) throw Failure(cudaErrorNoDevice, "no device is emulated");
    body();
  } catch (const Failure& failure) {
    m.last_error = failure.code;
    m.problem = std::string(name) + ": " + failure.what();
    return failure.code;
  }
  return cudaSuccess;
}

void reset(Settings settings) {
  Machine& m = machine();
  const std::scoped_lock lock(m.mutex);
  m.settings = std::move(settings);
  m.allocations.clear();
  // Operations that wait for each other in a row are let go one by one: a long row would overflow the stack.
  for (const OperationPointer& operation : m.pending) operation->after.clear();
  m.pending.clear();
  m.streams.clear();
  m.events.clear();
  m.graphs.clear();
  m.peers.clear();
  m.dynamic_shared_bytes.clear();
  m.host_s = 0;
  current_device() = 0;
  m.failed.reset();
  m.last_error = cudaSuccess;
  m.problem.clear();
  prepare(m);
}

const Settings& settings() { return machine().settings; }

void set_order(Order order, std::uint64_t seed) {
  machine().settings.order = order;
  machine().random = seed;
}

Alive alive() {
  const Machine& m = machine();
  return {m.allocations.size(), count_alive(m.streams), count_alive(m.events), count_alive(m.graphs)};
}

std::string problem() { return machine().problem; }
std::size_t pending() { return machine().pending.size(); }
double host_time_s() { return machine().host_s; }

// Splitmix64 (Steele, Lea, Flood 2014): the same order from a seed everywhere.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111eb;
  return z ^ (z >> 31U);
}

}  // namespace ringsim::emulated
