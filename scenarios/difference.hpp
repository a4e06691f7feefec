#pragma once
// What two scenarios differ in, as inputs that can be exchanged one by one: a mix is A as it was written with some inputs of B, read
// again, so that all that follows from an input (the fields of a model, the profile of a GPU) follows in the mix, too.
//
// Inputs are the keys that were written differently, with exceptions. What is one thing is one input: a model, a mapping that one
// side lacks, a profile and the GPU that it is of. Names that change nothing go with their neighbours. Keys that resolve to the same
// values on both sides, in either surroundings, are no input. Where more than `most_inputs` remain, those of one part of the
// scenario are one. Names and notes of scenarios are no inputs.

#include "models/changed_input.hpp"
#include "models/scenario.hpp"
#include "scenarios/written.hpp"

#include <cstdint>
#include <vector>

namespace ringsim::scenarios {

inline constexpr std::size_t most_inputs = 12;

class Difference {
 public:
  /// Throws Error where A or B cannot be read.
  Difference(WrittenScenario a, WrittenScenario b);

  [[nodiscard]] const Scenario& a() const { return a_; }
  [[nodiscard]] const Scenario& b() const { return b_; }
  /// In the order of the language; empty: the same but for names.
  [[nodiscard]] const std::vector<ChangedInput>& inputs() const { return inputs_; }

  /// A with the inputs of B whose bits are set. Throws Error where the two do not go together.
  [[nodiscard]] Scenario mixed(std::uint64_t of_b) const;

 private:
  void read_values();

  WrittenScenario written_a_, written_b_;
  Scenario a_, b_;
  std::vector<ChangedInput> inputs_;
};

}  // namespace ringsim::scenarios
