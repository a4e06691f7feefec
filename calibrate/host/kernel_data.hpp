#pragma once
// What a kernel of the host executor needs to run on its own: its operands, its results and its workspace.

#include "calibrate/host/cases.hpp"
#include "kernels/host/attention.hpp"
#include "kernels/host/buffer.hpp"
#include "kernels/host/inputs.hpp"

#include <cmath>

namespace ringsim::calibrate {

template <class T>
class AttentionKernel {
 public:
  AttentionKernel(const AttentionCase& what, const HeadShape& heads)
      : case_(what),
        rows_(static_cast<Eigen::Index>(what.queries.size())),
        columns_(static_cast<Eigen::Index>(what.keys.size())),
        queries_(host::query_block(heads), rows_),
        keys_(host::key_block(heads), columns_),
        output_(host::output_block(heads), rows_),
        query_gradient_(host::query_gradient_block(heads), rows_),
        key_gradient_(host::key_block(heads), columns_) {
    spec_.mask = what.mask;
    spec_.scale = 1 / std::sqrt(static_cast<double>(heads.query_key_dim));
    host::fill_inputs(1, 0, case_.queries, queries_.view(rows_));
    host::fill_inputs(2, 0, case_.keys, keys_.view(columns_));
    // Statistics as they are over these keys alone: finite, and of the right size for the exponential.
    run(Pass::forward);
    const auto queries = queries_.view(rows_);
    const auto output = output_.view(rows_);
    std::copy_n(output.lse.data, output.lse.elements(), queries.lse.data);
    host::delta_of<T>(queries.d_out, output.o, queries.delta);
  }

  void run(Pass pass, host::Progress progress = {}) {
    const host::Placed<T> queries{queries_.view(rows_), case_.queries};
    const host::Placed<T> keys{keys_.view(columns_), case_.keys};
    if (pass == Pass::forward) {
      host::attend<T>(spec_, queries, keys, workspace_, output_.view(rows_), progress);
      return;
    }
    host::BlockView<T> gradient = key_gradient_.view(columns_);
    gradient.q = query_gradient_.view(rows_).q;
    host::attend_backward<T>(spec_, queries, keys, workspace_, gradient, progress);
  }

 private:
  const AttentionCase& case_;
  Eigen::Index rows_;
  Eigen::Index columns_;
  host::Buffer<T> queries_, keys_, output_, query_gradient_, key_gradient_;
  host::AttentionSpec spec_;
  host::Workspace<T> workspace_;
};

}  // namespace ringsim::calibrate
