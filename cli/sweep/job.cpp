#include "cli/sweep/job.hpp"

#include "models/error.hpp"

#include <nlohmann/json.hpp>

namespace ringsim::cli {

std::string to_json(const SweepJob& job) {
  return nlohmann::json{{"job", "sweep"},
                        {"name", job.name},
                        {"text", job.text},
                        {"directory", job.directory},
                        {"sets", job.sets},
                        {"engine", job.engine},
                        {"seed", job.seed},
                        {"columns", job.columns},
                        {"json_lines", job.json_lines},
                        {"output", job.output},
                        {"made_by", job.made_by},
                        {"show_progress", job.show_progress},
                        {"launcher", job.launcher}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

SweepJob sweep_job_of(std::string_view text) {
  const auto json = nlohmann::json::parse(text);
  SweepJob job;
  json.at("name").get_to(job.name);
  json.at("text").get_to(job.text);
  json.at("directory").get_to(job.directory);
  json.at("sets").get_to(job.sets);
  json.at("engine").get_to(job.engine);
  json.at("seed").get_to(job.seed);
  json.at("columns").get_to(job.columns);
  json.at("json_lines").get_to(job.json_lines);
  json.at("output").get_to(job.output);
  json.at("made_by").get_to(job.made_by);
  json.at("show_progress").get_to(job.show_progress);
  json.at("launcher").get_to(job.launcher);
  return job;
}

sim::EngineChoice engine_of(const SweepJob& job) {
  for (const sim::EngineChoice engine :
       {sim::EngineChoice::closed_form, sim::EngineChoice::recurrence, sim::EngineChoice::flow}) {
    if (job.engine == name_of(engine)) return engine;
  }
  return sim::EngineChoice::automatic;
}

}  // namespace ringsim::cli
