#include "reports/window_text.hpp"

#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::reports {
namespace {

/// "the first 2 of 80 layers", "layer 3 of 80", "layers 3 to 4 of 80"; empty where the range has all of them.
std::string part(std::string_view one, const sim::IndexRange& range, std::int64_t all) {
  const sim::IndexRange some = range.within(all);
  if (some.count >= all) return {};
  const char* more = one.ends_with("ch") ? "es" : "s";  // micro-batches
  if (some.first == 0 && some.count == 1) return fmt::format("the first of {} {}{}", human_count(all), one, more);
  if (some.first == 0)
    return fmt::format("the first {} of {} {}{}", human_count(some.count), human_count(all), one, more);
  if (some.count == 1) return fmt::format("{} {} of {}", one, some.first, human_count(all));
  return fmt::format("{}{} {} to {} of {}", one, more, some.first, some.end() - 1, human_count(all));
}

std::string ranks_text(const sim::Timeline& t) {
  if (t.ranks_shown >= t.ranks) return {};
  std::string text = part("rank", t.window.ranks, t.ranks);
  if (text.empty()) return part("rank", t.ranks_shown, t.ranks);
  std::vector<std::int64_t> also;
  for (const std::int64_t rank : t.window.ranks_of(t.ranks)) {
    if (!t.window.ranks.contains(rank)) also.push_back(rank);
  }
  if (also.size() > 8) return fmt::format("{} of {} ranks", human_count(t.ranks_shown), human_count(t.ranks));
  for (const std::int64_t& rank : also) text += fmt::format("{} {}", &rank == &also.front() ? " and rank" : ",", rank);
  return text;
}

std::string layers_text(const sim::Timeline& t) {
  const sim::IndexRange& range = t.window.layers;
  if (t.window.layer_order == sim::LayerOrder::numbered) return part("layer", range, t.of.layers);
  const std::int64_t of_stage = t.of.layers / std::max<std::int64_t>(1, t.of.stages);
  const sim::IndexRange some = range.within(t.of.layers);
  if (some.count >= of_stage) return {};
  const char* of = t.of.stages > 1 ? "stage" : "pass";
  if (some.first == 0) {
    const std::string first = some.count == 1 ? "layer" : human_count(some.count) + " layers";
    return fmt::format("the first {} of each {} ({} in all)", first, of, human_count(t.of.layers));
  }
  // Forward and alone, what is executed has its own number.
  if (t.of.stages == 1 && t.window.pass == Pass::forward) return part("layer", range, t.of.layers);
  return some.count == 1
             ? fmt::format("the layer behind the first {} of each {} ({} in all)", some.first, of, t.of.layers)
             : fmt::format("the {} layers behind the first {} of each {} ({} in all)", some.count, some.first, of,
                           t.of.layers);
}

}  // namespace

std::string window_text(const sim::Timeline& t) {
  if (!t.cut()) return "the whole run";
  std::string text;
  const auto add = [&text](const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : "; ") + more;
  };
  add(ranks_text(t));
  if (t.of.layers > 0) {
    if (t.of.phases > 1) add(fmt::format("part {} of {} of the run", t.window.phase + 1, t.of.phases));
    add(part("stage", t.window.stages, t.of.stages));
    add(part("micro-batch", t.window.micro_batches, t.of.micro_batches));
    if (t.truncated) add(layers_text(t));
    add(part("step", t.window.steps, t.of.steps));
    if (t.window.pass) add(*t.window.pass == Pass::forward ? "the forward pass" : "the backward pass");
  } else if (t.truncated) {
    add("some steps and layers of a longer run");
  }
  return text;
}

}  // namespace ringsim::reports
