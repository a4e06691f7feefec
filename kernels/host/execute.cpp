#include "kernels/host/execute.hpp"

#include "kernels/host/collectives.hpp"
#include "kernels/host/overloaded.hpp"
#include "kernels/host/rank.hpp"
#include "kernels/host/ulysses.hpp"
#include "models/error.hpp"

#include <algorithm>
#include <span>

namespace ringsim::host {
namespace {

// A hop between two ranks of the process.
template <class T>
void send(Rank<T>& from, Rank<T>& to, const sim::Shift& shift, sim::Way way, std::int64_t step) {
  std::vector<std::span<const T>> outgoing;
  std::vector<std::span<T>> incoming;
  from.outgoing(shift, step, outgoing, way);
  to.incoming(shift, step, incoming, way);
  for (std::size_t i = 0; i < outgoing.size(); ++i)
    std::copy(outgoing[i].begin(), outgoing[i].end(), incoming[i].begin());
}

template <class T>
class Execution {
 public:
  Execution(const sim::Program& program, const std::vector<Block<T>>& layers, const ExecuteOptions& options)
      : program_(program), plan_(program, options.scale, options.tile), order_(options.order) {
    const auto ulysses = static_cast<std::size_t>(program.ulysses);
    ranks_.reserve(static_cast<std::size_t>(program.ring()) * ulysses);
    for (std::int64_t r = 0; r < program.ring(); ++r) {
      std::vector<Rank<T>*> group;
      for (std::size_t u = 0; u < ulysses; ++u) group.push_back(&ranks_.emplace_back(plan_, r));
      if (ulysses > 1) {
        groups_.emplace_back(plan_, group, layers);
      } else {
        fill(*group.front(), layers);
      }
      for (Rank<T>* rank : group) rank->prepare();
    }
  }

  void run() {
    const auto at = [this](std::size_t rank) -> Rank<T>& { return ranks_[rank]; };
    run_in_order(program_, issue_list(program_), order_,
                 {[&](std::size_t rank, const Instruction& i) { execute(at(rank), i); },
                  [&](std::size_t sender, std::size_t receiver, sim::Way way, const Instruction& i) {
                    send(at(sender), at(receiver), *std::get<const sim::Shift*>(i.what), way, i.step);
                  },
                  [&](const std::vector<std::size_t>& members, const Instruction& i) { exchange(members, i); }});
  }

  [[nodiscard]] LayerResult<T> result(std::int64_t layer) const {
    LayerResult<T> result;
    for (const UlyssesGroup<T>& group : groups_) group.collect(layer, result.output, result.gradient);
    for (std::size_t r = 0; groups_.empty() && r < ranks_.size(); ++r) {
      const auto put = [&](HeadsView<const T> from, Heads<T>& to) {
        scatter_rows(from, in_sequence(r), program_.shards.tokens(), to);
      };
      const auto output = ranks_[r].output(layer);
      const auto gradient = ranks_[r].gradient(layer);
      put(output.o, result.output.o);
      put(output.lse, result.output.lse);
      put(gradient.q, result.gradient.q);
      put(gradient.k, result.gradient.k);
      put(gradient.v, result.gradient.v);
    }
    return result;
  }

 private:
  // Rows of the inputs' queries, which begin behind the cached tokens.
  [[nodiscard]] Positions in_sequence(std::size_t ring_rank) const {
    Positions rows = plan_.positions[ring_rank];
    for (std::int64_t& row : rows) row -= program_.shards.cached();
    return rows;
  }

  void fill(Rank<T>& rank, const std::vector<Block<T>>& layers) const {
    for (std::int64_t layer = 0; layer < program_.layers(); ++layer) {
      const Block<T>& inputs = layers[static_cast<std::size_t>(layer)];
      gather_rows(inputs, in_sequence(static_cast<std::size_t>(rank.number())), rank.own_queries(layer));
      gather_rows(inputs, plan_.key_positions(rank.number(), sim::Share::whole), rank.own_keys(layer));
    }
  }

  // With Ulysses ranks a layer's own block comes by an all-to-all, and leaves by one.
  void execute(Rank<T>& rank, const Instruction& i) const {
    const bool alone = groups_.empty();
    std::visit(Overloaded{[&](const LayerBegin& begin) {
                            if (alone) rank.begin(begin.pass, i.layer);
                          },
                          [&](const LayerEnd& end) {
                            if (alone) rank.end(end.pass, i.layer);
                          },
                          [&](const sim::Attend* attend) { rank.attend(*attend, i.layer, i.step); },
                          [&](const sim::Merge* merge) { rank.merge(*merge, i.layer, i.step); }, [](const auto&) {}},
               i.what);
  }

  void exchange(const std::vector<std::size_t>& members, const Instruction& i) {
    const sim::Collective& collective = *std::get<const sim::Collective*>(i.what);
    const Group group = program_.traffic[sim::of_kind(collective.traffic, program_, i.layer)].group;
    if (group == Group::ulysses) {
      groups_[members.front() / static_cast<std::size_t>(program_.ulysses)].exchange(collective.content, i.layer);
      return;
    }
    std::vector<Rank<T>*> ring;
    for (const std::size_t member : members) ring.push_back(&ranks_[member]);
    exchange_in_ring(plan_, collective.content, ring, i.layer);
  }

  const sim::Program& program_;
  RingPlan plan_;
  OrderChoice order_;
  std::vector<Rank<T>> ranks_;           // Ulysses ranks of a ring rank follow each other
  std::vector<UlyssesGroup<T>> groups_;  // per ring rank; empty without Ulysses
};

}  // namespace

template <class T>
std::vector<LayerResult<T>> execute(const sim::Program& program, const std::vector<Block<T>>& layers,
                                    const ExecuteOptions& options) {
  if (layers.size() != static_cast<std::size_t>(program.layers())) throw Error("inputs are needed for every layer");
  Execution<T> execution(program, layers, options);
  execution.run();
  std::vector<LayerResult<T>> results;
  for (std::int64_t layer = 0; layer < program.layers(); ++layer) results.push_back(execution.result(layer));
  return results;
}

template std::vector<LayerResult<float>> execute(const sim::Program&, const std::vector<Block<float>>&,
                                                 const ExecuteOptions&);
template std::vector<LayerResult<double>> execute(const sim::Program&, const std::vector<Block<double>>&,
                                                  const ExecuteOptions&);

}  // namespace ringsim::host
