#include "calibrate/suite/committed.hpp"

#include "calibrate/json_object.hpp"

#include <cmath>

namespace ringsim::calibrate {

std::string medians_json(const SuiteResult& result) {
  nlohmann::ordered_json json = {{"schema_version", 1}, {"median_error", nlohmann::ordered_json::object()}};
  for (const SetResult& set : result.sets) {
    const SuiteScore& score = set.scores.front();
    if (score.rows > 0) json["median_error"][set.about.name] = std::ceil(score.median * 1e4) / 1e4;
  }
  return json.dump(2) + "\n";
}

std::map<std::string, double> read_medians(std::string_view text, const std::string& file) {
  const nlohmann::json json = parse_json(text, file);
  JsonObject top(json, file);
  (void)top.integer("schema_version", 1);
  const JsonObject medians = top.object("median_error");
  top.finish();
  std::map<std::string, double> result;
  for (const auto& [name, value] : json.at("median_error").items()) {
    result[name] = json_number(value, medians.where(name), 0.0);
  }
  return result;
}

std::vector<GrownMedian> grown_medians(const SuiteResult& result, const std::map<std::string, double>& committed) {
  std::vector<GrownMedian> grown;
  for (const SetResult& set : result.sets) {
    const SuiteScore& score = set.scores.front();
    if (score.rows == 0) continue;
    const auto known = committed.find(set.about.name);
    const double before = known == committed.end() ? 0.0 : known->second;
    if (score.median > before + allowed_growth) grown.push_back({set.about.name, before, score.median});
  }
  return grown;
}

}  // namespace ringsim::calibrate
