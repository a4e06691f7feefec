#pragma once
// Shared libraries that are looked for while the program runs. Nothing is linked with them, so the same program starts
// on a machine that has none of them, and says there what is missing.

#include "models/error.hpp"

#include <string>
#include <vector>

namespace ringsim::cuda {

/// A library, or a function of it, is not there. what: which; where: the places that were searched; hint: how to get
/// it.
class MissingLibrary : public Error {
 public:
  using Error::Error;
};

/// What to look for.
struct LibraryName {
  std::string library;             // as in messages: "cuDNN"
  std::vector<std::string> files;  // the first that can be opened is taken: "libcudnn.so.9"
  std::string hint;                // how to get it: a sentence
};

/// Where libraries are looked for, in this order; an empty name stands for the loader's own search:
///   1. the folders of RINGSIM_CUDA_LIBRARIES, separated by colons
///   2. the loader's search (LD_LIBRARY_PATH, /etc/ld.so.conf)
///   3. the library folder of the toolkit that this program was compiled with (the macro RINGSIM_CUDA_LIBRARY_FOLDER)
///   4. the packages nvidia-* of Python, which PyTorch installs, PREFIX/lib*/python3*/*-packages/nvidia/*/lib (site- or
///      dist-packages), for the prefixes VIRTUAL_ENV, CONDA_PREFIX and those of every python3 in PATH
/// The environment is read at each call.
[[nodiscard]] std::vector<std::string> library_folders();

/// An open library. It stays open until the program ends, as CUDA's libraries do not support being closed.
class Library {
 public:
  /// Throws MissingLibrary.
  explicit Library(const LibraryName& name);
  /// In these folders alone.
  Library(const LibraryName& name, const std::vector<std::string>& folders);

  /// The function of this name, a pointer to a `Function`. Throws MissingLibrary where the library has none: it is
  /// older than needed.
  template <class Function>
  [[nodiscard]] Function* function(const char* name) const {
    return reinterpret_cast<Function*>(address(name));
  }
  /// Null where the library has none.
  template <class Function>
  [[nodiscard]] Function* function_if_any(const char* name) const {
    return reinterpret_cast<Function*>(address_if_any(name));
  }
  /// Of the file that was opened.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  [[nodiscard]] void* address(const char* name) const;
  [[nodiscard]] void* address_if_any(const char* name) const;

  LibraryName name_;
  void* handle_ = nullptr;
  std::string path_;
};

/// For units that were compiled without a library's header: throws MissingLibrary "NAME is not built in".
[[noreturn]] void throw_not_built_in(const std::string& library, const std::string& header);

}  // namespace ringsim::cuda
