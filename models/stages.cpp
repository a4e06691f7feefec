#include "models/stages.hpp"

#include <algorithm>

namespace ringsim {

std::vector<LayerRun> layers_of_stage(std::int64_t layers, std::int64_t pipeline, std::int64_t interleave,
                                      std::int64_t stage) {
  const std::int64_t pieces = pipeline * interleave;
  const std::int64_t base = layers / pieces;
  const std::int64_t longer = layers % pieces;
  std::vector<LayerRun> runs;
  for (std::int64_t piece = stage; piece < pieces; piece += pipeline) {
    runs.push_back({piece * base + std::min(piece, longer), base + (piece < longer ? 1 : 0)});
  }
  return runs;
}

std::int64_t pieces_in_flight(std::int64_t pipeline, std::int64_t interleave, std::int64_t micro_batches,
                              std::int64_t stage) {
  if (interleave == 1) return std::min(micro_batches, pipeline - stage);
  return std::min(micro_batches * interleave, 2 * (pipeline - stage - 1) + (interleave - 1) * pipeline + 1);
}

}  // namespace ringsim
