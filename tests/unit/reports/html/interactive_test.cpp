// What goes into a page for interactive charts, and how names in it stay inert.
#include "reports/html/interactive.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>
#include <string>

namespace ringsim::reports {
namespace {

ScatterChart chart_of(const std::string& name) {
  return {.words = {name, "One point."},
          .x = {"x"},
          .y = {"y"},
          .band = {},
          .series = {{.name = name, .tone = Tone::series_1, .points = {{1, 2, name}}}}};
}

TEST(Interactive, WithoutItsPackagesItSaysSoAndWritesNothing) {
  if (interactive_available()) GTEST_SKIP() << "built with node packages";
  EXPECT_NE(interactive_missing().find("./dev setup"), std::string::npos);
  EXPECT_EQ(interactive_versions(), "");
  EXPECT_THROW((void)interactive_head(), std::logic_error);
  EXPECT_THROW((void)interactive_figure("id", chart_of("a")), std::logic_error);
}

TEST(Interactive, TakesTheVersionsThatThePackageFileNames) {
  if (!interactive_available()) GTEST_SKIP() << "built without node packages";
  std::ifstream file(RINGSIM_SOURCE_DIR "/reports/interactive/package.json");
  const nlohmann::json wanted = nlohmann::json::parse(file).at("dependencies");
  const std::string versions = interactive_versions();
  for (const auto& [package, version] : wanted.items()) {
    // Exact versions: digits and points alone, no "^" or "~".
    EXPECT_EQ(version.get<std::string>().find_first_not_of("0123456789."), std::string::npos) << package;
    EXPECT_NE(versions.find(package + " " + version.get<std::string>()), std::string::npos) << versions;
  }
  // Their licences ask that notices go with copies.
  EXPECT_NE(interactive_head().find("Redistributions in binary form must reproduce the above copyright"),
            std::string::npos);
}

TEST(Interactive, ElementsOfTheHeadEndWhereTheyShould) {
  if (!interactive_available()) GTEST_SKIP() << "built without node packages";
  // Five scripts: notices, three bundles, ours. A "<script" or "<!--" more would be one that a parser finds inside of a bundle.
  const std::string head = interactive_head();
  const auto count = [&head](const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = head.find(what); at != std::string::npos; at = head.find(what, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("<script>"), 5U);
  EXPECT_EQ(count("<script"), 5U);
  EXPECT_EQ(count("</script"), 5U);
  EXPECT_EQ(count("<!--"), 0U);
}

TEST(Interactive, NamesInASpecificationCannotEndIt) {
  if (!interactive_available()) GTEST_SKIP() << "built without node packages";
  const std::string name = "</script><script>alert(1)</script>\"'&🚀";
  const std::string figure = interactive_figure("plans", chart_of(name));
  // The only tags are the target and the one script element, which no browser runs.
  const std::size_t start = figure.find("<script");
  const std::size_t end = figure.find("</script>");
  EXPECT_EQ(figure.find("<script", start + 1), std::string::npos);
  EXPECT_EQ(figure.find("</script>", end + 1), std::string::npos);
  EXPECT_NE(figure.find("type=\"application/json\""), std::string::npos);
  EXPECT_NE(figure.find("id=\"plans-view\""), std::string::npos);
  // Read as JSON it is the name again.
  const std::size_t json = figure.find('>', start) + 1;
  EXPECT_EQ(nlohmann::json::parse(figure.substr(json, end - json)).at("title"), name);
}

}  // namespace
}  // namespace ringsim::reports
