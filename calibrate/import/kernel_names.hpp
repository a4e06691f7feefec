#pragma once
// Which operation a GPU kernel belongs to, told from its name. docs/IMPORT.md lists the patterns and where the names
// come from.

#include "models/cost.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ringsim::calibrate {

enum class KernelKind {
  attention,    // computes a block; has a pass
  preparation,  // belongs to the attention kernel after it: the row sums of dO · O
  completion,   // belongs to the attention kernel before it: dQ to its number format, split results joined
  transfer,     // a grouped send-receive
  collective,   // any other communication
  merge,        // folds a partial result into an accumulator
  elementwise,  // a merge where it directly follows an attention kernel on its stream
  other
};
[[nodiscard]] std::string_view name_of(KernelKind kind);

struct KernelClass {
  KernelKind kind = KernelKind::other;
  std::optional<Pass> pass;  // of attention, preparation and completion
  friend bool operator==(const KernelClass&, const KernelClass&) = default;
};

/// A regular expression (ECMAScript, letters' case ignored, anywhere in the name) and what it stands for.
struct NamePattern {
  std::string expression;
  KernelClass meaning;
};

/// "EXPRESSION=KIND", KIND one of attention-forward, attention-backward, transfer, collective, merge, elementwise, ignore.
/// Throws Error.
[[nodiscard]] NamePattern parse_name_pattern(std::string_view text);

/// Tells classes of names; remembers those that it has seen. `patterns` go before the built-in table. Throws Error for an
/// expression that is none. Of a name only the first 2,000 characters are looked at.
class KernelNames {
 public:
  explicit KernelNames(const std::vector<NamePattern>& patterns);
  ~KernelNames();
  KernelNames(const KernelNames&) = delete;
  KernelNames& operator=(const KernelNames&) = delete;
  KernelNames(KernelNames&&) = delete;
  KernelNames& operator=(KernelNames&&) = delete;
  [[nodiscard]] KernelClass classify(const std::string& name);

 private:
  struct Compiled;  // keeps <regex> out of this header
  std::vector<Compiled> patterns_;
  std::unordered_map<std::string, KernelClass> seen_;
};

}  // namespace ringsim::calibrate
