#include "kernels/host/collectives.hpp"

#include <algorithm>
#include <stdexcept>

namespace ringsim::host {
namespace {

constexpr auto whole = sim::Share::whole;

template <class T>
void gather_keys(const RingPlan& plan, const std::vector<Rank<T>*>& ring, std::int64_t layer) {
  for (Rank<T>* to : ring) {
    for (Rank<T>* from : ring) {
      put_rows<T>(from->own_keys(layer), plan.key_positions(from->number(), whole), to->gathered());
    }
  }
}

template <class T>
void add_key_gradients(const RingPlan& plan, const std::vector<Rank<T>*>& ring, std::int64_t layer) {
  for (Rank<T>* to : ring) {
    const Positions& rows = plan.key_positions(to->number(), whole);
    for (Rank<T>* from : ring) {
      const bool first = from == ring.front();
      const auto add = [&](HeadsView<T> all, HeadsView<T> own) {
        for (Eigen::Index head = 0; head < own.heads; ++head) {
          if (first) own[head].setZero();
          own[head] += all[head](rows, Eigen::all);
        }
      };
      for_each_pair(from->gathered_gradient(), to->key_gradient(layer), add);
    }
  }
}

// At step k rank r computed for the queries of rank r - k.
template <class T>
void return_partials(const RingPlan& plan, const std::vector<Rank<T>*>& ring) {
  for (Rank<T>* from : ring) {
    for (std::int64_t step = 1; step < plan.program.ring(); ++step) {
      const std::int64_t to = plan.program.owner(sim::Way::up, from->number(), step);
      const std::int64_t rows = plan.program.shards.block(to);
      const auto partial = from->kept(step).elements(rows);
      std::copy(partial.begin(), partial.end(),
                ring[static_cast<std::size_t>(to)]->returned(step).elements(rows).begin());
    }
  }
}

}  // namespace

template <class T>
void exchange_in_ring(const RingPlan& plan, sim::Content content, const std::vector<Rank<T>*>& ring,
                      std::int64_t layer) {
  switch (content) {
    case sim::Content::keys:
      return gather_keys(plan, ring, layer);
    case sim::Content::key_gradients:
      return add_key_gradients(plan, ring, layer);
    case sim::Content::returned:
      return return_partials(plan, ring);
    default:
      throw std::logic_error("no collective of a ring");
  }
}

template void exchange_in_ring(const RingPlan&, sim::Content, const std::vector<Rank<float>*>&, std::int64_t);
template void exchange_in_ring(const RingPlan&, sim::Content, const std::vector<Rank<double>*>&, std::int64_t);

}  // namespace ringsim::host
