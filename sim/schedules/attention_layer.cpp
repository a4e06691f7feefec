#include "sim/schedules/attention_layer.hpp"

#include "models/error.hpp"
#include "sim/schedules/schemes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ringsim::sim {
namespace {

// A ring of one rank has nobody to exchange with, whatever it would do otherwise.
Exchange exchange_of(const RingSpec& spec) { return spec.shards.ring() == 1 ? Exchange::one_way : spec.exchange; }

std::vector<Operation> scheme(Program& program, const RingSpec& spec, Pass pass, const AttentionStreams& streams) {
  const bool forward = pass == Pass::forward;
  const bool moves_queries = (forward ? spec.shape.travels : spec.shape.backward) == Rotation::q;
  const Exchange exchange = exchange_of(spec);
  if (exchange != Exchange::one_way && moves_queries) {
    throw Error(std::string("queries travel one way only, not ") + std::string(name_of(exchange)),
                forward ? "ring.travels" : "ring.backward", "kv, or ring.exchange: one-way");
  }
  switch (exchange) {
    case Exchange::one_way:
      break;
    case Exchange::both_ways:
      return both_ways_layer(program, spec, pass, streams);
    case Exchange::two_level:
      return forward ? two_level_forward_layer(program, spec, streams)
                     : two_level_backward_layer(program, spec, streams);
    case Exchange::all_gather:
      return all_gather_layer(program, spec, pass, streams);
  }
  if (forward) {
    return moves_queries ? pass_q_layer(program, spec, streams) : ring_forward_layer(program, spec, streams);
  }
  return moves_queries ? ring_backward_q_layer(program, spec, streams) : ring_backward_kv_layer(program, spec, streams);
}

}  // namespace

std::vector<Operation> attention_layer(Program& program, const RingSpec& spec, Pass pass,
                                       const AttentionStreams& streams) {
  if (pass == Pass::backward && spec.shards.cached() > 0) {
    throw Error("a backward pass of tokens after cached ones", "workload.cached", "0 with phase: train");
  }
  std::vector<Operation> layer = scheme(program, spec, pass, streams);
  return spec.ulysses > 1 ? within_ulysses(program, spec, pass, streams, std::move(layer)) : layer;
}

std::vector<std::string> attention_streams(const RingSpec& spec) {
  std::vector<std::string> names = {"compute", "transfer"};
  if (exchange_of(spec) == Exchange::two_level) names.emplace_back("transfer between nodes");
  return names;
}

std::vector<std::string> attention_events(const RingSpec& spec) {
  std::vector<std::string> names = {"computed", "arrived", "layer started"};
  if (exchange_of(spec) == Exchange::two_level) {
    names.insert(names.end(), {"keys crossed", "gradient ready", "gradient crossed"});
  }
  return names;
}

std::size_t index_of_tensor(Program& program, const Tensor& tensor) {
  const auto known = std::find_if(program.tensors.begin(), program.tensors.end(), [&](const Tensor& other) {
    return other.name == tensor.name && other.bytes_per_token == tensor.bytes_per_token && other.side == tensor.side &&
           other.share == tensor.share;
  });
  const auto index = static_cast<std::size_t>(known - program.tensors.begin());
  if (known == program.tensors.end()) program.tensors.push_back(tensor);
  return index;
}

std::size_t index_of_traffic(Program& program, const CollectiveTraffic& traffic) {
  const auto known = std::find_if(program.traffic.begin(), program.traffic.end(), [&](const CollectiveTraffic& other) {
    return other.name == traffic.name && other.kind == traffic.kind && other.group == traffic.group &&
           other.bytes_per_token == traffic.bytes_per_token && other.fixed == traffic.fixed;
  });
  const auto index = static_cast<std::size_t>(known - program.traffic.begin());
  if (known == program.traffic.end()) program.traffic.push_back(traffic);
  return index;
}

void append_start(std::vector<Operation>& body, const AttentionStreams& streams) {
  const Event started = event_of(streams, ring_program::layer_started);
  body.push_back({Record{streams.compute, started}});
  body.push_back({Wait{streams.transfer, started}});
}

Operation steps(std::int64_t first, std::int64_t count, std::vector<Operation> body) {
  return {Repeat{Loop::step, first, count, false, std::move(body)}};
}

}  // namespace ringsim::sim
