#pragma once
// Measured points: what microbenchmarks and importers deliver, and what the fits take. An amount and its time, no model.

#include "models/collective.hpp"
#include "models/cost.hpp"
#include "models/plan.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::calibrate {

/// A time and how well it is known. The interval is the order-statistic 95 % interval of the median; both ends equal the
/// median where the source gives one number.
struct Timing {
  double median_s = 0;
  double low_s = 0;
  double high_s = 0;
  std::int64_t samples = 1;  // that were kept
};

/// An attention kernel, alone on its device.
struct AttentionPoint {
  Pass pass = Pass::forward;
  AttendShape shape;
  HeadShape heads;  // of the kernel: batch, query heads, key/value heads, dimensions
  Dtype dtype = Dtype::bf16;
  Timing time;
  std::string source;    // file:line, or the benchmark
  std::string origin{};  // who published it; empty: measured by ringsim
};

/// An attention kernel that no profile is fitted to, but that one is compared with: another implementation, one that was given
/// some of the SMs only, one whose operands lay in the caches, or one that folds its output into the accumulator itself.
struct AttentionVariantPoint : AttentionPoint {
  std::string kernel;                // implementation: "cudnn", "sm90"
  std::int64_t multiprocessors = 0;  // SMs that it may use; 0: all
  bool merging = false;              // reads and writes the accumulator instead of writing an output
  bool warm = false;                 // operands as the kernel before left them in the caches; false: from memory
};

/// Folding a partial result into an accumulator over `tokens` tokens.
struct MergePoint {
  Accumulator accumulator = Accumulator::output;
  bool travelling = false;
  double tokens = 0;
  RingShape shape;
  Timing time;
  std::string source;
  std::string origin{};
};

/// One hop of a ring: a grouped send and receive of `bytes` bytes each way, all ranks at once, from posting to the end.
struct TransferPoint {
  std::string link_class;
  double bytes = 0;
  std::int64_t ranks = 2;
  Timing time;
  std::string source;
  std::string origin{};
};

/// C (m × n) = A (m × k) · B (k × n): 2·m·n·k FLOP.
struct GemmPoint {
  std::int64_t m = 0, n = 0, k = 0;
  Dtype dtype = Dtype::bf16;
  Timing time;
  std::string source;
  std::string origin{};
};

/// Reading and writing memory: `bytes` bytes moved in all.
struct StreamPoint {
  double bytes = 0;
  Timing time;
  std::string source;
  std::string origin{};
};

/// A kernel and a hop, each alone and both at once, on all ranks; the hop is posted as the kernel begins.
struct InterferencePoint {
  TransferEngine engine = TransferEngine::sm_kernel;
  std::string link_class;
  double bytes = 0;
  Timing kernel_alone, kernel_beside;
  Timing transfer_alone, transfer_beside;
  std::string source;
  std::optional<Pass> pass{};  // of the attention kernel; absent: not told, or another kernel (a merge)
  std::int64_t blocks = 0;     // thread blocks that move the hop; 0: none (a copy engine), or not told
  bool kernel_first = false;   // the kernel had taken its SMs before the hop was ready
};

/// A copy within one GPU's memory: what stands for a hop where there is one GPU, by what moves it.
struct CopyPoint {
  TransferEngine engine = TransferEngine::sm_kernel;
  std::int64_t blocks = 0;      // thread blocks; 0: of a copy engine
  std::int64_t cluster = 1;     // thread blocks that are scheduled as a whole
  double rate_bytes_per_s = 0;  // that it is held to; 0: as fast as it goes
  double bytes = 0;             // read, and as many written
  Timing time;
  std::string source;
  std::string origin{};
};

/// What a program pays for an operation beside its work.
enum class Overhead {
  event,  // from the end of a kernel to the end of an empty one on another stream that waits for it by an event
  eager,  // of one of many empty kernels on a stream, enqueued one by one while the stream runs
  graph,  // of one of many empty kernels of a graph, launched as a whole
  issue,  // time of the host to enqueue an operation: wait for an event, launch, record an event
};
struct OverheadPoint {
  Overhead what = Overhead::event;
  Timing time;
  std::string source;
  std::string origin{};
};

/// A collective of `ranks` ranks, all at once. `bytes` as nccl-tests count them (models/collective.hpp): what a rank has
/// of an all-gather afterwards, of any other before.
struct CollectivePoint {
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::string link_class;
  std::int64_t ranks = 2;
  double bytes = 0;
  Timing time;
  std::string source;
  std::string origin{};
};

/// The fixed cost of a kernel on the critical path: one with next to no work.
struct LaunchPoint {
  Timing time;
  std::string source;
  std::string origin{};
};

/// Where the points come from.
struct Provenance {
  std::string device;                             // "host" | "cuda" | what an imported file says
  std::string machine;                            // CPU or GPU model
  std::int64_t ranks = 1;                         // processes or GPUs that were busy at once
  std::string software;                           // compiler, MPI, NCCL, driver: versions
  std::string date;                               // ISO 8601, UTC
  std::string commit;                             // of ringsim; empty where unknown
  std::map<std::string, std::int64_t> discarded;  // reason -> samples thrown away
  std::int64_t multiprocessors = 0;               // SMs of the GPU; 0: none, or not told
};

struct Points {
  Provenance provenance;
  std::vector<AttentionPoint> attention;
  std::vector<MergePoint> merge;
  std::vector<TransferPoint> transfer;
  std::vector<GemmPoint> gemm;
  std::vector<StreamPoint> stream;
  std::vector<InterferencePoint> interference;
  std::vector<LaunchPoint> launch;
  std::vector<CollectivePoint> collective;
  std::vector<AttentionVariantPoint> variants;
  std::vector<CopyPoint> copy;
  std::vector<OverheadPoint> overhead;
  std::vector<std::string> notes;  // what an importer skipped or assumed, a sentence each
};

}  // namespace ringsim::calibrate
