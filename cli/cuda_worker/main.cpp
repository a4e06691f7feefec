// ringsim-cuda: a job on GPUs. Started by `ringsim measure` and `calibrate`, never by hand, but for its versions.
//   ringsim-cuda JOB RESULT REASON      process 0 writes RESULT; a process that fails writes REASON and ends all
//   ringsim-cuda --version              the libraries and GPUs that are found

#include "cli/cuda_worker/jobs.hpp"
#include "cli/worker_files.hpp"
#include "kernels/cuda/dynamic/library.hpp"
#include "kernels/cuda/dynamic/versions.hpp"
#include "models/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

namespace {

using namespace ringsim;
using cli::Fault;
using cli::write_reason;

cuda::Devices devices_for(const std::string& job) {
  const cuda::Devices devices = cuda::find_devices();
  if (!devices.devices.empty()) return devices;
  throw cuda::MissingLibrary(
      "no GPU to " + job + ": " + devices.why_none, {},
      job == "measure" ? "use --device host" : "use --device host, or --import what was measured elsewhere");
}

std::string run_job(const std::string& job, const std::string& text, const cuda::Devices& devices,
                    cuda::Processes& processes) {
  if (job == "measure") return cli::run_gpu_measure_job(text, devices, processes);
  if (job == "calibrate") return cli::run_gpu_calibrate_job(text, devices);
  throw Error("unknown job " + job);
}

int show_versions() {
  const cuda::Devices devices = cuda::find_devices();
  std::string text;
  for (const cuda::LibraryVersion& library : cuda::versions()) {
    text += fmt::format("{:<12} {:<12} {}\n", library.library, library.found() ? library.version : "no", library.path);
  }
  for (const cuda::DeviceInfo& device : devices.devices) {
    text += fmt::format("GPU {:<6} {}, compute capability {}.{}, {} SMs\n", device.id, device.name, device.major,
                        device.minor, device.sms);
  }
  if (devices.devices.empty()) text += fmt::format("no GPU     {}\n", devices.why_none);
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--version") return show_versions();
  if (argc != 4) {
    std::fputs("ringsim-cuda is started by ringsim measure and calibrate\n", stderr);
    return 2;
  }
  std::unique_ptr<cuda::Processes> processes;
  try {
    const std::string text = cli::read_job(argv[1]);
    const std::string job = nlohmann::json::parse(text).at("job");
    // First of all: a process without a GPU ends before others wait for it.
    const cuda::Devices devices = devices_for(job);
    processes = cli::join_processes();
    const std::string answer = run_job(job, text, devices, *processes);
    if (processes->number() == 0) cli::write_result(argv[2], answer);
    return 0;
  } catch (const cuda::MissingLibrary& error) {
    write_reason(argv[3], error, Fault::missing);
  } catch (const Error& error) {
    // What names no place in the input is the machine's failure.
    write_reason(argv[3], error, error.where().empty() ? Fault::machine : Fault::bad_input);
  } catch (const std::exception& error) {
    write_reason(argv[3], Error(std::string("the run on GPUs failed: ") + error.what()), Fault::machine);
  }
  if (processes) processes->end_all();
  return 1;
}
