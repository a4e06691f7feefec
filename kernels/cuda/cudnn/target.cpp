#include "kernels/cuda/cudnn/target.hpp"

#if RINGSIM_HAS_CUDNN

#include <cstdint>
#include <span>

namespace ringsim::cuda::cudnn {

void Target::Destroy::operator()(cudnnContext* handle) const { static_cast<void>(cudnn_library().destroy(handle)); }

Target Target::here() {
  Target target;
  cudnnHandle_t handle = nullptr;
  check(cudnn_library().create(&handle), "cudnnCreate");
  target.handle_.reset(handle);
  return target;
}

Target Target::described(const std::string& json) {
  Target target;
  Descriptor& description = target.description_.emplace(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
  // The text ends with a zero, as it does where cuDNN writes one.
  description.set(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, std::span<const char>(json.c_str(), json.size() + 1));
  description.finalize("cuDNN cannot read the description of a device");
  return target;
}

void Target::describe(Descriptor& descriptor, cudnnBackendAttributeName_t description) const {
  if (description_) descriptor.set(description, *description_);
}

void Target::describe(Descriptor& descriptor, cudnnBackendAttributeName_t description,
                      cudnnBackendAttributeName_t handle) const {
  if (description_) {
    descriptor.set(description, *description_);
  } else {
    descriptor.set(handle, handle_.get());
  }
}

std::string device_description(int device) {
  Descriptor description(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
  description.set(CUDNN_ATTR_DEVICEPROP_DEVICE_ID, static_cast<std::int32_t>(device));
  description.finalize("cuDNN cannot describe the device");
  return description.get_text(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION);
}

}  // namespace ringsim::cuda::cudnn

#endif
