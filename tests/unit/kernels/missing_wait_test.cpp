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
// after the layer before, and that of a turn of a two-level ring after the turn before. Its wait is there because all steps
// have the same form.
bool redundant(const Ring& ring, const Removed& removed) {
  const bool starts = ring.inner > 1 ? removed.first_step % ring.inner == 0 : removed.first_step == 0;
  const bool home = removed.first_step == ring.ranks;
  return removed.in_steps && starts && !home && removed.wait.event.family == names::computed;
}

// Number of waits that are.
std::size_t expect_noticed(const Ring& ring) {
  SCOPED_TRACE(ring.text());
  const auto expected = inputs::expected(ring);
  std::size_t noticed = 0;
  for (std::size_t number = 0;; ++number) {
    sim::Program program = ring.program();
    std::size_t index = number;
    const auto removed = remove_wait(program.body, index);
    if (!removed) break;
    // Without its wait a transfer may come too early, or a kernel, if the transfer comes late; of two transfer streams one
    // may be early and the other late, which a few orders by chance bring about.
    bool wrong = false;
    const bool transfers = removed->wait.stream != names::compute;
    std::vector<OrderChoice> orders = {{transfers ? Order::transfers_first : Order::transfers_last, 0}};
    if (program.streams.size() > 2) {
      orders = {{Order::transfers_first, 0}, {Order::transfers_last, 0}};
      for (std::uint64_t seed = 0; seed < 4; ++seed) orders.push_back({Order::random, seed});
    }
    for (const OrderChoice order : orders) {
      wrong = wrong || inputs::deviation<double>(ring, program, expected, order) > double_error;
    }
    EXPECT_EQ(wrong, !redundant(ring, *removed)) << "wait " << number << ", event " << removed->wait.event.family;
    noticed += wrong ? 1 : 0;
  }
  return noticed;
}

TEST(MissingWait, IsNoticed) {
  const Mask full{false, std::nullopt};
  for (const std::int64_t ranks : {4, 5}) {
    for (const std::int64_t buffers : {2, 3}) {
      for (const Rotation rotation : {Rotation::kv, Rotation::q}) {
        // Forward: layer started, arrived in two loops, computed in one. Backward: layer started, arrived in four loops,
        // computed in three.
        EXPECT_EQ(expect_noticed({.ranks = ranks,
                                  .tokens = 3 * ranks + 1,
                                  .buffers = buffers,
                                  .masks = {full, full},
                                  .backward_travels = rotation}),
                  4U + 8U);
      }
    }
  }
}

TEST(MissingWait, IsNoticedInEveryScheme) {
  const Mask full{false, std::nullopt};
  Ring ring{.ranks = 4, .tokens = 13, .masks = {full, full}, .heads = {1, 2, 2, 3, 2}};
  // The loops of one way round, backward as well.
  ring.travels = Rotation::q;
  EXPECT_EQ(expect_noticed(ring), 4U + 8U);
  ring.travels = Rotation::kv;
  ring.exchange = Exchange::both_ways;
  for (const Halves halves : {Halves::heads, Halves::tokens}) {
    ring.halves = halves;
    EXPECT_EQ(expect_noticed(ring), 4U + 8U);
  }
  // Two turns of inner rings of four. Forward: what starts a turn, two and one (the last turn sends nothing to another
  // node), keys crossed, and twice three of the inner ring. Backward: the same starts and crossing, in each turn arrived in
  // three loops and computed in two, two to come home, and of the crossings of two turns gradient ready each, gradient
  // crossed before the second is added and when it has come home.
  ring.exchange = Exchange::two_level;
  ring.ranks = 8;
  ring.tokens = 28;
  ring.inner = 4;
  EXPECT_EQ(expect_noticed(ring), (3U + 1U + 2U * 3U) + (3U + 1U + 2U * 5U + 2U + 2U + 2U));
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
