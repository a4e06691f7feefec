#pragma once
// Runs that other programs measured, as spans of a ring's operations.
//
// Trace Event JSON of the PyTorch profiler (a file a rank), and of other tools: complete events of category "kernel" are
// mapped by name (kernel_names.hpp). A trace without that category counts every complete event or pair of begin and
// end: pid is then the rank, tid the stream.

#include "calibrate/import/kernel_names.hpp"
#include "sim/program.hpp"
#include "sim/spans.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::calibrate {

struct TraceOptions {
  std::vector<NamePattern> patterns;  // before the built-in ones
};

/// A file's name, for messages, and its content.
struct NamedText {
  std::string name;
  std::string_view text;
};

/// Spans by start, then rank; times from the earliest of them on. layer and step are -1 until assign_operations() finds
/// them. A transfer's span is its kernel's: from posting to the end, waiting for the other side included; its hop counts
/// as in flight all that time, and `bytes` is 0 where the trace does not say them.
struct ImportedRun {
  std::vector<sim::Span> spans;
  std::int64_t ranks = 0;                                 // that the files hold
  std::map<std::string, double, std::less<>> unmapped_s;  // kernel -> seconds, over all ranks
  std::optional<std::string> backend;                     // "nccl"
  std::optional<std::int64_t> world_size;                 // of the job, which may be more than were traced
  std::string machine;                                    // GPU model, where given
  std::vector<std::string> notes;
};

/// Rank: distributedInfo.rank, else the file's place in the list; for a single file without it the device. Throws Error
/// with file and line or path for what is no trace, a compressed file, an event without its times, a trace without GPU
/// kernels, two files of one rank. Time and memory are linear in the text.
[[nodiscard]] ImportedRun import_trace(const std::vector<NamedText>& files, const TraceOptions& options);

/// Gives spans the layer, step and name of the program's operations, by order. Attention kernels of a pass are those that
/// the program runs where their number on every rank is that of the steps that the mask leaves work in; merges belong
/// to the attention kernel before them; transfers are the program's shifts where their number is. What does not fit
/// keeps -1, and a note gives both numbers.
void assign_operations(ImportedRun& run, const sim::Program& program);

}  // namespace ringsim::calibrate
