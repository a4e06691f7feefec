#include "kernels/host/execute.hpp"

#include "kernels/host/rank.hpp"
#include "models/error.hpp"

#include <utility>

namespace ringsim::host {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

template <class T>
Heads<T> rows_at(const Heads<T>& sequence, const Positions& positions) {
  Heads<T> part;
  for (const Matrix<T>& head : sequence) part.emplace_back(head(positions, Eigen::all));
  return part;
}

// The block of the tokens at these positions.
template <class T>
Block<T> block_at(const Block<T>& sequence, const Positions& positions) {
  Block<T> block;
  for_each_tensor(sequence, block, [&](const Heads<T>& from, Heads<T>& to) { to = rows_at(from, positions); });
  return block;
}

// Puts a rank's rows back to their places in the sequence. Buffers may have more rows than the block.
template <class T>
void scatter(const Heads<T>& rows, const Positions& positions, std::int64_t tokens, Heads<T>& sequence) {
  sequence.resize(rows.size());
  for (std::size_t head = 0; head < rows.size(); ++head) {
    sequence[head].resize(tokens, rows[head].cols());  // keeps what is there when the size is right
    sequence[head](positions, Eigen::all) = rows[head].topRows(static_cast<Eigen::Index>(positions.size()));
  }
}

}  // namespace

template <class T>
std::vector<LayerResult<T>> execute(const sim::Program& program, const std::vector<Block<T>>& layers,
                                    const ExecuteOptions& options) {
  const RingPlan plan(program, options.scale, options.tile);
  if (layers.size() != static_cast<std::size_t>(program.layers())) throw Error("inputs are needed for every layer");
  if (plan.roles(Pass::backward).runs && !plan.roles(Pass::forward).runs) {
    throw Error("a backward pass needs the statistics of the forward pass in the same program");
  }
  std::vector<Rank<T>> ranks;
  for (std::int64_t r = 0; r < program.ring(); ++r) {
    std::vector<Block<T>> own;
    own.reserve(layers.size());
    for (const Block<T>& layer : layers) own.push_back(block_at(layer, plan.positions[static_cast<std::size_t>(r)]));
    ranks.emplace_back(plan, r, std::move(own));
  }

  const auto run = [&](std::int64_t r, const Instruction& i) {
    Rank<T>& rank = ranks[static_cast<std::size_t>(r)];
    std::visit(Overloaded{[&](const LayerBegin& begin) { rank.begin(begin.pass, i.layer); },
                          [&](const LayerEnd& end) { rank.end(end.pass, i.layer, i.step); },
                          [&](const sim::Attend* attend) { rank.attend(*attend, i.layer, i.step); },
                          [&](const sim::Merge* merge) { rank.merge(*merge, i.step); }, [](const auto&) {}},
               i.what);
  };
  const auto hop = [&](std::int64_t sender, const Instruction& i) {
    const auto receiver = static_cast<std::size_t>((sender + 1) % program.ring());
    ranks[static_cast<std::size_t>(sender)].send(*std::get<const sim::Shift*>(i.what), i.step, ranks[receiver]);
  };
  run_in_order(issue_list(program), program.ring(), options.order, {run, hop});

  std::vector<LayerResult<T>> results(layers.size());
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      const auto put = [&](const Heads<T>& from, Heads<T>& to) {
        scatter(from, plan.positions[r], program.shards.tokens(), to);
      };
      put(ranks[r].outputs()[layer].o, results[layer].output.o);
      put(ranks[r].outputs()[layer].lse, results[layer].output.lse);
      for_each_tensor(ranks[r].gradients()[layer], results[layer].gradient, put);
    }
  }
  return results;
}

template std::vector<LayerResult<float>> execute(const sim::Program&, const std::vector<Block<float>>&,
                                                 const ExecuteOptions&);
template std::vector<LayerResult<double>> execute(const sim::Program&, const std::vector<Block<double>>&,
                                                  const ExecuteOptions&);

}  // namespace ringsim::host
