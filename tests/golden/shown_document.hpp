#pragma once
// Holds a document to the commands that it shows: each is run, ends as the document says, and prints what stands below it. With
// RINGSIM_UPDATE_GOLDEN=1 the blocks are written anew.

#include "tests/golden/shown_commands.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ringsim::golden {

/// What a document may name, in a folder of its own: files that commands write do not land among the sources.
inline void link_sources(const std::filesystem::path& folder) {
  for (const char* name : {"docs", "scenarios", "tests"})
    std::filesystem::create_directory_symlink(source_folder() / name, folder / name);
}

inline bool updates_golden_files() {
  const char* update = std::getenv("RINGSIM_UPDATE_GOLDEN");
  return update != nullptr && *update != '\0';
}

inline void hold_to_its_commands(const std::string& name) {
  const std::filesystem::path file = source_folder() / name;
  std::string document = content_of(file);
  const std::vector<ShownCommand> commands = shown_commands(document);
  ASSERT_FALSE(commands.empty());
  const TemporaryFolder folder;
  link_sources(folder.path());
  for (auto command = commands.rbegin(); command != commands.rend(); ++command) {  // places before stay where they are
    SCOPED_TRACE(name + ":" + std::to_string(command->line));
    const Outcome outcome = run(command->arguments, {.folder = folder.path()});
    EXPECT_EQ(outcome.status, command->status) << outcome.err;
    if (command->shown == std::vector<std::string>{"nothing"}) continue;
    EXPECT_TRUE(command->has_text) << "a command without what it prints";
    if (!command->has_text || outcome.status != command->status) continue;
    std::string shown;
    try {
      const bool error = command->shown == std::vector<std::string>{"error"};
      shown = error ? outcome.err : shown_of(outcome.out, command->shown);
    } catch (const std::runtime_error& error) {
      ADD_FAILURE() << error.what();
      continue;
    }
    const std::string stands = document.substr(command->begin, command->end - command->begin);
    if (updates_golden_files()) {
      document.replace(command->begin, command->end - command->begin, shown);
    } else {
      EXPECT_EQ(stands, shown);
    }
  }
  if (updates_golden_files()) std::ofstream(file, std::ios::binary) << document;
}

}  // namespace ringsim::golden
