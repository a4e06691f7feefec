#include "kernels/host/execute.hpp"

#include "kernels/host/overloaded.hpp"
#include "kernels/host/rank.hpp"
#include "models/error.hpp"

#include <algorithm>
#include <span>

namespace ringsim::host {
namespace {

// A hop between two ranks of the process.
template <class T>
void send(Rank<T>& from, Rank<T>& to, const sim::Shift& shift, std::int64_t step) {
  std::vector<std::span<const T>> outgoing;
  std::vector<std::span<T>> incoming;
  from.outgoing(shift, step, outgoing);
  to.incoming(shift, step, incoming);
  for (std::size_t i = 0; i < outgoing.size(); ++i)
    std::copy(outgoing[i].begin(), outgoing[i].end(), incoming[i].begin());
}

}  // namespace

template <class T>
std::vector<LayerResult<T>> execute(const sim::Program& program, const std::vector<Block<T>>& layers,
                                    const ExecuteOptions& options) {
  const RingPlan plan(program, options.scale, options.tile);
  if (layers.size() != static_cast<std::size_t>(program.layers())) throw Error("inputs are needed for every layer");
  std::vector<Rank<T>> ranks;
  for (std::int64_t r = 0; r < program.ring(); ++r) {
    Rank<T>& rank = ranks.emplace_back(plan, r);
    for (std::int64_t layer = 0; layer < program.layers(); ++layer) {
      gather_rows(layers[static_cast<std::size_t>(layer)], plan.positions[static_cast<std::size_t>(r)],
                  rank.own_queries(layer));
      gather_rows(layers[static_cast<std::size_t>(layer)], plan.positions[static_cast<std::size_t>(r)],
                  rank.own_keys(layer));
    }
    rank.prepare();
  }

  const auto run = [&](std::int64_t r, const Instruction& i) {
    Rank<T>& rank = ranks[static_cast<std::size_t>(r)];
    std::visit(Overloaded{[&](const LayerBegin& begin) { rank.begin(begin.pass, i.layer); },
                          [&](const LayerEnd& end) { rank.end(end.pass, i.layer, i.step); },
                          [&](const sim::Attend* attend) { rank.attend(*attend, i.layer, i.step); },
                          [&](const sim::Merge* merge) { rank.merge(*merge, i.layer, i.step); }, [](const auto&) {}},
               i.what);
  };
  const auto hop = [&](std::int64_t sender, const Instruction& i) {
    const auto receiver = static_cast<std::size_t>((sender + 1) % program.ring());
    send(ranks[static_cast<std::size_t>(sender)], ranks[receiver], *std::get<const sim::Shift*>(i.what), i.step);
  };
  run_in_order(issue_list(program), program.ring(), options.order, {run, hop});

  std::vector<LayerResult<T>> results(layers.size());
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      const auto put = [&](HeadsView<const T> from, Heads<T>& to) {
        scatter_rows(from, plan.positions[r], program.shards.tokens(), to);
      };
      const auto output = ranks[r].output(static_cast<std::int64_t>(layer));
      const auto gradient = ranks[r].gradient(static_cast<std::int64_t>(layer));
      put(output.o, results[layer].output.o);
      put(output.lse, results[layer].output.lse);
      put(gradient.q, results[layer].gradient.q);
      put(gradient.k, results[layer].gradient.k);
      put(gradient.v, results[layer].gradient.v);
    }
  }
  return results;
}

template std::vector<LayerResult<float>> execute(const sim::Program&, const std::vector<Block<float>>&,
                                                 const ExecuteOptions&);
template std::vector<LayerResult<double>> execute(const sim::Program&, const std::vector<Block<double>>&,
                                                  const ExecuteOptions&);

}  // namespace ringsim::host
