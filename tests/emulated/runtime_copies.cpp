// Copies and fills.

#include "tests/emulated/include/cuda_runtime.h"
#include "tests/emulated/runtime_state.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ringsim::emulated {
namespace {

struct Ends {
  int to = -1;  // device, -1: host
  int from = -1;
};

// Where both ends are, and that it is there that `kind` says they are.
Ends ends(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const Ends found{device_of(to, bytes, "written"), device_of(from, bytes, "read")};
  if (kind == cudaMemcpyDefault) return found;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (to_device != (found.to >= 0)) {
    throw Failure(cudaErrorInvalidValue,
                  to_device ? "the destination is not on a device" : "the destination is on a device");
  }
  if (from_device != (found.from >= 0)) {
    throw Failure(cudaErrorInvalidValue, from_device ? "the source is not on a device" : "the source is on a device");
  }
  return found;
}

double duration_s(Ends where, std::size_t bytes) {
  const Settings& s = settings();
  const auto amount = static_cast<double>(bytes);
  if (where.to < 0 && where.from < 0) return 0;
  if (where.to < 0 || where.from < 0) return amount / s.host_bytes_per_s;
  return amount / (where.to == where.from ? s.memory_bytes_per_s : s.peer_bytes_per_s);
}

void copy(StreamState& stream, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return;
  const Ends where = ends(to, from, bytes, kind);
  Work work{Work::Kind::copy, [=] { std::memmove(to, from, bytes); }, duration_s(where, bytes), nullptr};
  const bool pageable_source = where.from < 0 && allocation_of(from) == nullptr;
  const bool pageable_target = where.to < 0 && allocation_of(to) == nullptr;
  if (stream.capture == nullptr && pageable_source) {
    // Such a source may be changed as soon as the call has returned.
    const auto* bytes_from = static_cast<const unsigned char*>(from);
    work.run = [to, staged = std::vector<unsigned char>(bytes_from, bytes_from + bytes)] {
      std::memcpy(to, staged.data(), staged.size());
    };
  }
  enqueue(stream, std::move(work));
  // And such a target has been written when the call returns.
  if (stream.capture == nullptr && pageable_target) wait_for(stream.last);
}

void fill(StreamState& stream, void* to, int value, std::size_t bytes) {
  if (bytes == 0) return;
  if (device_of(to, bytes, "filled") < 0 && allocation_of(to) == nullptr) {
    throw Failure(cudaErrorInvalidValue, "what is filled is not on a device");
  }
  enqueue(stream, {Work::Kind::fill, [=] { std::memset(to, value, bytes); },
                   static_cast<double>(bytes) / settings().memory_bytes_per_s, nullptr});
}

}  // namespace
}  // namespace ringsim::emulated

namespace emulated = ringsim::emulated;

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return emulated::call("cudaMemcpy", [&] {
    emulated::refuse_while_capturing("a copy that the host waits for");
    emulated::StreamState& stream = emulated::stream_of(nullptr);
    emulated::copy(stream, to, from, bytes, kind);
    emulated::wait_for(stream.last);
  });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return emulated::call("cudaMemcpyAsync", [&] { emulated::copy(emulated::stream_of(stream), to, from, bytes, kind); });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
  return emulated::call("cudaMemcpyPeerAsync", [&] {
    if (bytes > 0 && (emulated::device_of(to, bytes, "written") != to_device ||
                      emulated::device_of(from, bytes, "read") != from_device)) {
      throw emulated::Failure(cudaErrorInvalidValue, "memory is not on the device that the call names");
    }
    emulated::copy(emulated::stream_of(stream), to, from, bytes, cudaMemcpyDeviceToDevice);
  });
}
// NOLINTBEGIN(readability-non-const-parameter): the toolkit's signature
cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const std::size_t* bytes, std::size_t count,
                                 cudaMemcpyAttributes* attributes, std::size_t* first_of_attributes,
                                 std::size_t attribute_count, cudaStream_t stream) {
  return emulated::call("cudaMemcpyBatchAsync", [&] {
    if (stream == nullptr)
      throw emulated::Failure(cudaErrorInvalidValue, "a batch of copies needs a stream of its own");
    if (count == 0 || attribute_count == 0 || attribute_count > count || first_of_attributes[0] != 0) {
      throw emulated::Failure(cudaErrorInvalidValue, "a batch needs copies, and attributes from the first copy on");
    }
    for (std::size_t a = 0; a < attribute_count; ++a) {
      if (attributes[a].srcAccessOrder == cudaMemcpySrcAccessOrderInvalid) {
        throw emulated::Failure(cudaErrorInvalidValue, "attributes without an order of access");
      }
      const bool in_order = a == 0 || first_of_attributes[a] > first_of_attributes[a - 1];
      if (!in_order || first_of_attributes[a] >= count) {
        throw emulated::Failure(cudaErrorInvalidValue, "attributes are not in the order of the copies");
      }
    }
    emulated::StreamState& s = emulated::stream_of(stream);
    // What the toolkit's documentation leaves open; the strict answer is the safe one.
    emulated::refuse_in_capture(s, "a batch of copies");
    struct Copy {
      void* to;
      const void* from;
      std::size_t bytes;
    };
    std::vector<Copy> copies;
    double seconds = 0;
    for (std::size_t i = 0; i < count; ++i) {
      seconds += emulated::duration_s(emulated::ends(to[i], from[i], bytes[i], cudaMemcpyDefault), bytes[i]);
      copies.push_back({to[i], from[i], bytes[i]});
    }
    // Copies of a batch may come in any order: the last first, here.
    std::reverse(copies.begin(), copies.end());
    emulated::enqueue(s, {emulated::Work::Kind::copy,
                          [copies = std::move(copies)] {
                            for (const Copy& one : copies) std::memmove(one.to, one.from, one.bytes);
                          },
                          seconds, nullptr});
  });
}
// NOLINTEND(readability-non-const-parameter)
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) { return cudaMemsetAsync(to, value, bytes, nullptr); }
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return emulated::call("cudaMemsetAsync", [&] { emulated::fill(emulated::stream_of(stream), to, value, bytes); });
}
