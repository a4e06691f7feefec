#pragma once
// One exception type for every boundary: what is wrong, where it stands, what would be right.

#include <stdexcept>
#include <string>
#include <utility>

namespace ringsim {

/// A mistake of the user's input. `where` is a place a person can go to ("file.yaml:3:7", "--set ring.layout");
/// empty where the thrower does not know it and the caller adds it. `hint` says what would be right; may be empty.
class Error : public std::runtime_error {
 public:
  explicit Error(std::string what, std::string where = {}, std::string hint = {})
      : std::runtime_error(what), what_(std::move(what)), where_(std::move(where)), hint_(std::move(hint)) {}

  [[nodiscard]] const std::string& message() const noexcept { return what_; }
  [[nodiscard]] const std::string& where() const noexcept { return where_; }
  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

 private:
  std::string what_;
  std::string where_;
  std::string hint_;
};

}  // namespace ringsim
