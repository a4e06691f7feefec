// `ringsim calibrate`: microbenchmarks of this machine, or measurements made elsewhere, become a profile.

#include "calibrate/fit/profile.hpp"
#include "calibrate/fit/rounded.hpp"
#include "calibrate/import/import.hpp"
#include "calibrate/measured_cluster.hpp"
#include "calibrate/paced_links.hpp"
#include "calibrate/samples.hpp"
#include "cli/benchmarks.hpp"
#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/failures.hpp"
#include "cli/gpu_cluster.hpp"
#include "cli/other_tools.hpp"
#include "cli/output.hpp"
#include "cli/ranks.hpp"
#include "cli/scenario_options.hpp"
#include "kernels/host/attention.hpp"
#include "models/error.hpp"
#include "reports/calibration_report.hpp"
#include "scenarios/format_cluster.hpp"
#include "scenarios/format_profile.hpp"
#include "scenarios/library.hpp"
#include "scenarios/reader.hpp"
#include "scenarios/units.hpp"
#include "version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringsim::cli {
namespace {

using Options = CalibrateOptions;

/// The two names of "A=B".
std::pair<std::string, std::string> halves(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError(option + " needs NAME=VALUE, not " + text);
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// "PUBLICATION (FILE:LINE)" without the publication, which the values name.
std::string place_of(const std::string& point) {
  const std::size_t open = point.rfind('(');
  return open == std::string::npos || !point.ends_with(')') ? point : point.substr(open + 1, point.size() - open - 2);
}

/// Where the profile comes from and how well it describes its points, for whoever opens the file. Of an import nothing that
/// changes from day to day: the same files make the same profile.
std::string profile_comment(const calibrate::Points& points, const calibrate::FitResult& fit) {
  const calibrate::Provenance& p = points.provenance;
  const bool here = !p.machine.empty() || !p.date.empty();
  std::string text = here ? fmt::format("Made by ringsim {} calibrate", version) : "Made by ringsim calibrate --import";
  if (!p.date.empty()) text += ", " + p.date;
  if (!p.machine.empty()) text += fmt::format(": {}, {} at once", p.machine, p.ranks);
  text += "\n|predicted / measured - 1| of the points:";
  for (const calibrate::FitReport& report : fit.reports) {
    if (report.residuals.empty()) continue;
    text += fmt::format("\n  {}: median {:.1f} %, 90 % within {:.1f} %, worst {:.0f} % ({}) of {}", report.name,
                        100 * report.median_residual, 100 * report.p90_residual, 100 * report.worst_residual,
                        here ? report.worst_point : place_of(report.worst_point), report.residuals.size());
  }
  return text;
}

calibrate::Points import_files(const Options& options, const Cluster& cluster) {
  calibrate::ImportOptions how;
  how.intra_class = cluster.intra_node.link_class;
  if (cluster.inter_node) how.inter_class = cluster.inter_node->link_class;
  for (const std::string& column : options.columns) how.names.insert(halves("--column", column));
  for (const std::string& constant : options.constants) how.constants.insert(halves("--constant", constant));
  std::vector<calibrate::Points> all;
  for (const std::string& file : options.imports) {
    const std::string text = load_file(file);
    all.push_back(calibrate::import_points(file, text, how));
  }
  return calibrate::merge(all);
}

Cluster cluster_named(const std::string& name) {
  return scenarios::read_cluster_text("use: " + nlohmann::json(name).dump(), "--cluster");
}

/// Of what was measured, where nobody says it. What others measured is theirs to name.
std::string cluster_of(const calibrate::Provenance& measured, bool here) {
  if (measured.device == "host") return "host";
  if (!here) throw UsageError("these are no measurements of a host: say what was measured, such as --cluster dgx-h100");
  const std::string found = cluster_of_gpu(measured.machine);
  if (!found.empty()) return found;
  throw UsageError("no cluster of the library has the measured GPU, " + measured.machine +
                   ": say what it is with --cluster; samples that were kept can be read with --import");
}

void calibrate_machine(Options options, reports::ColorChoice color) {
  const bool here = options.imports.empty();
  if (here && options.device.empty())
    throw UsageError("what is to be calibrated: --device host or cuda, or --import FILE");
  if (!here && !options.device.empty()) throw UsageError("--device and --import do not go together");
  if (!here && !options.samples.empty()) throw UsageError("--samples is for --device: imported files are the samples");
  if (!here && !options.write_cluster.empty()) throw UsageError("--write-cluster is for --device");

  const bool answers = !mpirun_place() || mpirun_place()->rank == 0;
  std::optional<ResultFile> output;
  std::optional<ResultFile> samples_file;
  std::optional<ResultFile> cluster_file;
  if (answers) {
    output.emplace(options.output);
    if (!options.samples.empty()) samples_file.emplace(options.samples);
    if (!options.write_cluster.empty()) cluster_file.emplace(options.write_cluster);
  }
  std::optional<Cluster> named;
  if (!options.cluster.empty()) named = cluster_named(options.cluster);

  calibrate::Points points;
  calibrate::FitOptions how;
  if (here) {
    if (named) options.link_class = named->intra_node.link_class;
    const auto samples = run_benchmarks(options);
    if (!samples) return;
    if (samples_file) {
      // First of all: whatever the fits may say, what was measured is kept.
      samples_file->stream() << calibrate::write_samples(*samples);
      samples_file->close();
    }
    write_for_other_tools(*samples, options.kernel_json, options.transfer_json);
    points = calibrate::points_of(*samples);
  } else {
    points = import_files(options, named ? *named : cluster_named("host"));
  }
  const Cluster cluster = named ? *named : cluster_named(cluster_of(points.provenance, here));
  how.name = options.name.empty() ? std::filesystem::path(options.output).stem().string() : options.name;
  how.gpu = cluster.gpu.name;
  if (!options.bases.empty()) {
    auto base = scenarios::read_partial_profile(options.bases, "--base");
    how.base = std::move(base.profile);
    how.base_lacks = std::move(base.left_out);
  }
  if (points.provenance.device == "host") {
    const host::Tiling tile;
    how.query_tile = tile.queries;
    how.key_tile = tile.keys;
  }
  for (const calibrate::TransferPoint& point : points.transfer) {
    if (const auto rate = calibrate::paced_rate(point.link_class)) how.nominal[point.link_class] = *rate;
  }
  how.nominal[cluster.intra_node.link_class] = cluster.intra_node.bandwidth;
  if (cluster.inter_node) how.nominal[cluster.inter_node->link_class] = cluster.inter_node->bandwidth;
  for (const std::string& nominal : options.nominal) {
    const auto [link_class, bandwidth] = halves("--nominal", nominal);
    how.nominal[link_class] = scenarios::parse_bandwidth(bandwidth);
  }
  calibrate::FitResult fit = calibrate::fit_profile(points, how);
  fit.profile = calibrate::rounded(std::move(fit.profile));

  output->stream() << scenarios::format_profile(fit.profile, profile_comment(points, fit), options.description);
  output->close();
  if (cluster_file) {
    cluster_file->stream() << scenarios::format_cluster(calibrate::measured_cluster(cluster, points, fit.nominal));
    cluster_file->close();
  }
  if (options.format == "json") return write_results(reports::render_json(fit, points));
  write_results(reports::render_text(fit, points, reports::style_of(color, stdout)));
}

}  // namespace

void add_calibrate(Program& program) {
  auto options = std::make_shared<Options>();
  CLI::App& command =
      *program.app.add_subcommand("calibrate", "Make a profile: benchmark this machine, or import measurements");
  command.add_option("--device", options->device, "Benchmark this machine: host or cuda")
      ->type_name("DEVICE")
      ->check(one_of({"host", "cuda"}));
  command
      .add_option("--import", options->imports,
                  "Measurements instead: nccl-tests (text, JSON), nvbench JSON, CSV of kernel times, ringsim's samples")
      ->type_name("FILE")
      ->check(file_name());
  command.add_option("--output", options->output, "The profile")
      ->required()
      ->type_name("FILE.yaml")
      ->check(file_name());
  command.add_option("--samples", options->samples, "Keep the raw samples of --device")
      ->type_name("FILE.json")
      ->check(file_name());
  command.add_option("--kernel-json", options->kernel_json, "cuda: kernels' samples as a file of nvbench")
      ->type_name("FILE.json")
      ->check(file_name());
  command.add_option("--transfer-json", options->transfer_json, "cuda: hops' samples as files of nccl-tests")
      ->type_name("FILE.json")
      ->check(file_name());
  command
      .add_option("--write-cluster", options->write_cluster, "Write this machine as a cluster, with peaks as measured")
      ->type_name("FILE.yaml")
      ->check(file_name());
  command
      .add_option(
          "--cluster", options->cluster,
          "What was measured: a cluster of the library, or a file (default: host, or the first one with this GPU)")
      ->type_name("CLUSTER")
      ->check(file_name());
  command
      .add_option(
          "--base", options->bases,
          "Profile for what the measurements do not give: of the library, or a file, which may leave out the rest; "
          "repeatable, later ones over earlier ones")
      ->type_name("PROFILE")
      ->allow_extra_args(false)
      ->check(file_name());
  command
      .add_option("--nominal", options->nominal,
                  "Bandwidth that the efficiencies of a link class refer to, beside the cluster's; repeatable")
      ->type_name("CLASS=BANDWIDTH")
      ->allow_extra_args(false);
  command.add_option("--description", options->description, "One line about the profile, shown by ringsim library")
      ->type_name("TEXT");
  command.add_option("--name", options->name, "Name of the profile (default: the output's)")->type_name("NAME");
  command
      .add_option("--ranks", options->ranks, "Processes that are benchmarked at once (default: the cores, at least 2)")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{4096}).description(""));
  command
      .add_option("--budget", options->budget,
                  "Time for all benchmarks (default 150 s); each takes one sample at least")
      ->type_name("TIME");
  command.add_option("--head-dim", options->head_dim, "Dimension of a head (default 64; cuda: 128)")
      ->type_name("D")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{4096}).description(""));
  command
      .add_option("--heads", options->heads,
                  "Query heads of a rank, the usual number first (default 4 1 8; cuda: one number, 32)")
      ->type_name("H")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{4096}).description(""));
  command.add_option("--kv-heads", options->kv_heads, "cuda: key/value heads (default a quarter of the query heads)")
      ->type_name("H")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{4096}).description(""));
  command.add_option("--dtype", options->dtype, "Number format: fp32 or fp64 (default fp32); cuda: bf16")
      ->type_name("DTYPE")
      ->check(one_of({"fp32", "fp64", "bf16"}));
  command.add_option("--column", options->columns, "A column of the imported files means COLUMN; repeatable")
      ->type_name("NAME=COLUMN")
      ->allow_extra_args(false);
  command.add_option("--constant", options->constants, "A value that the imported files leave out; repeatable")
      ->type_name("COLUMN=VALUE")
      ->allow_extra_args(false);
  command.add_option("--format", options->format, "How the fits are reported: text or json (default text)")
      ->type_name("FORMAT")
      ->check(one_of({"text", "json"}));
  command.footer(
      "Examples:\n"
      "  ringsim calibrate --device host --output host.yaml --samples host.samples.json\n"
      "  ringsim calibrate --device cuda --output gpu.yaml --samples gpu.samples.json\n"
      "  ringsim calibrate --import sendrecv.txt kernels.csv --cluster dgx-h100 --base h100-sxm --output mine.yaml");
  command.callback([&program, &command, options] {
    program.action = [&program, &command, options] {
      check_device_options(command, *options);
      calibrate_machine(*options, program.color);
    };
  });
}

}  // namespace ringsim::cli
