#pragma once
// The two ends of a model: the embedding, and the last norm with the logits and the loss.
//
//   embedding   a look-up reads and writes d elements a token. Tensor ranks hold V/t words each and add up what they found: an
//               all-reduce (reduce-scatter under sequence parallelism) of d elements a token. Backward reads dy and reads and
//               writes d gradients a token.
//   logits      [rows × d] · [d × V/t]; rows: the last token of every sequence where tokens are generated (their logits are then
//               gathered), all tokens in training
//   loss        softmax and cross entropy over V/t logits of a token, in fp32: reads the logits and writes probabilities, backward
//               the other way round. Tensor ranks add up the maximum, the sum and the target's logit: three all-reduces of 4 B a
//               token, counted as one of 12 B (Shoeybi et al., arXiv 1909.08053 §3).

#include "models/block/two_way.hpp"

#include <vector>

namespace ringsim {

/// Throw Error at model.vocabulary where that is not known.
[[nodiscard]] std::vector<BlockStep> embedding_forward(const BlockShape& shape);
[[nodiscard]] std::vector<BlockStep> embedding_backward(const BlockShape& shape);

/// The last norm and the logits of every sequence's last token: prefill and decode.
[[nodiscard]] std::vector<BlockStep> last_logits(const BlockShape& shape);

/// The last norm, all logits and the loss, and their backward pass.
[[nodiscard]] std::vector<BlockStep> loss_forward(const BlockShape& shape);
[[nodiscard]] std::vector<BlockStep> loss_backward(const BlockShape& shape);

}  // namespace ringsim
