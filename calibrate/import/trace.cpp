#include "calibrate/import/trace.hpp"

#include "calibrate/import/trace_reader.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

namespace ringsim::calibrate {
namespace {

using sim::Span;
using sim::SpanKind;

double start_of(const TraceKernel& kernel) { return kernel.start_us; }
double end_of(const TraceKernel& kernel) { return kernel.start_us + kernel.duration_us; }

/// Turns the kernels of one stream of one rank, by start, into spans [us].
class StreamMapper {
 public:
  StreamMapper(const TraceFile& file, KernelNames& names, ImportedRun& run, double& collective_us)
      : file_(file), names_(names), run_(run), collective_us_(collective_us) {}

  void map(const std::vector<const TraceKernel*>& kernels, std::int64_t rank, double offset_us) {
    rank_ = rank;
    offset_us_ = offset_us;
    for (const TraceKernel* kernel : kernels) take(*kernel);
    drop_preparation();
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  void take(const TraceKernel& kernel) {
    KernelClass meaning = names_.classify(file_.names[kernel.name]);
    if (meaning.kind == KernelKind::transfer && kernel.all_to_all) meaning = {KernelKind::collective, std::nullopt};
    switch (meaning.kind) {
      case KernelKind::attention:
        attention(kernel, *meaning.pass);
        break;
      case KernelKind::preparation:
        drop_preparation();
        preparation_ = &kernel;
        break;
      case KernelKind::completion:
        // It ends what the attention kernel began, as long as nothing else has run in between.
        if (directly_after_attention_ && attention_pass_ == meaning.pass) {
          run_.spans[attention_].end_s = run_.spans[attention_].flight_end_s = end_of(kernel) + offset_us_;
        } else {
          leave(kernel);
        }
        break;
      case KernelKind::merge:
        add(kernel, SpanKind::merge, merge_name());
        break;
      case KernelKind::elementwise:
        if (directly_after_attention_) {
          add(kernel, SpanKind::merge, merge_name());
        } else {
          leave(kernel);
        }
        break;
      case KernelKind::transfer:
        add(kernel, SpanKind::transfer, "shift");
        run_.spans.back().bytes = kernel.bytes;
        break;
      case KernelKind::collective:
        collective_us_ += kernel.duration_us;
        leave(kernel);
        break;
      case KernelKind::other:
        leave(kernel);
        // A copy may be part of a merge; any other kernel is another part of the network.
        if (!file_.names[kernel.name].starts_with("Memcpy")) directly_after_attention_ = false;
        break;
    }
  }

  void attention(const TraceKernel& kernel, Pass pass) {
    add(kernel, SpanKind::attention, sim::attention_name(pass));
    attention_ = run_.spans.size() - 1;
    attention_pass_ = pass;
    directly_after_attention_ = true;
    if (preparation_ == nullptr || pass != Pass::backward) return;
    run_.spans.back().start_s = run_.spans.back().flight_start_s = start_of(*preparation_) + offset_us_;
    preparation_ = nullptr;
  }

  [[nodiscard]] std::string merge_name() const {
    if (attention_ == none) return "merge";
    return attention_pass_ == Pass::forward ? sim::merge_name(Accumulator::output) : "add gradients";
  }

  void add(const TraceKernel& kernel, SpanKind kind, std::string name) {
    Span span;
    span.rank = rank_;
    span.kind = kind;
    span.name = std::move(name);
    span.layer = span.step = -1;
    span.start_s = span.flight_start_s = start_of(kernel) + offset_us_;
    span.end_s = span.flight_end_s = end_of(kernel) + offset_us_;
    run_.spans.push_back(std::move(span));
  }

  void leave(const TraceKernel& kernel) { run_.unmapped_s[file_.names[kernel.name]] += kernel.duration_us / 1e6; }
  void drop_preparation() {
    if (preparation_ != nullptr) leave(*preparation_);
    preparation_ = nullptr;
  }

  const TraceFile& file_;
  KernelNames& names_;
  ImportedRun& run_;
  double& collective_us_;
  std::int64_t rank_ = 0;
  double offset_us_ = 0;
  const TraceKernel* preparation_ = nullptr;
  std::size_t attention_ = none;
  std::optional<Pass> attention_pass_;
  bool directly_after_attention_ = false;
};

/// Rank of every device (or process) of a single file that does not say its rank: by ascending number, of those that
/// do attention or transfers; processes with a text for a name in the order in which they appear.
std::map<std::int64_t, std::int64_t> ranks_of_devices(const TraceFile& file, KernelNames& names) {
  std::set<std::pair<bool, std::int64_t>> devices;
  for (const TraceKernel& kernel : file.kernels) {
    const KernelKind kind = names.classify(file.names[kernel.name]).kind;
    if (kind != KernelKind::attention && kind != KernelKind::transfer) continue;
    devices.emplace(kernel.device < 0, kernel.device < 0 ? -kernel.device : kernel.device);
  }
  std::map<std::int64_t, std::int64_t> ranks;
  for (const auto& [is_text, number] : devices) {
    ranks.emplace(is_text ? -number : number, static_cast<std::int64_t>(ranks.size()));
  }
  return ranks;
}

class RunBuilder {
 public:
  RunBuilder(const std::vector<NamedText>& files, const TraceOptions& options)
      : files_(files), names_(options.patterns) {}

  ImportedRun build() {
    if (files_.empty()) throw Error("no trace is given", {}, "a trace file of every rank");
    for (const NamedText& file : files_) add_file(file);
    run_.ranks = static_cast<std::int64_t>(ranks_.size());
    settle_times();
    add_notes();
    return std::move(run_);
  }

 private:
  void add_file(const NamedText& named) {
    const TraceFile file = read_trace(named.name, named.text);
    if (run_.machine.empty()) run_.machine = file.machine;
    if (!run_.backend) run_.backend = file.backend;
    if (!run_.world_size) run_.world_size = file.world_size;
    const double offset_us = offset_of(file, named.name);

    const bool by_device = !file.rank && files_.size() == 1;
    const std::map<std::int64_t, std::int64_t> device_ranks =
        by_device ? ranks_of_devices(file, names_) : std::map<std::int64_t, std::int64_t>();
    const std::int64_t file_rank = file.rank.value_or(file_index_);
    if (!by_device) claim(file_rank, named.name);
    for (const auto& [device, rank] : device_ranks) claim(rank, named.name);

    std::map<std::tuple<std::int64_t, std::int64_t>, std::vector<const TraceKernel*>> streams;
    for (const TraceKernel& kernel : file.kernels) streams[{kernel.device, kernel.stream}].push_back(&kernel);
    for (auto& [stream, kernels] : streams) {
      std::stable_sort(kernels.begin(), kernels.end(),
                       [](const TraceKernel* a, const TraceKernel* b) { return a->start_us < b->start_us; });
      const auto device = device_ranks.find(std::get<0>(stream));
      const std::int64_t rank = device == device_ranks.end() ? (by_device ? -1 : file_rank) : device->second;
      StreamMapper(file, names_, run_, collective_us_).map(kernels, rank, offset_us);
    }
    if (!file.rank)
      note(fmt::format("{}: the trace does not say its rank; taken {}", named.name,
                       by_device ? "from its devices" : "from the order of the files"));
    if (!file.has_kernel_category) {
      note(fmt::format(
          "{}: no event is marked as a GPU kernel; all complete events count, pid as rank and tid as stream",
          named.name));
    }
    if (file.open_begins > 0) note(fmt::format("{}: {} events begin but never end", named.name, file.open_begins));
    ++file_index_;
  }

  void claim(std::int64_t rank, const std::string& file) {
    const auto [other, added] = ranks_.emplace(rank, file);
    if (added) return;
    throw Error(fmt::format("two traces are of rank {}: the other is {}", rank, other->second), file,
                "one trace a rank, all of one run");
  }

  /// What the file's clock is ahead of the first file's [us].
  double offset_of(const TraceFile& file, const std::string& name) {
    if (file_index_ == 0) base_time_ns_ = file.base_time_ns;
    if (base_time_ns_.has_value() != file.base_time_ns.has_value()) {
      throw Error("some traces say what their times count from (baseTimeNanoseconds), others do not", name,
                  "traces of one run, written by one version of PyTorch");
    }
    return base_time_ns_ ? static_cast<double>(*file.base_time_ns - *base_time_ns_) / 1e3 : 0;
  }

  /// Microseconds on the file's clock become seconds from the earliest span.
  void settle_times() {
    // Kernels of a single file's other devices have no rank.
    std::erase_if(run_.spans, [](const Span& span) { return span.rank < 0; });
    if (run_.spans.empty()) {
      throw Error("no event of the trace is an attention kernel or a transfer", files_.front().name,
                  "map its kernels by name patterns, such as my_kernel=attention-forward");
    }
    double first_us = std::numeric_limits<double>::infinity();
    for (const Span& span : run_.spans) first_us = std::min(first_us, span.start_s);
    for (Span& span : run_.spans) {
      for (double* time : {&span.start_s, &span.end_s, &span.flight_start_s, &span.flight_end_s}) {
        *time = (*time - first_us) / 1e6;
      }
    }
    std::stable_sort(run_.spans.begin(), run_.spans.end(), [](const Span& a, const Span& b) {
      return std::tie(a.start_s, a.rank) < std::tie(b.start_s, b.rank);
    });
  }

  void add_notes() {
    if (collective_us_ > 0) {
      note(fmt::format("collectives took {:.3g} s over all ranks; they are no part of a ring's operations",
                       collective_us_ / 1e6));
    }
    std::map<std::int64_t, std::pair<double, double>> extent;  // of every rank
    for (const Span& span : run_.spans) {
      const auto [found, added] = extent.emplace(span.rank, std::pair(span.start_s, span.end_s));
      found->second.first = std::min(found->second.first, span.start_s);
      found->second.second = std::max(found->second.second, span.end_s);
    }
    double last_start = 0;
    double first_end = std::numeric_limits<double>::infinity();
    for (const auto& [rank, times] : extent) {
      last_start = std::max(last_start, times.first);
      first_end = std::min(first_end, times.second);
    }
    if (last_start > first_end) {
      note("one rank's trace ends before another's begins: they are of different times, or their clocks differ");
    }
    if (run_.world_size && *run_.world_size > run_.ranks) {
      note(fmt::format("traces of {} of the job's {} ranks", run_.ranks, *run_.world_size));
    }
  }

  void note(std::string text) { run_.notes.push_back(std::move(text)); }

  const std::vector<NamedText>& files_;
  KernelNames names_;
  ImportedRun run_;
  std::map<std::int64_t, std::string> ranks_;  // -> file
  std::int64_t file_index_ = 0;
  std::optional<std::int64_t> base_time_ns_;
  double collective_us_ = 0;
};

}  // namespace

ImportedRun import_trace(const std::vector<NamedText>& files, const TraceOptions& options) {
  return RunBuilder(files, options).build();
}

}  // namespace ringsim::calibrate
