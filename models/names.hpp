#pragma once
// Helpful messages about names: which known name a mistyped one is nearest to, and lists of names in prose.

#include <string>
#include <string_view>
#include <vector>

namespace ringsim {

/// Edits (insert, delete, replace, swap neighbours) that turn one name into the other, letters' case ignored.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name that is nearest to `name`, if it is near enough to be a slip; empty else.
[[nodiscard]] std::string_view nearest(std::string_view name, const std::vector<std::string_view>& known);

/// "did you mean X?", or where nothing is near, the known names after `otherwise` ("known: a, b, c").
[[nodiscard]] std::string name_hint(std::string_view name, const std::vector<std::string_view>& known,
                                    std::string_view otherwise);

/// "a, b, c".
[[nodiscard]] std::string joined(const std::vector<std::string_view>& names, std::string_view between = ", ");

}  // namespace ringsim
