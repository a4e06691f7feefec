#pragma once
// Scenarios that differ in the values of a few keys, made fast one after the other.
//
// What a scenario with its --set is, read_scenario() defines; this gives the same. Most axes of a sweep change one plain value of a
// complete document and nothing else: then the value is put in its place there, and the part of the scenario around it is read
// again. An axis on which more depends (what a name stands for, which keys there are, what is derived) makes a document of its own;
// the documents used last are kept.
//
// `resolved`, `hash` and `warnings` of these scenarios are empty.

#include "models/scenario.hpp"
#include "models/scenario_parts.hpp"
#include "scenarios/axes.hpp"
#include "scenarios/value.hpp"

#include <cstdint>
#include <list>
#include <string>
#include <vector>

namespace ringsim::scenarios {

/// Not for several threads.
class Variants {
 public:
  /// Files that the document names are looked for in `directory`. Throws Error for a key that the language has not.
  Variants(Value document, std::string directory, SweepAxes axes);
  Variants(const Variants&) = delete;
  Variants& operator=(const Variants&) = delete;
  Variants(Variants&&) = delete;
  Variants& operator=(Variants&&) = delete;
  ~Variants() = default;

  /// The scenario of a point, valid until the next call. Throws Error, `where` being a key or a place.
  [[nodiscard]] const Scenario& at(std::int64_t point);
  /// Parts in which the last scenario that was made may differ from the one made before it.
  [[nodiscard]] ScenarioParts changed() const { return changed_; }

  [[nodiscard]] const SweepAxes& axes() const { return axes_; }
  /// Whether an axis changes a plain value alone. For tests.
  [[nodiscard]] bool is_plain(std::size_t axis) const { return plain_[axis]; }

 private:
  struct PlainValue {
    Value* node = nullptr;
    const Field* field = nullptr;
    ScenarioPart part = ScenarioPart::workload;
    std::int64_t index = -1;  // of the value that stands there; -1: none that is right
  };
  /// A complete document with the scenario that was read of it.
  struct Base {
    std::vector<std::int64_t> of;  // indices on the axes that are not plain
    Value root;
    Scenario scenario;
    std::vector<PlainValue> values;  // by axis; those that are not plain are not used
  };

  void find_plain_axes();
  [[nodiscard]] Base& base_of(std::int64_t point);
  [[nodiscard]] Base complete(std::int64_t point) const;
  bool set_value(Base& base, std::size_t axis, std::int64_t index);
  static void read_again(Base& base, ScenarioParts parts);

  Value document_;
  std::string directory_;
  SweepAxes axes_;
  std::vector<char> plain_;
  std::list<Base> bases_;                         // the one used last is first
  ScenarioParts pending_ = ScenarioParts::all();  // changed since the last scenario that was given out
  ScenarioParts changed_ = ScenarioParts::all();
};

}  // namespace ringsim::scenarios
