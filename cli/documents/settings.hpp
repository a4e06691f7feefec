#pragma once
// The keys of --set as shells complete them.

#include <string>
#include <string_view>
#include <vector>

namespace ringsim::cli::documents {

/// "workload.phase=" where a value may follow, "workload." where further keys do; a key of both kinds stands twice.
[[nodiscard]] std::vector<std::string> key_steps();

/// Keys whose values are the same few words.
struct KeyWords {
  std::vector<std::string> paths;
  std::vector<std::string> words;
  [[nodiscard]] std::string keys(std::string_view between) const;
};
[[nodiscard]] std::vector<KeyWords> key_words();

}  // namespace ringsim::cli::documents
