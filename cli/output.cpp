#include "cli/output.hpp"

#include "cli/failures.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

namespace ringsim::cli {
namespace {

namespace fs = std::filesystem;

std::string reason() { return errno != 0 ? std::strerror(errno) : "the system gives no reason"; }

}  // namespace

void write_results(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw BrokeOff("cannot write the results to standard output: " + reason());
  }
}

ResultFile::ResultFile(const std::string& path) : path_(path) {
  std::error_code unknown;
  if (const fs::path target = fs::canonical(path, unknown); !unknown) path_ = target;  // a link stays a link
  errno = 0;
  const bool there = fs::exists(path_, unknown);
  if (there && ::access(path_.c_str(), W_OK) != 0) throw BrokeOff("cannot write " + path + ": " + reason());
  if (there && !fs::is_regular_file(path_, unknown)) {
    stream_.open(path_, std::ios::binary);
    if (!stream_) throw BrokeOff("cannot write " + path + ": " + reason());
    return;
  }
  partial_ = path_;
  partial_ += ".partial-" + std::to_string(::getpid());
  stream_.open(partial_, std::ios::binary | std::ios::trunc);
  if (!stream_) throw BrokeOff("cannot write " + path + ": " + reason());
}

ResultFile::~ResultFile() {
  std::error_code ignored;
  if (!partial_.empty()) fs::remove(partial_, ignored);
}

void ResultFile::close() {
  errno = 0;
  stream_.close();
  if (!stream_) throw BrokeOff("cannot write all of " + path_.string() + ": " + reason());
  if (partial_.empty()) return;
  std::error_code failure;
  fs::rename(partial_, path_, failure);
  if (failure) throw BrokeOff("cannot write " + path_.string() + ": " + failure.message());
  partial_.clear();
}

}  // namespace ringsim::cli
