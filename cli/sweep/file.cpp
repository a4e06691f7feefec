#include "cli/sweep/file.hpp"

#include "cli/failures.hpp"
#include "models/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

namespace ringsim::cli {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void throw_unwritable(const std::string& path) {
  throw BrokeOff("cannot write " + path + ": " + (errno != 0 ? std::strerror(errno) : "the system gives no reason"));
}

// Whoever was killed a moment ago may still be ending.
void lock(int file, const std::string& path) {
  constexpr int tries = 50;
  for (int i = 0; i < tries; ++i) {
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) return;
    if (errno != EWOULDBLOCK && errno != EINTR) return;  // a file system without locks
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  throw BrokeOff("another sweep is writing " + path + ": wait for its end, or end it");
}

std::string read_at(int file, std::int64_t offset, std::size_t size, const std::string& path) {
  std::string text(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    const ssize_t count = ::pread(file, text.data() + have, size - have, offset + static_cast<std::int64_t>(have));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw BrokeOff("cannot read " + path + ": " + std::strerror(errno));
    if (count == 0) break;
    have += static_cast<std::size_t>(count);
  }
  text.resize(have);
  return text;
}

// Lines of a file, and where the last two of them end.
struct Lines {
  std::int64_t count = 0;
  std::int64_t end = 0;     // behind the last one; what follows was cut off
  std::int64_t before = 0;  // behind the one before it
};
Lines lines_of(int file, const std::string& path) {
  constexpr std::size_t at_once = std::size_t{1} << 20U;
  Lines lines;
  for (std::int64_t offset = 0;; offset += static_cast<std::int64_t>(at_once)) {
    const std::string text = read_at(file, offset, at_once, path);
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
      ++lines.count;
      lines.before = lines.end;
      lines.end = offset + static_cast<std::int64_t>(at) + 1;
    }
    if (text.size() < at_once) return lines;
  }
}

}  // namespace

std::string identity_of(const SweepJob& job, const Evaluator& evaluator) {
  return Json{{"made_by", job.made_by},
              {"scenario_hash", evaluator.scenario_hash()},
              {"set", job.sets},
              {"engine", job.engine},
              {"seed", job.seed},
              {"columns", job.columns.empty() ? reports::usual_figures() : job.columns},
              {"points", evaluator.points()}}
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

SweepFile::SweepFile(const SweepJob& job, Evaluator& evaluator) : path_(job.output) {
  errno = 0;
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0 && (errno == EACCES || errno == ENXIO)) file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ < 0) throw_unwritable(path_);
  struct stat status{};
  const bool regular = ::fstat(file_, &status) == 0 && S_ISREG(status.st_mode);
  try {
    if (regular) {
      lock(file_, path_);
      continue_file(job, evaluator, identity_of(job, evaluator));
    } else {
      write(evaluator.header());
    }
  } catch (...) {
    ::close(file_);
    throw;
  }
}

SweepFile::~SweepFile() { ::close(file_); }

void SweepFile::continue_file(const SweepJob& job, Evaluator& evaluator, const std::string& identity) {
  const std::string header = evaluator.header();
  const std::string start_anew =
      fmt::format("another --output; or remove {} and {}.sweep, and it begins anew", path_, path_);
  struct stat status{};
  if (::fstat(file_, &status) != 0) throw_unwritable(path_);
  if (status.st_size == 0) {
    write_identity(identity);
    write(header);
    return;
  }
  check_identity(identity);
  const Lines lines = lines_of(file_, path_);
  const std::int64_t headers = job.json_lines ? 0 : 1;
  std::int64_t keep = lines.end;
  if (headers > 0 && lines.count > 0 && read_at(file_, 0, header.size(), path_) != header) {
    throw Error("its first line is not the header of this sweep", path_, start_anew);
  }
  done_ = std::max<std::int64_t>(0, lines.count - headers);
  if (done_ > evaluator.points()) {
    throw Error(fmt::format("it has {} rows, and the sweep {} points", done_, evaluator.points()), path_, start_anew);
  }
  if (done_ > 0) {
    const std::string begins = evaluator.beginning(done_ - 1);
    if (read_at(file_, lines.before, begins.size(), path_) != begins) {
      throw Error(fmt::format("its row {} is not point {} of this sweep", done_, done_), path_, start_anew);
    }
  }
  if (::ftruncate(file_, keep) != 0 || ::lseek(file_, keep, SEEK_SET) < 0) throw_unwritable(path_);
  if (lines.count == 0) write(header);
}

void SweepFile::check_identity(const std::string& identity) const {
  const std::string beside = path_ + ".sweep";
  const std::string hint = fmt::format("another --output; or remove {} and {}, and it begins anew", path_, beside);
  std::ifstream in(beside, std::ios::binary);
  if (!in) {
    throw Error(fmt::format("the file is there, and no sweep of this program: there is no {}", beside), path_,
                "another --output, or remove the file");
  }
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (text == identity) return;
  const Json there = Json::parse(text, nullptr, false);
  if (there.is_discarded() || !there.is_object()) throw Error("it cannot be read", beside, hint);
  const Json here = Json::parse(identity);
  std::string differences;
  for (const auto& [key, value] : here.items()) {
    const auto other = there.find(key);
    if (other != there.end() && *other == value) continue;
    if (key == "points" && !differences.empty()) continue;  // it follows from the axes
    const std::string was = other == there.end() ? "nothing" : other->dump();
    differences += fmt::format("{}{}: {} there, {} here", differences.empty() ? "" : "; ", key, was, value.dump());
  }
  throw Error("it is another sweep: " + (differences.empty() ? "it says more than this program knows" : differences),
              path_, hint);
}

void SweepFile::write_identity(const std::string& identity) const {
  const std::string beside = path_ + ".sweep";
  const std::string partial = beside + ".partial";
  errno = 0;
  {
    std::ofstream out(partial, std::ios::binary | std::ios::trunc);
    out << identity;
    out.close();
    if (!out) throw_unwritable(beside);
  }
  if (::rename(partial.c_str(), beside.c_str()) != 0) throw_unwritable(beside);
}

void SweepFile::write(std::string_view rows) {
  while (!rows.empty()) {
    const ssize_t count = ::write(file_, rows.data(), rows.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_unwritable(path_);
    rows.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace ringsim::cli
