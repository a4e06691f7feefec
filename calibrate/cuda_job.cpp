#include "calibrate/cuda_job.hpp"

#include "models/error.hpp"

#include <nlohmann/json.hpp>

namespace ringsim::calibrate {

using Json = nlohmann::json;

std::string to_json(const CudaMeasureJob& job) {
  Json json = Json::parse(to_json(job.run));
  json["kernels"] = job.kernels;
  json["fused_merge"] = job.fused_merge;
  json["graph"] = job.graph;
  json["link_bytes_per_s"] = job.link_bytes_per_s;
  json["copy_engine"] = job.copy_engine;
  json["transfer_blocks"] = job.transfer_blocks;
  json["activity"] = job.activity;
  return json.dump();
}

CudaMeasureJob cuda_measure_job_of(std::string_view text) {
  CudaMeasureJob job;
  job.run = measure_job_of(text);
  try {
    const Json json = Json::parse(text);
    json.at("kernels").get_to(job.kernels);
    json.at("fused_merge").get_to(job.fused_merge);
    json.at("graph").get_to(job.graph);
    json.at("link_bytes_per_s").get_to(job.link_bytes_per_s);
    json.at("copy_engine").get_to(job.copy_engine);
    json.at("transfer_blocks").get_to(job.transfer_blocks);
    json.at("activity").get_to(job.activity);
  } catch (const Json::exception& error) {
    throw Error(std::string("a message to the worker for GPUs cannot be read: ") + error.what(), {},
                "are ringsim and ringsim-cuda of the same build?");
  }
  return job;
}

}  // namespace ringsim::calibrate
