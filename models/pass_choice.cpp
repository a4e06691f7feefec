#include "models/pass_choice.hpp"

namespace ringsim {

double pass_q_share_of_hops(const RingShape& shape) { return shape.kv_per_token() / shape.q_per_token(); }

double pass_q_share(const RingShape& shape) {
  return shape.kv_per_token() / (shape.q_per_token() + shape.partial_per_token());
}

Rotation cheaper_to_move(const RingShape& shape, std::int64_t tokens, std::int64_t cached) {
  const auto fresh = static_cast<double>(tokens);
  const Bytes kv = shape.kv_per_token() * (fresh + static_cast<double>(cached));
  const Bytes q = (shape.q_per_token() + shape.partial_per_token()) * fresh;
  return q < kv ? Rotation::q : Rotation::kv;
}

}  // namespace ringsim
