#pragma once
// The processes that share a run: one with a GPU for every rank, or one for each rank, on one node or on several.

#include <cstddef>
#include <span>
#include <vector>

namespace ringsim::cuda {

/// All calls but the numbers are collective.
class Processes {
 public:
  virtual ~Processes() = default;
  [[nodiscard]] virtual int number() const = 0;  // of this process
  [[nodiscard]] virtual int count() const = 0;   // of all
  [[nodiscard]] virtual int number_on_node()
      const = 0;  // of this process among those of its node: the GPU that it takes
  /// What process 0 has in `bytes`.
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  /// From all processes, in order, on process 0; nothing elsewhere.
  [[nodiscard]] virtual std::vector<std::vector<double>> gather(std::span<const double> values) = 0;
  /// Returns on all of them at about the same time.
  virtual void meet() = 0;
  /// Ends all others at once, which would wait for this one for ever. Not collective.
  virtual void end_all() = 0;
};

/// One process.
class Alone : public Processes {
 public:
  [[nodiscard]] int number() const override { return 0; }
  [[nodiscard]] int count() const override { return 1; }
  [[nodiscard]] int number_on_node() const override { return 0; }
  void broadcast(std::span<std::byte>) override {}
  [[nodiscard]] std::vector<std::vector<double>> gather(std::span<const double> values) override {
    return {{values.begin(), values.end()}};
  }
  void meet() override {}
  void end_all() override {}
};

}  // namespace ringsim::cuda
