#include "cli/worker_reason.hpp"

#include "cli/failures.hpp"
#include "models/error.hpp"

#include <nlohmann/json.hpp>

#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace ringsim::cli {
namespace {

/// The last lines of what the worker said, without mpirun's frames and empty lines.
std::string last_words(const std::string& errors) {
  std::vector<std::string> lines;
  std::istringstream in(errors);
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_not_of("- \t\r") != std::string::npos) lines.push_back(line);
  }
  constexpr std::size_t shown = 6;
  std::string text;
  for (std::size_t i = lines.size() > shown ? lines.size() - shown : 0; i < lines.size(); ++i) {
    text += (text.empty() ? "" : "\n  ") + lines[i];
  }
  return text;
}

}  // namespace

void explain_failure(const ChildOutcome& outcome, const std::filesystem::path& reason, std::string_view whose) {
  if (outcome.interrupted) throw Interrupted();
  if (std::ifstream in(reason, std::ios::binary); in) {
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_discarded()) {
      const std::string message = json.value("message", "");
      const std::string hint = json.value("hint", "");
      if (json.value("missing", false)) throw MissingPart(message + (hint.empty() ? "" : "; " + hint));
      if (json.value("bad_input", false)) throw Error(message, json.value("where", ""), hint);
      throw BrokeOff(message);
    }
  }
  std::string how = outcome.signal != 0 ? std::string("ended by signal ") + ::strsignal(outcome.signal)
                                        : "ended with status " + std::to_string(outcome.exit_status);
  const std::string said = last_words(outcome.errors);
  throw BrokeOff(std::string(whose) + " " + how + (said.empty() ? "" : "; it said\n  " + said));
}

std::filesystem::path beside_this_program(std::string_view name) {
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path() / name;
}

}  // namespace ringsim::cli
