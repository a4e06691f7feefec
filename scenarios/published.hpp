#pragma once
// The published measurements that ship with the program (scenarios/library/published): a pair of files a set. NAME.yaml says
// what the measurements are and holds the scenario that all rows share; NAME.csv has a row a measurement, with what it changes
// of that scenario (calibrate/suite/rows.hpp).

#include "models/published_set.hpp"
#include "models/scenario.hpp"
#include "scenarios/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringsim::scenarios {

struct PublishedSource {
  PublishedSet about;
  Value scenario;         // that all rows share
  std::string rows_file;  // for messages: "library/published/meta-t4.csv"
  std::string_view rows;  // its text
};

/// The names of all sets, in alphabetic order.
[[nodiscard]] std::vector<std::string_view> published_names();

/// Throws Error where there is no such set (naming the nearest one), and with file:line:column where its description breaks the
/// language.
[[nodiscard]] PublishedSource read_published(std::string_view name);
/// The same from texts; `file` stands for the description in messages.
[[nodiscard]] PublishedSource read_published_text(std::string_view name, std::string_view description,
                                                  const std::string& file, std::string_view rows);

/// The scenario that all rows share, with `sets` ("key=value") applied. Throws Error like read_scenario_text().
[[nodiscard]] Scenario published_scenario(const PublishedSource& source, const std::string& name,
                                          const std::vector<std::string>& sets);

}  // namespace ringsim::scenarios
