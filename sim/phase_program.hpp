#pragma once
// A program of a run that has several, one after the other: sim/phases.hpp says what they come to.

#include "sim/program.hpp"

#include <utility>
#include <vector>

namespace ringsim::sim {

struct PhaseProgram {
  Program program;
  double times = 1;        // how often it counts; 1 for one that continues or is continued
  bool continues = false;  // every rank starts where it ended in the phase before
};

/// A run of one program.
[[nodiscard]] inline std::vector<PhaseProgram> alone(Program program) {
  std::vector<PhaseProgram> phases(1, {std::move(program)});
  return phases;
}

}  // namespace ringsim::sim
