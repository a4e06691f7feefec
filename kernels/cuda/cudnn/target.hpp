#pragma once
// The device that graphs are built for: the one that is current, or one that is only described. For the latter cuDNN
// chooses engines and checks that they support a graph without any GPU; what it builds cannot be executed.

#include "kernels/cuda/cudnn/descriptor.hpp"

#if RINGSIM_HAS_CUDNN

#include <memory>
#include <optional>
#include <string>

namespace ringsim::cuda::cudnn {

class Target {
 public:
  /// The current device. Throws Error where there is none.
  [[nodiscard]] static Target here();
  /// A device by cuDNN's JSON description of it, its DEVICEPROP. Throws Error where cuDNN cannot read it.
  [[nodiscard]] static Target described(const std::string& json);

  /// Null where the device is only described.
  [[nodiscard]] cudnnHandle_t handle() const { return handle_.get(); }
  /// Tells a descriptor for which device it is: by the description where there is one, or else by the handle, where the
  /// descriptor wants one.
  void describe(Descriptor& descriptor, cudnnBackendAttributeName_t description) const;
  void describe(Descriptor& descriptor, cudnnBackendAttributeName_t description,
                cudnnBackendAttributeName_t handle) const;

 private:
  Target() = default;
  struct Destroy {
    void operator()(cudnnContext* handle) const;
  };
  std::unique_ptr<cudnnContext, Destroy> handle_;
  std::optional<Descriptor> description_;
};

/// cuDNN's JSON description of a device of this machine, to be kept for described(). Throws Error where there is no
/// device.
[[nodiscard]] std::string device_description(int device);

}  // namespace ringsim::cuda::cudnn

#endif
