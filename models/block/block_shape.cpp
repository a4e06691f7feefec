#include "models/block/block_shape.hpp"

#include <utility>

namespace ringsim {

BlockShape block_shape(const Scenario& s, double sequences) {
  BlockShape b;
  b.model = s.model;
  b.parallel = s.parallel;
  b.sequences = sequences;
  b.decode = s.workload.phase == Phase::decode;
  b.product = s.workload.dtype;
  b.element = s.workload.dtype == Dtype::fp8 ? bytes_per_element(Dtype::bf16) : bytes_per_element(s.workload.dtype);
  const double computed = bytes_per_element(s.workload.dtype);
  b.weight = s.workload.phase == Phase::train ? computed : s.model.weight_bytes_per_parameter.value_or(computed);
  b.gradient = s.training.gradient_bytes;
  const auto ulysses = static_cast<double>(s.parallel.ulysses);
  const double divided = b.divides_tokens() ? static_cast<double>(s.parallel.tensor) : 1.0;
  b.rows = b.decode ? Rows{0, 1} : Rows{1.0 / ulysses, 0};
  // A decode step's few rows are not divided.
  b.divided_rows = b.decode ? b.rows : Rows{1.0 / (ulysses * divided), 0};
  if (b.decode) b.parallel.sequence_parallel = false;
  if (s.model.latent && s.workload.phase == Phase::prefill)
    b.cached_per_sequence = static_cast<double>(s.workload.cached) / (ulysses * static_cast<double>(s.parallel.ring));
  return b;
}

Rows times(const Rows& rows, double factor) { return {rows.per_token * factor, rows.per_sequence * factor}; }

CollectiveTraffic traffic(const BlockShape& shape, std::string name, CollectiveKind kind, Group group, const Rows& rows,
                          double per_row) {
  return {std::move(name), kind, group, bytes(shape.sequences * rows.per_token * per_row),
          bytes(shape.sequences * rows.per_sequence * per_row)};
}

Gemm product(const BlockShape& shape, std::string name, const Rows& rows, double columns, double depth, double count) {
  Gemm gemm;
  gemm.name = std::move(name);
  gemm.rows = rows;
  gemm.columns = columns;
  gemm.depth = depth;
  gemm.count = count;
  gemm.dtype = shape.product;
  gemm.matrix_bytes = shape.weight;
  return gemm;
}

Elementwise pass(const BlockShape& shape, std::string name, const Rows& rows, double elements) {
  return {std::move(name), rows, bytes(elements * shape.element), {}};
}

}  // namespace ringsim
