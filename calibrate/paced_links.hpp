#pragma once
// Names of the links that one GPU plays by copies within its own memory, held to a rate: "paced-450-gb" is 450·10⁹ B/s each
// way by thread blocks, "paced-450-gb-copy-engine" the same by a copy engine. They are classes of links of their own: what is
// measured with them is no measurement of the link whose rate they have.

#include "models/plan.hpp"
#include "models/quantity.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ringsim::calibrate {

/// NCCL on one GPU: a copy within its memory by NCCL's kernel, of no link at all.
inline constexpr std::string_view nccl_to_itself = "nccl-to-itself";

[[nodiscard]] std::string paced_link_class(double bytes_per_s, TransferEngine engine);
/// The rate in the name; absent where it is no such name.
[[nodiscard]] std::optional<Bandwidth> paced_rate(std::string_view link_class);

}  // namespace ringsim::calibrate
