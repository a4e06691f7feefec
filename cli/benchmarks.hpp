#pragma once
// What `ringsim calibrate` benchmarks, a file a device.

#include "calibrate/samples.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::cli {

struct CalibrateOptions {
  std::string device;
  std::vector<std::string> imports;
  std::vector<std::string> columns;    // "NAME=COLUMN"
  std::vector<std::string> constants;  // "COLUMN=VALUE"
  std::string cluster;                 // empty: this machine
  std::vector<std::string> bases;
  std::string name;
  std::string output;
  std::string samples;
  std::string kernel_json;
  std::string transfer_json;
  std::string write_cluster;
  std::string description;
  std::vector<std::string> nominal;  // "CLASS=BANDWIDTH"
  std::string budget = "150 s";
  std::string dtype;                // empty: fp32 of a host, bf16 of a GPU
  std::int64_t ranks = 0;           // 0: the cores, 2 at least
  std::int64_t head_dim = 0;        // 0: 64 on a host, 128 on a GPU
  std::vector<std::int64_t> heads;  // empty: 4 1 8 on a host, 32 on a GPU
  std::int64_t kv_heads = 0;        // of a GPU; 0: a quarter of the query heads
  std::string link_class;           // of the cluster's links between the GPUs of a node
  std::string format = "text";
};

/// Throws UsageError where an option was given that is another device's.
void check_device_options(const CLI::App& command, const CalibrateOptions& options);

/// Nothing: another process of the mpirun has the samples. Throws MissingPart where the device, or what runs on it, is missing.
[[nodiscard]] std::optional<calibrate::Samples> run_benchmarks(const CalibrateOptions& options);

}  // namespace ringsim::cli
