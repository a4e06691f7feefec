// The executor notices what a schedule forgets: a program without one of its waits, or with too few buffers for its
// waits, gives a wrong result in the extreme order that the lost wait forbade. So that the schedules pass means that
// their waits cover all data that their operations read and overwrite.
#include "tests/unit/kernels/inputs.hpp"

#include <gtest/gtest.h>

namespace ringsim::host {
namespace {

using inputs::Ring;
namespace names = sim::ring_program;

constexpr double double_error = 1e-12;

struct Removed {
  sim::Wait wait;
  std::int64_t first_step = 0;  // of the loop that it stood in
  bool in_steps = false;        // or outside of them
};

// Removes wait number `index` of a body's text; counts `index` down by the waits before it.
std::optional<Removed> remove_wait(std::vector<sim::Operation>& body, std::size_t& index, Removed place = {}) {
  for (auto operation = body.begin(); operation != body.end(); ++operation) {
    if (auto* repeat = std::get_if<sim::Repeat>(&operation->what)) {
      const Removed inside = repeat->loop == sim::Loop::step ? Removed{{}, repeat->first, true} : place;
      if (const auto removed = remove_wait(repeat->body, index, inside)) return removed;
    } else if (const auto* wait = std::get_if<sim::Wait>(&operation->what)) {
      if (index > 0) {
        --index;
        continue;
      }
      place.wait = *wait;
      body.erase(operation);
      return place;
    }
  }
  return std::nullopt;
}

// The first receive of a layer overwrites a buffer that nothing in the layer has used; "layer started" already puts it
// after the layer before. Its wait is there because all steps have the same form.
bool redundant(const Removed& removed) {
  return removed.in_steps && removed.first_step == 0 && removed.wait.event.family == names::computed;
}

void expect_noticed(const Ring& ring) {
  SCOPED_TRACE(ring.text());
  const auto expected = inputs::expected(ring);
  std::size_t noticed = 0;
  for (std::size_t number = 0;; ++number) {
    sim::Program program = ring.program();
    std::size_t index = number;
    const auto removed = remove_wait(program.body, index);
    if (!removed) break;
    // Without its wait a transfer may come too early, or a kernel, if the transfer comes late.
    const Order order = removed->wait.stream == names::transfer ? Order::transfers_first : Order::transfers_last;
    const bool wrong = inputs::deviation<double>(ring, program, expected, {order, 0}) > double_error;
    EXPECT_EQ(wrong, !redundant(*removed)) << "wait " << number << ", event " << removed->wait.event.family;
    noticed += wrong ? 1 : 0;
  }
  // Forward: layer started, arrived in two loops, computed in one. Backward: layer started, arrived in four loops,
  // computed in three.
  EXPECT_EQ(noticed, 4U + 8U);
}

TEST(MissingWait, IsNoticed) {
  const Mask full{false, std::nullopt};
  for (const std::int64_t ranks : {4, 5}) {
    for (const std::int64_t buffers : {2, 3}) {
      for (const Rotation rotation : {Rotation::kv, Rotation::q}) {
        expect_noticed({.ranks = ranks,
                        .tokens = 3 * ranks + 1,
                        .buffers = buffers,
                        .masks = {full, full},
                        .backward_travels = rotation});
      }
    }
  }
}

// Makes rotating sets of three buffers sets of two.
void take_a_buffer(std::vector<sim::Operation>& body) {
  const auto shrink = [](sim::Slot& slot) { slot.count = std::min<std::int64_t>(slot.count, 2); };
  for (sim::Operation& operation : body) {
    if (auto* repeat = std::get_if<sim::Repeat>(&operation.what)) take_a_buffer(repeat->body);
    if (auto* attend = std::get_if<sim::Attend>(&operation.what)) shrink(attend->slot);
    if (auto* shift = std::get_if<sim::Shift>(&operation.what)) {
      for (sim::ShiftItem& item : shift->items) {
        shrink(item.from);
        shrink(item.to);
      }
    }
  }
}

TEST(MissingWait, TwoBuffersWithTheWaitsOfThreeAreNoticed) {
  const Ring ring{.ranks = 5, .tokens = 15, .buffers = 3, .masks = {{false, std::nullopt}}, .trains = false};
  sim::Program program = ring.program();
  take_a_buffer(program.body);
  const auto expected = inputs::expected(ring);
  EXPECT_LE(inputs::deviation<double>(ring, program, expected, {Order::issue, 0}), double_error);
  EXPECT_GT(inputs::deviation<double>(ring, program, expected, {Order::transfers_first, 0}), double_error);
}

}  // namespace
}  // namespace ringsim::host
