#include "cli/documents/settings.hpp"

#include "scenarios/reference.hpp"

#include <algorithm>

namespace ringsim::cli::documents {

std::vector<std::string> key_steps() {
  std::vector<std::string> steps;
  for (const scenarios::DottedKey& key : scenarios::dotted_keys()) {
    if (key.has_value) steps.push_back(key.path + "=");
    if (key.has_keys) steps.push_back(key.path + ".");
  }
  return steps;
}

std::string KeyWords::keys(std::string_view between) const {
  std::string text;
  for (const std::string& path : paths) {
    if (!text.empty()) text += between;
    text += path;
  }
  return text;
}

std::vector<KeyWords> key_words() {
  std::vector<KeyWords> all;
  for (const scenarios::DottedKey& key : scenarios::dotted_keys()) {
    if (key.words.empty()) continue;
    const auto same = std::find_if(all.begin(), all.end(), [&](const KeyWords& one) { return one.words == key.words; });
    if (same != all.end()) {
      same->paths.push_back(key.path);
    } else {
      all.push_back({{key.path}, key.words});
    }
  }
  return all;
}

}  // namespace ringsim::cli::documents
