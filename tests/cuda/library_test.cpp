// Libraries that are opened at run time: where they are looked for, and what is said where they are missing.
#include "kernels/cuda/dynamic/library.hpp"

#include "kernels/cuda/dynamic/versions.hpp"
#include "tests/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace ringsim::cuda {
namespace {

using ::testing::HasSubstr;

/// Sets a variable of the environment, and back again.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    had_ = std::getenv(name) != nullptr;
    setenv(name, value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    if (had_) {
      setenv(name_, before_.c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::string before_;
  bool had_ = false;
};

const LibraryName nowhere{"Nowhere", {"libnowhere-ringsim.so.7"}, "It cannot be had."};

// The message names the library and its file, the place every folder that was searched, the hint how to get it.
TEST(Library, SaysWhatIsMissingAndWhereItWasLookedFor) {
  const Environment folders("RINGSIM_CUDA_LIBRARIES", "/first/folder:/second/folder");
  try {
    const Library library(nowhere);
    FAIL() << library.path();
  } catch (const MissingLibrary& error) {
    EXPECT_THAT(error.message(), HasSubstr("Nowhere is not there"));
    EXPECT_THAT(error.message(), HasSubstr("libnowhere-ringsim.so.7"));
    EXPECT_THAT(error.where(), HasSubstr("/first/folder, /second/folder, the loader's path"));
    EXPECT_EQ(error.hint(), "It cannot be had.");
  }
}

// libc is in the loader's path and has no such function.
TEST(Library, SaysWhichFunctionIsMissing) {
  const Library c({"the C library", {"libc.so.6"}, ""});
  EXPECT_THAT(c.path(), HasSubstr("libc.so.6"));
  EXPECT_NE(c.function<void()>("getpid"), nullptr);
  EXPECT_EQ(c.function_if_any<void()>("ringsim_no_such_function"), nullptr);
  try {
    static_cast<void>(c.function<void()>("ringsim_no_such_function"));
    FAIL();
  } catch (const MissingLibrary& error) {
    EXPECT_THAT(error.message(), HasSubstr("ringsim_no_such_function"));
    EXPECT_THAT(error.where(), HasSubstr("libc.so.6"));
  }
}

// A file of the name that is no library: the loader's own words say so, which a list of folders would not.
TEST(Library, SaysWhyAFileDoesNotLoad) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "libnowhere-ringsim.so.7") << "no library";
  const Environment folders("RINGSIM_CUDA_LIBRARIES", folder.path().string());
  try {
    const Library library(nowhere);
    FAIL() << library.path();
  } catch (const MissingLibrary& error) {
    EXPECT_THAT(error.message(), HasSubstr("file too short"));
  }
}

// Python's packages: PREFIX/lib/python3.11/site-packages/nvidia/cudnn/lib, for the prefix of a virtual environment,
// and for that of a python3 in PATH. They come after the loader's own search, which is the empty name.
TEST(Library, LooksIntoPythonsPackages) {
  const TemporaryFolder folder;
  const std::filesystem::path environment = folder.path() / "environment";
  const std::filesystem::path python = folder.path() / "python";
  const std::filesystem::path cudnn = environment / "lib/python3.11/site-packages/nvidia/cudnn/lib";
  const std::filesystem::path nccl = python / "lib/python3.12/dist-packages/nvidia/nccl/lib";
  std::filesystem::create_directories(cudnn);
  std::filesystem::create_directories(nccl);
  std::filesystem::create_directories(python / "bin");
  std::ofstream(python / "bin/python3") << "";
  const Environment virtual_environment("VIRTUAL_ENV", environment.string());
  const Environment path("PATH", (python / "bin").string());
  const std::vector<std::string> folders = library_folders();
  const auto loader = std::ranges::find(folders, "");
  ASSERT_NE(loader, folders.end());
  EXPECT_LT(loader, std::ranges::find(folders, cudnn.string()));
  EXPECT_LT(loader, std::ranges::find(folders, nccl.string()));
  EXPECT_THAT(folders, ::testing::IsSupersetOf({cudnn.string(), nccl.string()}));
}

// Everything has a line, there or not: a version with a path, or the reason.
TEST(Versions, HaveALineForEveryLibrary) {
  std::vector<std::string> names;
  for (const LibraryVersion& library : versions()) {
    names.push_back(library.library);
    EXPECT_FALSE(library.path.empty()) << library.library;
    if (!library.found()) {
      EXPECT_THAT(library.path, HasSubstr(" ")) << library.library;
    }
    std::cout << library.library << ": " << (library.found() ? library.version : "not there") << ", " << library.path
              << '\n';
  }
  EXPECT_THAT(names, ::testing::ElementsAre("CUDA driver interface", "CUDA runtime", "cuDNN", "cuBLAS", "NCCL", "CUPTI",
                                            "NVIDIA driver"));
}

}  // namespace
}  // namespace ringsim::cuda
