#include "cli/output.hpp"

#include "cli/failures.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace ringsim::cli {
namespace {

std::string reason() { return errno != 0 ? std::strerror(errno) : "the system gives no reason"; }

}  // namespace

void write_results(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw BrokeOff("cannot write the results to standard output: " + reason());
  }
}

ResultFile::ResultFile(std::string path) : path_(std::move(path)) {
  errno = 0;
  stream_.open(path_, std::ios::binary | std::ios::trunc);
  if (!stream_) throw BrokeOff("cannot write " + path_ + ": " + reason());
}

void ResultFile::close() {
  errno = 0;
  stream_.close();
  if (!stream_) throw BrokeOff("cannot write all of " + path_ + ": " + reason());
}

}  // namespace ringsim::cli
