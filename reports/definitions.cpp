#include "reports/definitions.hpp"

#include <fmt/format.h>

namespace ringsim::reports {

std::vector<std::string> definitions_of(const sim::Prediction& p) {
  std::vector<std::string> all;
  const auto add = [&all](std::string_view name, std::string_view definition) {
    all.push_back(fmt::format("{}: {}", name, definition));
  };
  if (p.ttft_s) add("TTFT", ttft_definition);
  if (p.tpot_s) add("TPOT", tpot_definition);
  if (p.step_time_s) add("training step", step_definition);
  if (p.scope == "model") {
    add("MFU", mfu_definition);
    if (p.phase == "train") add("HFU", hfu_definition);
  }
  return all;
}

}  // namespace ringsim::reports
