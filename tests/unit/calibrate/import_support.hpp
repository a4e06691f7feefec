#pragma once
// What the tests of calibrate/import/ share.

#include "models/error.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace ringsim::calibrate::testing {

// This namespace hides GoogleTest's from a source that is compiled in one batch with an includer of this header.
using namespace ::testing;

/// An example file of tests/data/import, or any other file of the repository.
inline std::string repository_file(const std::string& path) {
  std::ifstream file(std::string(RINGSIM_SOURCE_DIR) + "/" + path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
inline std::string example(const std::string& name) { return repository_file("tests/data/import/" + name); }

/// The text with its first `from` replaced, which must be there.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// "where | message | hint" of the Error that `action` throws; "no error" where it throws none.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.where() + " | " + error.message() + " | " + error.hint();
  }
  return "no error";
}

}  // namespace ringsim::calibrate::testing
