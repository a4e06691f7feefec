#include "calibrate/import/kernel_names.hpp"

#include "models/error.hpp"
#include "models/names.hpp"

#include <fmt/format.h>

#include <array>
#include <regex>
#include <utility>

namespace ringsim::calibrate {
namespace {

constexpr std::size_t longest_name = 2000;  // std::regex recurses along its subject

constexpr KernelClass forward_attention{KernelKind::attention, Pass::forward};
constexpr KernelClass backward_attention{KernelKind::attention, Pass::backward};

/// The first that fits counts: helpers before the kernels that they are named after.
const std::vector<NamePattern>& built_in() {
  static const std::vector<NamePattern> table = {
      // FlashAttention 2 and 3, cuDNN, xFormers/CUTLASS, Triton
      {"dot_do_o|bwd_?preprocess|attn_bwd_pre", {KernelKind::preparation, Pass::backward}},
      {"convert_dq|convert_dkv|bwd_?postprocess", {KernelKind::completion, Pass::backward}},
      {"splitkv_combine|flashattnfwdcombine", {KernelKind::completion, Pass::forward}},
      {"(flash|attn|attention|fmha|sdpa).*(bwd|backward|bprop|dgrad)|fmha_cutlassB", backward_attention},
      {"(flash|attn|attention|fmha|sdpa).*(fwd|forward|fprop)|fmha_cutlassF", forward_attention},
      // NCCL under its present and its former names; annotations of PyTorch; copies between GPUs
      {"nccl(Dev)?Kernel_SendRecv|^nccl:.*(send|recv)|Memcpy PtoP", {KernelKind::transfer, std::nullopt}},
      {"nccl(Dev)?Kernel|^nccl:", {KernelKind::collective, std::nullopt}},
      {"(merge|update|combine).*(attn|attention|lse|softmax)|(attn|attention|lse|softmax).*(merge|update)",
       {KernelKind::merge, std::nullopt}},
      {"elementwise_kernel|^triton_(poi|per|red)_", {KernelKind::elementwise, std::nullopt}},
  };
  return table;
}

constexpr std::array<std::pair<std::string_view, KernelClass>, 7> kinds = {
    {{"attention-forward", forward_attention},
     {"attention-backward", backward_attention},
     {"transfer", {KernelKind::transfer, std::nullopt}},
     {"collective", {KernelKind::collective, std::nullopt}},
     {"merge", {KernelKind::merge, std::nullopt}},
     {"elementwise", {KernelKind::elementwise, std::nullopt}},
     {"ignore", {KernelKind::other, std::nullopt}}}};

}  // namespace

std::string_view name_of(KernelKind kind) {
  switch (kind) {
    case KernelKind::attention:
      return "attention";
    case KernelKind::preparation:
      return "preparation";
    case KernelKind::completion:
      return "completion";
    case KernelKind::transfer:
      return "transfer";
    case KernelKind::collective:
      return "collective";
    case KernelKind::merge:
      return "merge";
    case KernelKind::elementwise:
      return "elementwise";
    case KernelKind::other:
      break;
  }
  return "other";
}

NamePattern parse_name_pattern(std::string_view text) {
  const std::size_t equals = text.rfind('=');  // an expression may hold one, a kind does not
  const std::string where = fmt::format("pattern {}", text);
  if (equals == std::string_view::npos || equals == 0) {
    throw Error("a pattern is EXPRESSION=KIND", where, "such as my_attn_fwd.*=attention-forward");
  }
  std::vector<std::string_view> names;
  for (const auto& [name, meaning] : kinds) {
    if (text.substr(equals + 1) == name) return {std::string(text.substr(0, equals)), meaning};
    names.push_back(name);
  }
  const std::string_view kind = text.substr(equals + 1);
  throw Error(fmt::format("the kind \"{}\" is not known", kind), where, name_hint(kind, names, "one of"));
}

struct KernelNames::Compiled {
  std::regex expression;
  KernelClass meaning;
};

KernelNames::KernelNames(const std::vector<NamePattern>& patterns) {
  const auto add = [this](const NamePattern& pattern) {
    try {
      patterns_.push_back(
          {std::regex(pattern.expression, std::regex::ECMAScript | std::regex::icase), pattern.meaning});
    } catch (const std::regex_error& error) {
      throw Error(fmt::format("not a regular expression: {}", error.what()),
                  fmt::format("pattern {}", pattern.expression),
                  "an ECMAScript expression; a dot or bracket that is meant as itself needs a backslash before it");
    }
  };
  for (const NamePattern& pattern : patterns) add(pattern);
  for (const NamePattern& pattern : built_in()) add(pattern);
}

KernelNames::~KernelNames() = default;

KernelClass KernelNames::classify(const std::string& name) {
  const auto known = seen_.find(name);
  if (known != seen_.end()) return known->second;
  const std::string beginning = name.substr(0, longest_name);
  KernelClass meaning;
  for (const Compiled& pattern : patterns_) {
    if (!std::regex_search(beginning, pattern.expression)) continue;
    meaning = pattern.meaning;
    break;
  }
  seen_.emplace(name, meaning);
  return meaning;
}

}  // namespace ringsim::calibrate
