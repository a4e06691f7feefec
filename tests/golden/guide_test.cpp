// The user guide and the model: every command prints what stands below it, every source file that is named is there, every link leads
// somewhere.

#include "tests/golden/shown_document.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace ringsim::golden {
namespace {

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
    found.push_back((*at)[1].str());
  return found;
}

/// Headings as links name them: lower case, no punctuation, - for blanks.
std::set<std::string> anchors_of(const std::string& document) {
  std::set<std::string> anchors;
  for (const std::string& line : lines_of(document)) {
    if (!line.starts_with('#')) continue;
    std::string anchor;
    for (const char c : line.substr(line.find(' ') + 1)) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0) anchor += static_cast<char>(std::tolower(c));
      if (c == '-' || c == '_') anchor += c;
      if (c == ' ') anchor += '-';
    }
    anchors.insert(anchor);
  }
  return anchors;
}

void check_links(const std::string& name) {
  const std::string document = content_of(source_folder() / name);
  ASSERT_FALSE(document.empty());
  static const std::regex link(R"(\]\(([^)\s]+)\))");
  const std::vector<std::string> links = matches(document, link);
  EXPECT_FALSE(links.empty());
  for (const std::string& target : links) {
    if (target.starts_with("https://")) continue;
    SCOPED_TRACE(name + " links to " + target);
    const std::size_t hash = target.find('#');
    const std::string file = target.substr(0, hash);
    const std::filesystem::path path =
        file.empty() ? source_folder() / name : (source_folder() / name).parent_path() / file;
    EXPECT_TRUE(std::filesystem::exists(path));
    if (hash == std::string::npos) continue;
    EXPECT_TRUE(anchors_of(content_of(path)).contains(target.substr(hash + 1)));
  }
}

TEST(UserGuide, ItsScenariosAreRead) {
  static const std::regex block("```yaml\n([^`]+)```");
  const std::vector<std::string> scenarios = matches(content_of(source_folder() / "docs/USER_GUIDE.md"), block);
  ASSERT_FALSE(scenarios.empty());
  const TemporaryFolder folder;
  for (const std::string& scenario : scenarios) {
    std::ofstream(folder.path() / "scenario.yaml") << scenario;
    const Outcome outcome = run({"show", "scenario.yaml"}, {.folder = folder.path()});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  }
}

TEST(UserGuide, ShowsWhatTheCommandsPrint) { hold_to_its_commands("docs/USER_GUIDE.md"); }

TEST(Model, ShowsWhatTheCommandsPrint) { hold_to_its_commands("docs/MODEL.md"); }

TEST(Model, NamesSourceFilesThatAreThere) {
  const std::string document = content_of(source_folder() / "docs/MODEL.md");
  static const std::regex file("`((?:models|sim|kernels|calibrate|reports|scenarios)/[a-z0-9_/]+\\.[ch]pp)`");
  const std::vector<std::string> files = matches(document, file);
  EXPECT_GT(files.size(), 40U);  // an equation without a file would be hearsay
  for (const std::string& name : files) EXPECT_TRUE(std::filesystem::exists(source_folder() / name)) << name;
}

TEST(Documents, LinksLeadSomewhere) {
  for (const char* name : {"docs/USER_GUIDE.md", "docs/MODEL.md", "docs/SCENARIO.md"}) check_links(name);
}

}  // namespace
}  // namespace ringsim::golden
