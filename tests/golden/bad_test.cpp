// Bad input, as a user meets it: `ringsim run NAME.yaml` in tests/golden/bad ends with status 3, nothing on stdout, and
// the message in NAME.expected on stderr. NAME.args, where there is one, holds further arguments, one a line.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

const std::filesystem::path folder = std::filesystem::path(RINGSIM_SOURCE_DIR) / "tests/golden/bad";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string shell_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

struct Outcome {
  int status = -1;
  std::string output;  // stderr, or stdout
};

Outcome run(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  char buffer[4096];
  std::size_t count = 0;
  while ((count = fread(buffer, 1, sizeof buffer, pipe)) > 0) outcome.output.append(buffer, count);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() == ".yaml") names.push_back(file.path().stem().string());
  }
  return names;
}

class BadInput : public testing::TestWithParam<std::string> {};

TEST_P(BadInput, IsExplained) {
  const std::string name = GetParam();
  std::string command = "cd " + shell_quoted(folder.string()) + " && " + shell_quoted(RINGSIM_BINARY) + " run " +
                        shell_quoted(name + ".yaml");
  std::ifstream arguments(folder / (name + ".args"));
  for (std::string argument; std::getline(arguments, argument);) command += " " + shell_quoted(argument);
  const Outcome messages = run(command + " 2>&1 >/dev/null");
  EXPECT_EQ(messages.status, 3);
  EXPECT_EQ(messages.output, text_of(folder / (name + ".expected")));
  EXPECT_EQ(run(command + " 2>/dev/null").output, "");
}

INSTANTIATE_TEST_SUITE_P(Golden, BadInput, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<std::string>& parameter) {
                           std::string name = parameter.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
