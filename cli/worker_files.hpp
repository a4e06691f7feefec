#pragma once
// The files of a worker: the job that it gets, and the result or the reason of a failure that it leaves.

#include "models/error.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace ringsim::cli {

[[nodiscard]] inline std::string read_job(const char* path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(std::string("cannot read ") + path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void write_result(const char* path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw Error(std::string("cannot write ") + path);
}

/// Whose fault a failure is.
enum class Fault {
  machine,    // the run broke off
  bad_input,  // the job itself is wrong, not the machine that it ran on
  missing,    // a device, or a library that is opened when it is needed
};

inline void write_reason(const char* path, const Error& error, Fault fault) {
  std::ofstream(path, std::ios::binary) << nlohmann::json{
      {"message", error.message()},
      {"where", error.where()},
      {"hint", error.hint()},
      {"bad_input", fault == Fault::bad_input},
      {"missing", fault == Fault::missing}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace ringsim::cli
