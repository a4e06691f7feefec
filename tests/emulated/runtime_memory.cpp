// Memory: poisoned when allocated, with guard bytes around it.

#include "tests/emulated/include/cuda_runtime.h"
#include "tests/emulated/runtime_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace ringsim::emulated {
namespace {

constexpr std::size_t alignment = 256;  // as cudaMalloc's
constexpr std::size_t guard_bytes = 256;
constexpr unsigned char guard = 0xa5;
constexpr unsigned char poison = 0xff;

std::string name_of(const Allocation& allocation) {
  return fmt::format("{} bytes {}", allocation.bytes,
                     allocation.device < 0 ? "of the host" : fmt::format("on device {}", allocation.device));
}

std::string broken_guard(const Allocation& allocation) {
  const auto intact = [](const unsigned char* from) {
    return std::all_of(from, from + guard_bytes, [](unsigned char byte) { return byte == guard; });
  };
  if (!intact(allocation.data - guard_bytes)) return "something wrote before " + name_of(allocation);
  if (!intact(allocation.data + allocation.bytes)) return "something wrote behind " + name_of(allocation);
  return {};
}

void* allocate(int device, std::size_t bytes) {
  Machine& m = machine();
  if (device >= 0) {
    std::size_t& used = m.used_bytes[static_cast<std::size_t>(device)];
    if (bytes > m.settings.memory_bytes - used) {
      throw Failure(cudaErrorMemoryAllocation,
                    fmt::format("{} bytes, {} of {} are used", bytes, used, m.settings.memory_bytes));
    }
    used += bytes;
  }
  const std::size_t whole = bytes + 2 * guard_bytes + alignment;
  Allocation allocation{bytes, device, std::make_unique_for_overwrite<unsigned char[]>(whole), nullptr};
  const auto address = reinterpret_cast<std::uintptr_t>(allocation.block.get()) + guard_bytes;
  allocation.data = allocation.block.get() + guard_bytes + (alignment - address % alignment) % alignment;
  std::fill_n(allocation.data - guard_bytes, guard_bytes, guard);
  std::fill_n(allocation.data, bytes, poison);
  std::fill_n(allocation.data + bytes, guard_bytes, guard);
  unsigned char* data = allocation.data;
  m.allocations.emplace(data, std::move(allocation));
  return data;
}

void release(void* data, bool host) {
  if (data == nullptr) return;
  Machine& m = machine();
  const auto found = m.allocations.find(static_cast<const unsigned char*>(data));
  if (found == m.allocations.end()) throw Failure(cudaErrorInvalidValue, "this is not allocated (any more)");
  if ((found->second.device < 0) != host) {
    throw Failure(cudaErrorInvalidValue, name_of(found->second) + " are given back by the other function");
  }
  // As the real one, which does not give memory away that may still be in use.
  wait_for_device(-1);
  const std::string broken = broken_guard(found->second);
  if (!host) m.used_bytes[static_cast<std::size_t>(found->second.device)] -= found->second.bytes;
  m.allocations.erase(found);
  if (!broken.empty()) throw Failure(cudaErrorIllegalAddress, broken);
}

}  // namespace

const Allocation* allocation_of(const void* data) {
  const auto* byte = static_cast<const unsigned char*>(data);
  const auto& all = machine().allocations;
  const auto next = all.upper_bound(byte);
  // Guard bytes belong to the allocation: who points there means it.
  if (next != all.end() && byte >= next->second.data - guard_bytes) return &next->second;
  if (next == all.begin()) return nullptr;
  const Allocation& before = std::prev(next)->second;
  return byte < before.data + before.bytes + guard_bytes ? &before : nullptr;
}

int device_of(const void* data, std::size_t bytes, const char* what) {
  const Allocation* allocation = allocation_of(data);
  if (allocation == nullptr) return -1;
  const auto* byte = static_cast<const unsigned char*>(data);
  if (byte < allocation->data || byte + bytes > allocation->data + allocation->bytes) {
    throw Failure(cudaErrorIllegalAddress,
                  fmt::format("{}: bytes {} to {} of {}", what, byte - allocation->data,
                              byte - allocation->data + static_cast<std::ptrdiff_t>(bytes), name_of(*allocation)));
  }
  return allocation->device;
}

std::string broken_guards() {
  for (const auto& [address, allocation] : machine().allocations) {
    if (std::string broken = broken_guard(allocation); !broken.empty()) return broken;
  }
  return {};
}

}  // namespace ringsim::emulated

namespace emulated = ringsim::emulated;

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  return emulated::call("cudaMalloc", [&] {
    emulated::refuse_while_capturing("allocating");
    *data = bytes == 0 ? nullptr : emulated::allocate(emulated::current_device(), bytes);
  });
}
cudaError_t cudaFree(void* data) {
  return emulated::call("cudaFree", [&] {
    emulated::refuse_while_capturing("giving memory back");
    emulated::release(data, false);
  });
}
cudaError_t cudaHostAlloc(void** data, std::size_t bytes, unsigned) {
  return emulated::call("cudaHostAlloc", [&] {
    emulated::refuse_while_capturing("allocating");
    *data = bytes == 0 ? nullptr : emulated::allocate(-1, bytes);
  });
}
cudaError_t cudaMallocHost(void** data, std::size_t bytes, unsigned flags) { return cudaHostAlloc(data, bytes, flags); }
cudaError_t cudaFreeHost(void* data) {
  return emulated::call("cudaFreeHost", [&] {
    emulated::refuse_while_capturing("giving memory back");
    emulated::release(data, true);
  });
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return emulated::call("cudaHostGetDevicePointer", [&] {
    const emulated::Allocation* allocation = emulated::allocation_of(host);
    if (allocation == nullptr || allocation->device >= 0) {
      throw emulated::Failure(cudaErrorInvalidValue, "this is not memory of cudaHostAlloc");
    }
    *device = host;
  });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* data) {
  return emulated::call("cudaPointerGetAttributes", [&] {
    const emulated::Allocation* allocation = emulated::allocation_of(data);
    // The toolkit's interface gives pointers that may be written through for one that may not.
    void* pointer = const_cast<void*>(data);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    if (allocation == nullptr) {
      *attributes = {cudaMemoryTypeUnregistered, -1, nullptr, pointer};
    } else if (allocation->device < 0) {
      *attributes = {cudaMemoryTypeHost, 0, pointer, pointer};
    } else {
      *attributes = {cudaMemoryTypeDevice, allocation->device, pointer, nullptr};
    }
  });
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return emulated::call("cudaMemGetInfo", [&] {
    const emulated::Machine& m = emulated::machine();
    *total = m.settings.memory_bytes;
    *free = *total - m.used_bytes[static_cast<std::size_t>(emulated::current_device())];
  });
}
