#pragma once
// Measurements made elsewhere become Points: what a fit takes. docs/IMPORT.md describes the formats.
//
// The kind of a file is told from its content, never from its name. Nothing here opens a file.

#include "calibrate/points.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::calibrate {

/// What a file does not say about itself.
struct ImportOptions {
  std::string intra_class;  // link class of hops inside a node ("nvlink4"); needed for hops of such files
  std::string inter_class;  // link class of hops between nodes ("ib-ndr")
  /// Name of a column or benchmark axis in the file -> the column of docs/IMPORT.md that it stands for, or "ignore".
  std::map<std::string, std::string> names;
  /// Column of docs/IMPORT.md -> its value wherever the file gives none ("query_heads" -> "32"). Also "collective" ->
  /// "sendrecv" for output of nccl-tests that does not name its test (old versions).
  std::map<std::string, std::string> constants;
};

/// Points of one file. `name` is used in messages and as the points' source; `text` is the file's content. What is
/// skipped or assumed stands in Points::notes. Throws Error with file, line or path, what is wrong and what is expected;
/// for a file of an unknown kind it names the kinds that are known.
[[nodiscard]] Points import_points(const std::string& name, std::string_view text, const ImportOptions& options);

/// All points of several files. Provenances that differ are joined with ";", and a note says so where the machines differ.
[[nodiscard]] Points merge(const std::vector<Points>& parts);

}  // namespace ringsim::calibrate
