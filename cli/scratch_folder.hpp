#pragma once
// A folder of our own for the files that this program and a worker exchange, gone with all that is in it at the end.

#include "cli/failures.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

namespace ringsim::cli {

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "ringsim-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw BrokeOff("no folder for a worker's results can be made as " + name + ": " + std::strerror(errno));
    }
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ScratchFolder(ScratchFolder&&) = delete;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::filesystem::path file(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace ringsim::cli
