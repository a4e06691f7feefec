#pragma once
// An observer that keeps the spans of a window: the first ranks, steps and layers of a run.

#include "sim/observer.hpp"
#include "sim/spans.hpp"

#include <algorithm>

namespace ringsim::sim {

struct TimelineWindow {
  std::int64_t ranks = 64;
  std::int64_t steps = 64;  // of each layer
  std::int64_t layers = 2;  // of each pass
};

class TimelineObserver final : public Observer {
 public:
  TimelineObserver(const Program& program, const TimelineWindow& window) : program_(program), window_(window) {
    timeline_.ranks = program.ring();
    timeline_.ranks_shown = std::min(program.ring(), window.ranks);
  }
  void on_compute(const ComputeEvent& event) override;
  void on_transfer(const TransferEvent& event) override;
  void on_collective(const CollectiveEvent& event) override;
  [[nodiscard]] Timeline take() { return std::move(timeline_); }

 private:
  [[nodiscard]] std::int64_t rank_of(std::size_t role, std::int64_t ring_rank) const {
    return static_cast<std::int64_t>(role) * program_.ring() + ring_rank;
  }
  bool outside(Pass pass, std::int64_t layer, std::int64_t step);

  const Program& program_;
  TimelineWindow window_;
  Timeline timeline_;
};

}  // namespace ringsim::sim
