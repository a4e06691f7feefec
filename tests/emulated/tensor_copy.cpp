#include "tests/emulated/tensor_copy.hpp"

#include "models/error.hpp"
#include "tests/emulated/barriers.hpp"
#include "tests/emulated/block_state.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <string>

namespace ringsim::emulated {
namespace {

constexpr std::uint32_t kRowBytes = 128;
constexpr std::uint32_t kChunkBytes = 16;

struct Copy {
  std::uint32_t to = 0;
  cuda::TensorBox tensor;
  std::uint32_t barrier = 0;
  std::int32_t dim = 0, row = 0, head = 0;
  std::uint32_t done_rows = 0;

  /// Elements of a row of the box, zeros outside of the tensor.
  [[nodiscard]] std::array<cuda::Bf16, kRowBytes / 2> read(std::uint32_t r) const {
    std::array<cuda::Bf16, kRowBytes / 2> elements{};
    const std::int64_t tensor_row = std::int64_t{row} + r;
    if (head < 0 || static_cast<std::uint64_t>(head) >= tensor.size[2]) return elements;
    if (tensor_row < 0 || static_cast<std::uint64_t>(tensor_row) >= tensor.size[1]) return elements;
    const auto* from = reinterpret_cast<const std::byte*>(tensor.base) +
                       static_cast<std::uint64_t>(head) * tensor.stride_bytes[1] +
                       static_cast<std::uint64_t>(tensor_row) * tensor.stride_bytes[0];
    for (std::uint32_t c = 0; c < elements.size(); ++c) {
      const std::int64_t column = std::int64_t{dim} + c;
      if (column < 0 || static_cast<std::uint64_t>(column) >= tensor.size[0]) continue;
      std::memcpy(&elements[c], from + 2 * column, 2);
    }
    return elements;
  }

  /// A row of the box to its place, chunk by chunk.
  void write(std::uint32_t r, const std::array<cuda::Bf16, kRowBytes / 2>& elements) const {
    for (std::uint32_t chunk = 0; chunk < kRowBytes / kChunkBytes; ++chunk) {
      const std::uint32_t address = swizzle_128(to + r * kRowBytes + chunk * kChunkBytes);
      std::memcpy(shared_at(address, kChunkBytes), elements.data() + chunk * 8, kChunkBytes);
    }
  }

  /// Some rows; true when all are there.
  bool step() {
    const auto rows = static_cast<std::uint32_t>(1 + current_block().fibers.draw(tensor.box[1]));
    for (std::uint32_t i = 0; i < rows && done_rows < tensor.box[1]; ++i, ++done_rows)
      write(done_rows, read(done_rows));
    if (done_rows < tensor.box[1]) return false;
    current_block().async_barriers->complete(barrier, kRowBytes * tensor.box[1]);
    return true;
  }
};

}  // namespace

void copy_box(std::uint32_t to, const cuda::TensorBox& tensor, std::uint32_t barrier, std::int32_t dim,
              std::int32_t row, std::int32_t head) {
  auto& block = current_block();
  block.fibers.maybe_yield();
  if (to % 128 != 0) throw Error("TMA: shared address " + std::to_string(to) + " is not a multiple of 128");
  block.async_barriers->use_by_copy(barrier);
  Copy copy{to, tensor, barrier, dim, row, head};
  // The unit may write from now on: whoever still reads the old data must find that out, half of the times.
  if (block.fibers.draw(2) == 0) {
    std::array<cuda::Bf16, kRowBytes / 2> poison{};
    poison.fill({0xffff});
    for (std::uint32_t r = 0; r < tensor.box[1]; ++r) copy.write(r, poison);
  }
  block.fibers.spawn([copy]() mutable { return copy.step(); });
}

}  // namespace ringsim::emulated
