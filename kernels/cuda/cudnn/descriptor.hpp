#pragma once
// A descriptor of cuDNN's graph interface: made, given attributes, made final, destroyed.

#include "kernels/cuda/dynamic/cudnn.hpp"

#if RINGSIM_HAS_CUDNN

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringsim::cuda::cudnn {

// The tag that cuDNN wants beside a value of each type.
constexpr cudnnBackendAttributeType_t attribute_type(std::int64_t) { return CUDNN_TYPE_INT64; }
constexpr cudnnBackendAttributeType_t attribute_type(std::int32_t) { return CUDNN_TYPE_INT32; }
constexpr cudnnBackendAttributeType_t attribute_type(bool) { return CUDNN_TYPE_BOOLEAN; }
constexpr cudnnBackendAttributeType_t attribute_type(char) { return CUDNN_TYPE_CHAR; }
constexpr cudnnBackendAttributeType_t attribute_type(cudnnDataType_t) { return CUDNN_TYPE_DATA_TYPE; }
constexpr cudnnBackendAttributeType_t attribute_type(cudnnPointwiseMode_t) { return CUDNN_TYPE_POINTWISE_MODE; }
constexpr cudnnBackendAttributeType_t attribute_type(cudnnReduceTensorOp_t) {
  return CUDNN_TYPE_REDUCTION_OPERATOR_TYPE;
}
constexpr cudnnBackendAttributeType_t attribute_type(cudnnBackendHeurMode_t) { return CUDNN_TYPE_HEUR_MODE; }
constexpr cudnnBackendAttributeType_t attribute_type(cudnnHandle_t) { return CUDNN_TYPE_HANDLE; }
constexpr cudnnBackendAttributeType_t attribute_type(void*) { return CUDNN_TYPE_VOID_PTR; }

class Descriptor {
 public:
  explicit Descriptor(cudnnBackendDescriptorType_t type);
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, nullptr)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
  [[nodiscard]] cudnnBackendDescriptor_t get() const { return descriptor_; }

  // Setters throw Error with cuDNN's message.
  template <class T>
  void set(cudnnBackendAttributeName_t name, std::span<const T> values) {
    set_raw(name, attribute_type(T{}), static_cast<std::int64_t>(values.size()),
            static_cast<const void*>(values.data()));
  }
  template <class T>
  void set(cudnnBackendAttributeName_t name, T value) {
    set_raw(name, attribute_type(value), 1, static_cast<const void*>(&value));
  }
  void set(cudnnBackendAttributeName_t name, const Descriptor& value);
  void set(cudnnBackendAttributeName_t name, const std::vector<Descriptor>& values);

  /// Throws Error "WHAT: cuDNN's message".
  void finalize(const char* what);
  /// Empty: it is final; else why cuDNN refuses.
  [[nodiscard]] std::string refusal();

  /// One number. Throws Error.
  [[nodiscard]] std::int64_t get_int64(cudnnBackendAttributeName_t name) const;
  [[nodiscard]] std::string get_text(cudnnBackendAttributeName_t name) const;
  /// Fills one descriptor, which the caller has made.
  void get_into(cudnnBackendAttributeName_t name, Descriptor& value) const;
  /// All descriptors of a list, of this type.
  [[nodiscard]] std::vector<Descriptor> get_list(cudnnBackendAttributeName_t name,
                                                 cudnnBackendDescriptorType_t type) const;

 private:
  void set_raw(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
               const void* values);

  cudnnBackendDescriptor_t descriptor_ = nullptr;
};

}  // namespace ringsim::cuda::cudnn

#endif
