#pragma once
// Blocks of rows that come in any order and leave in that of the points.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace ringsim::cli {

/// Rows of points first to first + count - 1.
struct RowBlock {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::string rows;
  std::int64_t failed = 0;  // rows among them that have an error
};

/// How many points a block should have so that it takes about `seconds`, from how long the one before took.
class BlockSize {
 public:
  explicit BlockSize(double seconds) : seconds_(seconds) {}
  [[nodiscard]] std::int64_t points() const { return points_; }
  void took(std::int64_t points, double seconds) {
    const double rate = static_cast<double>(points) / (seconds > 1e-9 ? seconds : 1e-9);
    const double wanted = rate * seconds_;
    points_ = wanted < 1 ? 1 : wanted > most ? most : static_cast<std::int64_t>(wanted);
  }

 private:
  static constexpr std::int64_t most = 1024;  // a quarter of a megabyte of rows
  double seconds_;
  std::int64_t points_ = 1;
};

class InOrder {
 public:
  explicit InOrder(std::int64_t next) : next_(next) {}
  void put(RowBlock block) {
    const std::int64_t first = block.first;
    waiting_.emplace(first, std::move(block));
  }
  /// The first point that has not left.
  [[nodiscard]] std::int64_t next() const { return next_; }
  /// Whether there are rows whose turn it is.
  [[nodiscard]] bool ready() const { return !waiting_.empty() && waiting_.begin()->first == next_; }
  /// All rows whose turn it is; `blocks` counts the blocks that they came in.
  [[nodiscard]] RowBlock take(std::size_t& blocks) {
    RowBlock all{next_, 0, {}, 0};
    while (ready()) {
      RowBlock& block = waiting_.begin()->second;
      next_ += block.count;
      all.count += block.count;
      all.failed += block.failed;
      if (all.rows.empty()) {
        all.rows = std::move(block.rows);
      } else {
        all.rows += block.rows;
      }
      waiting_.erase(waiting_.begin());
      ++blocks;
    }
    return all;
  }

 private:
  std::int64_t next_;
  std::map<std::int64_t, RowBlock> waiting_;
};

}  // namespace ringsim::cli
