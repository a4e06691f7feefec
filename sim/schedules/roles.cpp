#include "sim/schedules/roles.hpp"

#include <fmt/format.h>

#include <type_traits>

namespace ringsim::sim {

std::vector<Operation> moved(const std::vector<Operation>& operations, std::size_t streams, std::size_t events) {
  std::vector<Operation> result = operations;
  for (Operation& operation : result) {
    std::visit(
        [&](auto& what) {
          using What = std::decay_t<decltype(what)>;
          if constexpr (std::is_same_v<What, Repeat>) {
            what.body = moved(what.body, streams, events);
          } else {
            what.stream += streams;
          }
          if constexpr (std::is_same_v<What, Record> || std::is_same_v<What, Wait>) what.event.family += events;
        },
        operation.what);
  }
  return result;
}

Roles::Roles(Program& program, std::int64_t count)
    : count_(count), streams_(program.streams.size()), events_(program.events.size()) {
  if (count == 1) return;
  const std::vector<std::string> streams = program.streams;
  const std::vector<std::string> event_names = program.events;
  std::vector<bool> computes;
  for (std::size_t s = 0; s < streams_; ++s) computes.push_back(program.computes_on(s));
  program.streams.clear();
  program.events.clear();
  program.roles.clear();
  program.role_of_stream.clear();
  program.computes.clear();
  for (std::int64_t role = 0; role < count; ++role) {
    program.roles.push_back(fmt::format("stage {}", role));
    for (std::size_t s = 0; s < streams_; ++s) {
      program.streams.push_back(fmt::format("{} stage {}", streams[s], role));
      program.role_of_stream.push_back(static_cast<std::size_t>(role));
      program.computes.push_back(computes[s]);
    }
    for (const std::string& name : event_names) program.events.push_back(fmt::format("{} stage {}", name, role));
  }
}

}  // namespace ringsim::sim
