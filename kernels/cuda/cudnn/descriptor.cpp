#include "kernels/cuda/cudnn/descriptor.hpp"

#if RINGSIM_HAS_CUDNN

#include <array>
#include <cstddef>

namespace ringsim::cuda::cudnn {

Descriptor::Descriptor(cudnnBackendDescriptorType_t type) {
  check(cudnn_library().create_descriptor(type, &descriptor_), "cudnnBackendCreateDescriptor");
}

Descriptor::~Descriptor() {
  if (descriptor_ != nullptr) static_cast<void>(cudnn_library().destroy_descriptor(descriptor_));
}

void Descriptor::set_raw(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
                         const void* values) {
  check(cudnn_library().set_attribute(descriptor_, name, type, count, values), "cudnnBackendSetAttribute");
}

void Descriptor::set(cudnnBackendAttributeName_t name, const Descriptor& value) {
  set_raw(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, static_cast<const void*>(&value.descriptor_));
}

void Descriptor::set(cudnnBackendAttributeName_t name, const std::vector<Descriptor>& values) {
  std::vector<cudnnBackendDescriptor_t> raw;
  raw.reserve(values.size());
  for (const Descriptor& value : values) raw.push_back(value.descriptor_);
  set_raw(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, static_cast<std::int64_t>(raw.size()),
          static_cast<const void*>(raw.data()));
}

void Descriptor::finalize(const char* what) { check(cudnn_library().finalize(descriptor_), what); }

std::string Descriptor::refusal() {
  const cudnnStatus_t status = cudnn_library().finalize(descriptor_);
  if (status == CUDNN_STATUS_SUCCESS) return {};
  std::array<char, 1024> message{};
  cudnn_library().get_last_error_string(message.data(), message.size());
  return std::string(message.data()) + " (" + cudnn_library().get_error_string(status) + ")";
}

std::int64_t Descriptor::get_int64(cudnnBackendAttributeName_t name) const {
  std::int64_t value = 0;
  std::int64_t count = 0;
  check(cudnn_library().get_attribute(descriptor_, name, CUDNN_TYPE_INT64, 1, &count, &value),
        "cudnnBackendGetAttribute");
  return value;
}

std::string Descriptor::get_text(cudnnBackendAttributeName_t name) const {
  std::int64_t count = 0;
  check(cudnn_library().get_attribute(descriptor_, name, CUDNN_TYPE_CHAR, 0, &count, nullptr),
        "cudnnBackendGetAttribute");
  std::string text(static_cast<std::size_t>(count), '\0');
  check(cudnn_library().get_attribute(descriptor_, name, CUDNN_TYPE_CHAR, count, &count, text.data()),
        "cudnnBackendGetAttribute");
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

void Descriptor::get_into(cudnnBackendAttributeName_t name, Descriptor& value) const {
  std::int64_t count = 0;
  check(cudnn_library().get_attribute(descriptor_, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count,
                                      static_cast<void*>(&value.descriptor_)),
        "cudnnBackendGetAttribute");
}

std::vector<Descriptor> Descriptor::get_list(cudnnBackendAttributeName_t name,
                                             cudnnBackendDescriptorType_t type) const {
  std::int64_t count = 0;
  check(cudnn_library().get_attribute(descriptor_, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &count, nullptr),
        "cudnnBackendGetAttribute");
  std::vector<Descriptor> list;
  std::vector<cudnnBackendDescriptor_t> raw;
  raw.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) raw.push_back(list.emplace_back(type).descriptor_);
  if (count == 0) return list;
  check(cudnn_library().get_attribute(descriptor_, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, count, &count,
                                      static_cast<void*>(raw.data())),
        "cudnnBackendGetAttribute");
  list.erase(list.begin() + count, list.end());
  return list;
}

}  // namespace ringsim::cuda::cudnn

#endif
