// Which operation comes next, and when it begins and ends in virtual time.

#include "tests/emulated/runtime_state.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace ringsim::emulated {
namespace {

bool ready(const Operation& operation) {
  return std::all_of(operation.after.begin(), operation.after.end(), [](const auto& before) { return before->done; });
}

// Index in the list. The first is always ready: what it waits for was enqueued before it.
std::size_t choose(Machine& m) {
  if (m.settings.order == Order::issue) return 0;
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < m.pending.size(); ++i) {
    if (ready(*m.pending[i])) candidates.push_back(i);
  }
  if (m.settings.order == Order::random) return candidates[next_random(m.random) % candidates.size()];
  const int sign = m.settings.order == Order::high_priority_first ? 1 : -1;
  return *std::min_element(candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(sign * m.pending[a]->priority, a) < std::pair(sign * m.pending[b]->priority, b);
  });
}

void run(Machine& m, Operation& operation) {
  if (!operation.work.run) return;
  m.executing = true;
  try {
    operation.work.run();
  } catch (const std::exception& exception) {
    m.executing = false;
    m.failed = Failure(cudaErrorLaunchFailure, exception.what());
    throw *m.failed;
  }
  m.executing = false;
}

void execute_next(Machine& m) {
  const std::size_t index = choose(m);
  const OperationPointer operation = m.pending[index];
  m.pending.erase(m.pending.begin() + static_cast<std::ptrdiff_t>(index));
  operation->begin_s = operation->not_before_s;
  for (const OperationPointer& before : operation->after) {
    operation->begin_s = std::max(operation->begin_s, before->end_s);
  }
  operation->after.clear();
  const bool kernel = operation->work.kind == Work::Kind::kernel;
  if (kernel) begin_kernel(operation->begin_s, m.settings.sm_clock_hz, m.settings.timer_look_s);
  run(m, *operation);
  operation->end_s = operation->begin_s + operation->work.duration_s + (kernel ? end_kernel() : 0);
  double& device_end_s = m.device_end_s[static_cast<std::size_t>(operation->device)];
  device_end_s = std::max(device_end_s, operation->end_s);
  operation->work.run = nullptr;
  operation->done = true;
}

}  // namespace

OperationPointer append(Work work, int device, int priority, std::vector<OperationPointer> after) {
  Machine& m = machine();
  auto operation = std::make_shared<Operation>();
  operation->work = std::move(work);
  operation->device = device;
  operation->priority = priority;
  std::erase(after, nullptr);
  operation->after = std::move(after);
  operation->not_before_s = m.host_s + m.settings.launch_s;
  m.pending.push_back(operation);
  return operation;
}

void wait_for(const OperationPointer& operation) {
  Machine& m = machine();
  if (operation == nullptr) return;
  while (!operation->done) execute_next(m);
  m.host_s = std::max(m.host_s, operation->end_s);
}

void wait_for_device(int device) {
  Machine& m = machine();
  const auto concerned = [&](const OperationPointer& operation) { return device < 0 || operation->device == device; };
  while (std::any_of(m.pending.begin(), m.pending.end(), concerned)) execute_next(m);
  for (std::size_t d = 0; d < m.device_end_s.size(); ++d) {
    if (device < 0 || static_cast<std::size_t>(device) == d) m.host_s = std::max(m.host_s, m.device_end_s[d]);
  }
}

void one_more() {
  Machine& m = machine();
  if (!m.pending.empty()) execute_next(m);
}

}  // namespace ringsim::emulated
