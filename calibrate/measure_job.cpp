#include "calibrate/measure_job.hpp"

#include "models/error.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace ringsim::calibrate {
namespace {

using Json = nlohmann::json;

template <class Read>
auto parsed(std::string_view text, const Read& read) {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw Error(std::string("a message between ringsim and its ranks cannot be read: ") + error.what(), {},
                "are ringsim and ringsim-mpi of the same build?");
  }
}

}  // namespace

std::string to_json(const MeasureJob& job) {
  return Json{{"job", "measure"},       {"scenario_yaml", job.scenario_yaml}, {"warmup", job.warmup},
              {"repeats", job.repeats}, {"max_seconds", job.max_seconds},     {"check", job.check},
              {"seed", job.seed}}
      .dump();
}

MeasureJob measure_job_of(std::string_view text) {
  return parsed(text, [](const Json& json) {
    return MeasureJob{json.at("scenario_yaml"), json.at("warmup"), json.at("repeats"),
                      json.at("max_seconds"),   json.at("check"),  json.at("seed")};
  });
}

std::string to_json(const MeasureAnswer& answer) {
  Json repeats = Json::array();
  for (const host::Recording& recording : answer.recordings) {
    Json ranks = Json::array();
    for (const auto& rank : recording) {
      Json times = Json::array();
      for (const host::OperationTimes& t : rank) times.push_back({t.begin_s, t.end_s, t.received_s});
      ranks.push_back(std::move(times));
    }
    repeats.push_back(std::move(ranks));
  }
  return Json{{"repeats_s", std::move(repeats)}, {"check_error", answer.check_error},
              {"software", answer.software},     {"machine", answer.machine},
              {"notes", answer.notes},           {"activity_csv", answer.activity_csv}}
      .dump();
}

MeasureAnswer measure_answer_of(std::string_view text) {
  return parsed(text, [](const Json& json) {
    MeasureAnswer answer;
    for (const Json& repeat : json.at("repeats_s")) {
      host::Recording& recording = answer.recordings.emplace_back();
      for (const Json& rank : repeat) {
        auto& times = recording.emplace_back();
        for (const Json& t : rank) times.push_back({t.at(0), t.at(1), t.at(2)});
      }
    }
    json.at("check_error").get_to(answer.check_error);
    json.at("software").get_to(answer.software);
    json.at("machine").get_to(answer.machine);
    json.at("notes").get_to(answer.notes);
    json.at("activity_csv").get_to(answer.activity_csv);
    return answer;
  });
}

CheckOutcome check_outcome(Dtype dtype, const std::map<std::string, double>& error) {
  const double tolerance = dtype == Dtype::fp64 ? 1e-12 : dtype == Dtype::fp32 ? 1e-5 : 1e-2;
  CheckOutcome outcome{tolerance, error, !error.empty()};
  for (const auto& [name, off] : error) outcome.passed = outcome.passed && off <= outcome.tolerance;
  return outcome;
}

}  // namespace ringsim::calibrate
