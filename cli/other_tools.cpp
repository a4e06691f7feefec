#include "cli/other_tools.hpp"

#include "calibrate/export/nccl_tests.hpp"
#include "calibrate/export/nvbench.hpp"
#include "cli/failures.hpp"
#include "cli/output.hpp"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <map>
#include <system_error>
#include <vector>

extern char** environ;

namespace ringsim::cli {
namespace {

void write_file(const std::filesystem::path& path, const std::string& content) {
  std::error_code failure;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), failure);
  if (failure) throw BrokeOff("cannot make the folder " + path.parent_path().string() + ": " + failure.message());
  ResultFile file(path.string());
  file.stream().write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
}

calibrate::NcclTestsOptions this_process() {
  calibrate::NcclTestsOptions options;
  for (char** variable = environ; *variable != nullptr; ++variable) options.environment.emplace_back(*variable);
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) == 0) options.hostname = name.data();
  return options;
}

}  // namespace

void write_for_other_tools(const calibrate::Samples& samples, const std::string& kernel_json,
                           const std::string& transfer_json) {
  if (!kernel_json.empty()) {
    const std::filesystem::path path(kernel_json);
    const calibrate::NvbenchFiles files = calibrate::write_nvbench(samples, path.filename().string());
    write_file(path, files.json);
    for (const auto& [name, content] : files.binaries) write_file(path.parent_path() / name, content);
  }
  if (!transfer_json.empty()) {
    const std::filesystem::path path(transfer_json);
    const std::map<std::string, std::string> reports =
        calibrate::write_nccl_tests(samples, path.filename().string(), this_process());
    for (const auto& [name, content] : reports) write_file(path.parent_path() / name, content);
  }
}

}  // namespace ringsim::cli
