// ringsim-mpi: one rank of a job. Started by `ringsim measure` and `ringsim calibrate`, never by hand.
//   ringsim-mpi JOB RESULT REASON      rank 0 writes RESULT; a rank that fails writes REASON and ends all ranks

#include "cli/worker/jobs.hpp"
#include "kernels/host/mpi/communicator.hpp"
#include "models/error.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace {

using namespace ringsim;

std::string contents(const char* path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(std::string("cannot read ") + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void tell(const char* path, const Error& error, bool bad_input) {
  std::ofstream(path, std::ios::binary) << nlohmann::json{
      {"message", error.message()},
      {"where", error.where()},
      {"hint", error.hint()},
      {"bad_input", bad_input}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string run_job(const std::string& text, host::Communicator& ranks) {
  const std::string job = nlohmann::json::parse(text).at("job");
  if (job == "measure") return cli::run_measure_job(text, ranks);
  if (job == "calibrate") return cli::run_calibrate_job(text, ranks);
  throw Error("unknown job " + job);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("ringsim-mpi is started by ringsim measure and ringsim calibrate\n", stderr);
    return 2;
  }
  std::optional<host::Communicator> ranks;
  try {
    ranks.emplace();
    const std::string answer = run_job(contents(argv[1]), *ranks);
    if (ranks->rank() == 0) {
      std::ofstream out(argv[2], std::ios::binary);
      out << answer;
      out.close();
      if (!out) throw Error(std::string("cannot write ") + argv[2]);
    }
    return 0;
  } catch (const Error& error) {
    tell(argv[3], error, !error.where().empty());  // what names no place in the input is the machine's failure
  } catch (const std::exception& error) {
    tell(argv[3], Error(std::string("a rank failed: ") + error.what()), false);
  }
  // The other ranks wait for this one: nothing but ending them all helps.
  if (ranks) ranks->abort(1);
  return 1;
}
