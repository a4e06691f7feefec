#pragma once
// Reads a Trace Event file, an event at a time: the text is parsed once, and only what may be an operation is kept.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::calibrate {

/// A complete event. Names repeat: `name` is an index into TraceFile::names.
struct TraceKernel {
  std::size_t name = 0;
  double start_us = 0;
  double duration_us = 0;
  std::int64_t device = 0;  // args.device, or the process
  std::int64_t stream = 0;  // args.stream, or the thread
  double bytes = 0;         // of a communication kernel: what it sends; 0 where not said
  bool all_to_all = false;  // a collective that NCCL makes of sends and receives
};

struct TraceFile {
  std::vector<std::string> names;
  std::vector<TraceKernel> kernels;  // in the order of the file
  bool has_kernel_category = false;  // false: `kernels` are all events, processes and threads numbered by appearance
  std::optional<std::int64_t> rank, world_size;
  std::optional<std::string> backend;
  std::optional<std::int64_t> base_time_ns;  // what the times count from
  std::string machine;
  std::int64_t open_begins = 0;  // B events without their E
};

/// Throws Error; see import_trace().
[[nodiscard]] TraceFile read_trace(const std::string& name, std::string_view text);

}  // namespace ringsim::calibrate
