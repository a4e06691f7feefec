#pragma once
// A timeline in a raster: of every stream of a rank and every column of time the operation that takes most of it.

#include "sim/spans.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::reports {

struct RasterCell {
  const sim::Span* span = nullptr;  // null: nothing takes most of the column
  bool begins = false;              // the first column of its operation
  bool in_flight = true;            // of a transfer or a collective: more than posted, under way
};

struct RasterRow {
  std::int64_t rank = 0;
  std::string thread;  // "compute", "transfer"
  std::vector<RasterCell> cells;
};

struct TextRaster {
  std::vector<RasterRow> rows;  // by rank, then by thread
  double start_s = 0;
  double column_s = 0;
  std::int64_t ranks_left_out = 0;
  std::int64_t hidden = 0;  // operations without a column
};

/// `ranks`: so many at most, of a pipeline's stages one after the other before a second of each.
[[nodiscard]] TextRaster text_raster(const sim::Timeline& timeline, std::size_t columns, std::int64_t ranks);

}  // namespace ringsim::reports
