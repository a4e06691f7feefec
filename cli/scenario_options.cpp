#include "cli/scenario_options.hpp"

#include "cli/choices.hpp"
#include "models/error.hpp"
#include "models/names.hpp"
#include "scenarios/reader.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

namespace ringsim::cli {
namespace {

namespace fs = std::filesystem;

/// A file's extension; scenarios are written in two ways, and are meant by a name without any.
std::string kind_of(const fs::path& file) {
  const std::string extension = file.extension().string();
  return extension == ".yml" || extension.empty() ? ".yaml" : extension;
}

/// "did you mean DIRECTORY/NAME?" for a file that is not there; empty where nothing is near.
std::string nearest_file(const fs::path& wanted) {
  const fs::path directory = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
  std::vector<std::string> names;
  std::error_code unreadable;
  for (fs::directory_iterator entry(directory, unreadable), end; !unreadable && entry != end;
       entry.increment(unreadable)) {
    if (kind_of(entry->path()) == kind_of(wanted)) names.push_back(entry->path().filename().string());
  }
  const std::string wanted_name = wanted.filename().string();
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string_view near = nearest(wanted_name, known);
  if (near.empty()) return {};
  return "did you mean " + (wanted.has_parent_path() ? (directory / near).string() : std::string(near)) + "?";
}

/// CLI11 would wrap -1 and what is too large. Returns what is wrong, as a validator does.
std::string whole_number(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  return failure == std::errc() && stop == end ? "" : text + " is no whole number from 0 to 2^64 - 1";
}

void check_is_file(const std::string& path, const std::string& what) {
  std::error_code unreadable;
  const fs::file_status status = fs::status(path, unreadable);
  if (status.type() == fs::file_type::not_found) throw Error("no such file", path, nearest_file(path));
  if (status.type() == fs::file_type::directory) throw Error("a folder, where " + what + " is needed", path);
}

}  // namespace

CLI::Validator file_name() {
  return {[](const std::string& text) { return std::string(text.empty() ? "the name of the file is empty" : ""); }, "",
          "file name"};
}

void add_format_option(CLI::App& command, std::string& format) {
  command.add_option("--format", format, "How results are printed: text, json, csv or markdown (default text)")
      ->type_name("FORMAT")
      ->check(one_of({"text", "json", "csv", "markdown"}));
}

void add_scenario_options(CLI::App& command, ScenarioOptions& options, const std::string& seed_meaning) {
  command.add_option("SCENARIO", options.path, "Scenario file (YAML)")->required()->type_name("")->check(file_name());
  // Without extra arguments CLI11 takes a value as it stands, commas and brackets included.
  command.add_option("--set", options.sets, "Change a value of the scenario, such as parallel.ring=16; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_format_option(command, options.format);
  command.add_option("--seed", options.seed, seed_meaning + " (default 0)")
      ->type_name("N")
      ->check(CLI::Validator(whole_number, "", "whole number"));
}

Scenario load_scenario(const std::string& path, const std::vector<std::string>& sets) {
  check_is_file(path, "a scenario file");
  return scenarios::read_scenario(path, sets);
}

std::string load_file(const std::string& path) {
  check_is_file(path, "a file");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || in.bad()) throw Error(errno != 0 ? std::strerror(errno) : "cannot be read", path);
  return text.str();
}

}  // namespace ringsim::cli
