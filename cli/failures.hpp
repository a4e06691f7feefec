#pragma once
// Failures that are neither a mistake of the input (ringsim::Error) nor a bug, and how failures are told.

#include "models/error.hpp"
#include "reports/display.hpp"
#include "reports/style.hpp"

#include <exception>
#include <stdexcept>
#include <string>

namespace ringsim::cli {

/// A part that this program was built without.
class MissingPart : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Options that do not go together.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What was looked for does not exist. The report that says so has been printed.
class NothingFeasible : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What was compared differs by more than it may.
class OutsideTolerance : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The run, or writing its results, broke off.
class BrokeOff : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// SIGINT or SIGTERM came while a child was at work, and the child has ended.
class Interrupted : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

/// "error: WHERE: MESSAGE" and, below, "  hint: HINT"; what is empty is left out. Control characters of the input are
/// defused. Ends with a line end.
[[nodiscard]] inline std::string failure_text(const Error& error, const reports::Style& style) {
  std::string text = style.bad("error:") + " ";
  if (!error.where().empty()) text += reports::printable(error.where()) + ": ";
  text += reports::printable(error.message()) + "\n";
  if (!error.hint().empty()) text += "  " + style.bold("hint:") + " " + reports::printable(error.hint()) + "\n";
  return text;
}

}  // namespace ringsim::cli
