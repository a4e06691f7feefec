#include "sim/critical/one_sided.hpp"

#include "sim/critical/walk_back.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ringsim::sim {

void StillToCome::take(Eigen::Index rank, const Eigen::ArrayXXd& of_most, const Eigen::ArrayXXd& of_least,
                       Eigen::Index from) {
  char& known = reached[static_cast<std::size_t>(rank)];
  if (known == 0) {
    most.col(rank) = of_most.col(from);
    least.col(rank) = of_least.col(from);
    known = 1;
  } else {
    most.col(rank) = most.col(rank).max(of_most.col(from));
    least.col(rank) = least.col(rank).min(of_least.col(from));
  }
}

using Kind = TapeEntry::Kind;

std::vector<std::unique_ptr<StillToCome>> walk_back_all(const Tape& tape, const Program& program,
                                                        std::vector<std::unique_ptr<StillToCome>> ends,
                                                        const Gradients& add_gradients) {
  const auto ranks = static_cast<Eigen::Index>(tape.ranks());
  Eigen::Index parameters = 0;
  std::vector<std::unique_ptr<StillToCome>> to_come(tape.entries.size());
  const auto at = [&](TapeValue value) -> StillToCome& {
    auto& slot = to_come[static_cast<std::size_t>(value)];
    if (!slot) slot = std::make_unique<StillToCome>(parameters, ranks);
    return *slot;
  };
  for (std::size_t role = 0; role < ends.size(); ++role) {
    if (!ends[role]) continue;
    parameters = ends[role]->most.rows();
    StillToCome& end = at(tape.ends[role]);
    for (Eigen::Index r = 0; r < ranks; ++r) {
      if (ends[role]->reached[static_cast<std::size_t>(r)] != 0) end.take(r, ends[role]->most, ends[role]->least, r);
    }
    ends[role].reset();
  }
  for (std::size_t i = tape.entries.size(); i-- > 0;) {
    if (!to_come[i]) continue;
    const TapeEntry& entry = tape.entries[i];
    assert(entry.kind != Kind::beside);
    if (entry.kind == Kind::ready) continue;
    const std::unique_ptr<StillToCome> own = std::move(to_come[i]);
    if (entry.kind == Kind::join && entry.constant != 0) {
      // Its constant lies on the second side alone.
      StillToCome late = *own;
      add_gradients(entry, late);
      for (Eigen::Index r = 0; r < ranks; ++r) {
        if (own->reached[static_cast<std::size_t>(r)] == 0) continue;
        const Larger side = tape.side(entry, r);
        if (side != Larger::second) at(entry.a).take(r, own->most, own->least, r);
        if (side != Larger::first) at(entry.b).take(r, late.most, late.least, r);
      }
      continue;
    }
    if (entry.kind == Kind::work || entry.kind == Kind::hop || entry.kind == Kind::issue) add_gradients(entry, *own);
    if (entry.kind == Kind::all) {
      // Every rank came from the same ones: what is to come behind any of them.
      StillToCome behind(parameters, 1);
      for (Eigen::Index r = 0; r < ranks; ++r) {
        if (own->reached[static_cast<std::size_t>(r)] != 0) behind.take(0, own->most, own->least, r);
      }
      for (Eigen::Index r = 0; r < ranks; ++r) {
        if (tape.choice(entry, r) != 0) at(entry.a).take(r, behind.most, behind.least, 0);
      }
      continue;
    }
    for (Eigen::Index r = 0; r < ranks; ++r) {
      if (own->reached[static_cast<std::size_t>(r)] == 0) continue;
      for_each_deciding(tape, entry, r, program, [&](Origin origin) {
        at(origin.value).take(static_cast<Eigen::Index>(origin.rank), own->most, own->least, r);
      });
    }
  }
  std::vector<std::unique_ptr<StillToCome>> starts;
  starts.reserve(tape.starts.size());
  for (const TapeValue value : tape.starts) starts.push_back(std::move(to_come[static_cast<std::size_t>(value)]));
  return starts;
}

}  // namespace ringsim::sim
