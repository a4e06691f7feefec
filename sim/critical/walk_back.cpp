#include "sim/critical/walk_back.hpp"

#include <algorithm>

namespace ringsim::sim {

void PathWeights::add(TapeValue value, PathPart part) {
  if (part.weight == 0) return;
  std::vector<PathPart>& parts = parts_[static_cast<std::size_t>(value)];
  const auto known = std::find_if(parts.begin(), parts.end(), [&](const PathPart& p) { return p.rank == part.rank; });
  if (known == parts.end()) {
    parts.push_back(part);
  } else {
    known->weight += part.weight;
  }
}

void PathWeights::pass_on(const TapeEntry& entry, PathPart part, const Program& program) {
  if (entry.kind == TapeEntry::Kind::beside) {
    const LinearStep& line = tape_.lines[entry.detail];
    for (std::size_t i = 0; i < line.operands.size(); ++i) {
      const double by = line.coefficients(part.rank, static_cast<Eigen::Index>(i));
      if (line.operands[i] != no_value) add(line.operands[i], {part.rank, part.weight * by});
    }
    return;
  }
  bool passed = false;
  for_each_deciding(tape_, entry, part.rank, program, [&](Origin origin) {
    if (!passed) add(origin.value, {origin.rank, part.weight});
    passed = true;
  });
}

}  // namespace ringsim::sim
