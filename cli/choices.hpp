#pragma once
// Options that take one of a few words. The words are kept in the name of the option's validator, the one text of it that --help does
// not print, where the manual and the completion of shells read them.

#include <CLI/CLI.hpp>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::cli {

inline constexpr std::string_view choices_name = "one of:";

/// `further` words pass as well, and are not shown: the command says what is wrong with them.
[[nodiscard]] inline CLI::Validator one_of(const std::vector<std::string>& words,
                                           const std::vector<std::string>& further = {}) {
  std::string name(choices_name);
  for (const std::string& word : words) name += " " + word;
  std::vector<std::string> all = words;
  all.insert(all.end(), further.begin(), further.end());
  CLI::Validator validator = CLI::IsMember(all);
  validator.description("").name(name);
  return validator;
}

/// The words of an option that one_of() checks; empty of every other.
[[nodiscard]] inline std::vector<std::string> choices_of(CLI::Option& option) {
  std::vector<std::string> words;
  for (int index = 0;; ++index) {
    const CLI::Validator* validator = nullptr;
    try {
      validator = option.get_validator(index);
    } catch (const CLI::OptionNotFound&) {
      return words;  // there are no more
    }
    if (!validator->get_name().starts_with(choices_name)) continue;
    std::istringstream names(validator->get_name().substr(choices_name.size()));
    for (std::string word; names >> word;) words.push_back(word);
  }
}

}  // namespace ringsim::cli
